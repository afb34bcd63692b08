import { expect, test } from 'vitest';
import { hasBrowser, openPage } from './browser.ts';

test.each([
  ['a desktop', { DISPLAY: ':0' }, 'linux', true],
  ['a Wayland desktop', { WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
  ['a Linux without a display', {}, 'linux', false],
  ['a Mac', {}, 'darwin', true],
  ['a Windows', {}, 'win32', true],
  ['a shell over SSH', { DISPLAY: ':0', SSH_CONNECTION: '1 2 3 4' }, 'linux', false],
  ['a Mac over SSH', { SSH_TTY: '/dev/ttys1' }, 'darwin', false],
  ['CI', { DISPLAY: ':0', CI: 'true' }, 'linux', false],
] as const)('%s: is there a browser', (_, environment, platform, expected) => {
  expect(hasBrowser(environment, platform)).toBe(expected);
});

test.each(['file:///etc/passwd', 'javascript:alert(1)', '--help', 'svc.example.com', ''])(
  'what a service names as an address is opened only if it is a page: %s',
  async (address) => {
    expect(await openPage(address, {})).toBe(false);
  },
);
