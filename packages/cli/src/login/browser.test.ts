import * as fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/repository.ts';
import { hasBrowser, openPage } from './browser.ts';

test.each([
  ['a desktop', { DISPLAY: ':0' }, 'linux', true],
  ['a Wayland desktop', { WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
  ['Linux without a display', {}, 'linux', false],
  ['a Mac', {}, 'darwin', true],
  ['Windows', {}, 'win32', true],
  ['a shell over SSH', { DISPLAY: ':0', SSH_CONNECTION: '1 2 3 4' }, 'linux', false],
  ['a Mac over SSH', { SSH_TTY: '/dev/ttys1' }, 'darwin', false],
  ['CI', { DISPLAY: ':0', CI: 'true' }, 'linux', false],
] as const)('%s: whether a browser can be opened', (_, environment, platform, expected) => {
  expect(hasBrowser(environment, platform)).toBe(expected);
});

test.each(['file:///etc/passwd', 'javascript:alert(1)', '--help', 'svc.example.com', ''])(
  'an address from a service is opened only if it is a web page: %s',
  async (address) => {
    expect(await openPage(address, {})).toBe(false);
  },
);

test.skipIf(process.platform !== 'linux')(
  '[T26] the page is opened by a program outside the repository, without the credential',
  async () => {
    const [repository, tools, marks] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const bin = path.join(repository, 'node_modules/.bin');
    fs.mkdirSync(bin, { recursive: true });
    const [planted, seen] = [path.join(marks, 'planted'), path.join(marks, 'seen')];
    fs.writeFileSync(path.join(bin, 'xdg-open'), `#!/bin/sh\n/usr/bin/touch '${planted}'\n`, { mode: 0o755 });
    const spy = `#!/bin/sh\n(echo "page=$1"; pwd; /usr/bin/env) > '${seen}.new'\n/bin/mv '${seen}.new' '${seen}'\n`;
    fs.writeFileSync(path.join(tools, 'xdg-open'), spy, { mode: 0o755 });
    const environment = {
      PATH: [bin, tools].join(path.delimiter),
      DISPLAY: ':0',
      BROWSER: path.join(bin, 'xdg-open'),
      SVC_DEVICE_TOKEN: 'canary',
    };
    vi.spyOn(process, 'cwd').mockReturnValue(repository);
    expect(await openPage('https://svc.example.com/link/x', environment)).toBe(true);
    expect(await openPage('https://svc.example.com/', { PATH: bin })).toBe(false);
    vi.restoreAllMocks();
    await vi.waitFor(() => expect(fs.existsSync(seen)).toBe(true), { timeout: 120_000 });
    const said = fs.readFileSync(seen, 'utf8');
    expect(said).toContain('page=https://svc.example.com/link/x');
    expect(said).toContain('DISPLAY=:0');
    expect(said).not.toMatch(/canary|BROWSER=|node_modules/);
    expect(said).not.toContain(repository);
    expect(fs.existsSync(planted)).toBe(false);
  },
);
