import { expect, test } from 'vitest';
import { foldersOf } from './folders.ts';

test('SVC_HOME overrides every folder', () => {
  expect(foldersOf({ SVC_HOME: '/portable', XDG_DATA_HOME: '/other' }, 'linux', '/home/me')).toEqual({
    data: '/portable/data',
    config: '/portable/config',
    cache: '/portable/cache',
  });
});

test('Linux uses the XDG folders, and ignores relative ones', () => {
  expect(foldersOf({}, 'linux', '/home/me')).toEqual({
    data: '/home/me/.local/share/svc',
    config: '/home/me/.config/svc',
    cache: '/home/me/.cache/svc',
  });
  const environment = { XDG_DATA_HOME: '/d', XDG_CONFIG_HOME: 'relative', XDG_CACHE_HOME: '' };
  expect(foldersOf(environment, 'linux', '/home/me')).toEqual({
    data: '/d/svc',
    config: '/home/me/.config/svc',
    cache: '/home/me/.cache/svc',
  });
});

test('macOS uses its Library, with separate folders for data and configuration', () => {
  const { data, config, cache } = foldersOf({}, 'darwin', '/Users/me');
  expect(data).toBe('/Users/me/Library/Application Support/svc/data');
  expect(config).toBe('/Users/me/Library/Application Support/svc/config');
  expect(cache).toBe('/Users/me/Library/Caches/svc');
});
