import { expect, test } from 'vitest';
import { log, result, run } from '../../test/sarif.ts';
import { secretSamples } from '../../test/secret-samples.ts';
import type { ByteSource } from '../sarif/document.ts';
import { readLog } from './read-log.ts';

const sourceOf = (text: string): ByteSource => {
  const bytes = new TextEncoder().encode(text);
  return { length: bytes.length, read: (start, end) => bytes.subarray(start, end) };
};

test('the summary of a log counts its findings, weak identities and removed secrets, and contains no secret', () => {
  const [{ text: secret } = { text: '' }] = secretSamples;
  const text = log(
    run([
      result({ message: { text: 'Known by its tool' }, partialFingerprints: { 'primary/v1': 'abc' } }),
      result({ message: { text: `Only its message: ${secret}` }, level: 'error' }, 'src/b.ts'),
    ]),
  );
  const reading = readLog('a.sarif', sourceOf(text));
  expect(reading).toMatchObject({
    summary: { name: 'a.sarif', counts: { critical: 0, info: 0 }, weakCount: 1, redactions: 3, warnings: [] },
  });
  expect(JSON.stringify(reading)).not.toContain(secret);
});

test('a secret in the name of the file is in no message', () => {
  const [{ text: secret } = { text: '' }] = secretSamples;
  expect(JSON.stringify(readLog(`${secret}.sarif`, sourceOf('{')))).not.toContain(secret);
});

test.each([
  [
    'that is too large',
    { length: 2 ** 29 + 1, read: () => new Uint8Array() },
    [],
    /^The log is larger than 512 MiB/,
  ],
  [
    'that is not JSON',
    sourceOf('{\n  "version" "2.1.0"}'),
    ['line 2, column 13: a colon is expected'],
    /^The file is not JSON/,
  ],
  ['without runs', sourceOf('{"version": "2.1.0", "runs": []}'), [], /run/],
])('a log %s is rejected with the reason and what to do', (_name, source, details, hint) => {
  expect(readLog('a.sarif', source)).toEqual({
    rejected: { message: 'a.sarif cannot be imported.', details, hint: expect.stringMatching(hint) },
  });
});
