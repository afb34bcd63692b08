/** What the install commands contain. Whether they work: packages/web/test/install.test.ts. */
import { expect, test } from 'vitest';
import { installCommands, loginCommand, systems } from './commands.ts';

const sha256 = 'ab'.repeat(32);
const url = "https://svc.example.test/it's?a=1&b=$(id)";

test.each(systems.map(({ id }) => id))(
  'on %s the command names the digest, and runs nothing downloaded',
  (system) => {
    const { install } = installCommands(system, { url, sha256 });
    expect(install).toContain(sha256);
    expect(install).not.toMatch(/\|\s*(?:sh|bash|zsh|node|iex|Invoke-Expression)\b/);
  },
);

test.each([
  ['linux', String.raw`'https://svc.example.test/it'\''s?a=1&b=$(id)'`],
  ['darwin', String.raw`'https://svc.example.test/it'\''s?a=1&b=$(id)'`],
  ['win32', "'https://svc.example.test/it''s?a=1&b=$(id)'"],
] as const)('on %s an address is one word that no shell expands', (system, quoted) => {
  expect(installCommands(system, { url, sha256 }).install).toContain(` ${quoted} `);
});

test('in PowerShell each command is one block, and the installation stops at the first failure', () => {
  const { install, path } = installCommands('win32', { url, sha256 });
  const lines = install.split('\n');
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(['& {', "  $ErrorActionPreference = 'Stop'", '}']);
  expect(lines.findIndex((line) => line.includes('Get-FileHash'))).toBeLessThan(
    lines.findIndex((line) => line.includes('Move-Item')),
  );
  expect(path.startsWith('& {\n') && path.endsWith('\n}')).toBe(true);
});

test('the machine is linked to the service that the page is on', () => {
  expect(loginCommand('linux', 'https://svc.example.test')).toBe(
    'SVC_API_BASE_URL=https://svc.example.test svc login',
  );
  expect(loginCommand('win32', 'https://svc.example.test')).toBe(
    "$env:SVC_API_BASE_URL = 'https://svc.example.test'; svc login",
  );
});
