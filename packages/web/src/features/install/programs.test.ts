import type { OfferedProgram } from '@svc/contract';
import { expect, test } from 'vitest';
import { programsFor, visitorsSystem } from './programs.ts';

const origin = 'https://svc.example.test';
const program = (fields: Partial<OfferedProgram>): OfferedProgram => ({
  platform: 'linux',
  arch: 'x64',
  url: '/download/svc.mjs',
  sha256: 'ab'.repeat(32),
  sizeBytes: 2_000_000,
  ...fields,
});

test('a program for all platforms is offered on each of them, at this origin', () => {
  const offered = [program({ platform: null, arch: null })];
  for (const system of ['linux', 'darwin', 'win32'] as const) {
    expect(programsFor(system, offered, origin)).toEqual([
      {
        url: `${origin}/download/svc.mjs`,
        sha256: 'ab'.repeat(32),
        sizeBytes: 2_000_000,
        architectures: [],
      },
    ]);
  }
});

test('each platform is offered its programs of a release; a program for two architectures is offered once', () => {
  const elsewhere = 'https://downloads.example.test/svc-arm.mjs';
  const offered = [
    program({}),
    program({ arch: 'arm64' }),
    program({ arch: 'riscv64', url: elsewhere, sha256: 'cd'.repeat(32) }),
    program({ platform: 'darwin', url: elsewhere }),
  ];
  const found = programsFor('linux', offered, origin).map(({ url, architectures }) => [url, architectures]);
  expect(found).toEqual([
    [`${origin}/download/svc.mjs`, ['x64', 'arm64']],
    [elsewhere, ['riscv64']],
  ]);
  expect(programsFor('win32', offered, origin)).toEqual([]);
});

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 'win32'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', 'darwin'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'linux'],
  ['something else', 'linux'],
])('the first tab for %s is %s', (userAgent, system) => {
  expect(visitorsSystem(userAgent)).toBe(system);
});
