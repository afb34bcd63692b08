import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedServer } from '@svc/testkit/suite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StartError } from '#start-error';
import type { Database } from './database/database.ts';
import { openMasterKeys } from './master-key.ts';
import { systemRandom } from './random.ts';

let folder: string;
const server = sharedServer();
let database: Database;
/** A new path in each test, where no file exists yet. */
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-key-'));
  ({ database } = server.service);
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  file = join(mkdtempSync(join(folder, 'deployment-')), 'master.key');
  // The state before the first start of a deployment.
  await database.read.deleteFrom('deployment').where('name', '=', 'master-key-mark').execute();
});

async function open(...configured: Uint8Array[]): Promise<Uint8Array> {
  const { atStart } = await openMasterKeys({ database, configured, file, random: systemRandom });
  return atStart;
}

async function rejectionOf(opening: Promise<unknown>): Promise<readonly string[]> {
  const rejected = await opening.then(
    () => null,
    (error: unknown) => error,
  );
  expect(rejected).toBeInstanceOf(StartError);
  return (rejected as StartError).lines;
}

const asText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

describe('the key file', () => {
  test('[D6] is created once, for its owner only, with 32 random bytes', async () => {
    const made = await open();
    expect(made).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const content = readFileSync(file, 'utf8');
    expect(content.trim()).toBe(asText(made));
    expect(asText(await open())).toBe(asText(made));
    expect(readFileSync(file, 'utf8')).toBe(content);
    expect(readdirSync(join(file, '..'))).toEqual(['master.key']);
  });

  test('[D6] differs between deployments', async () => {
    const one = asText(await open());
    await database.read.deleteFrom('deployment').where('name', '=', 'master-key-mark').execute();
    rmSync(file);
    expect(asText(await open())).not.toBe(one);
  });

  test('[D6] is created despite the partial file of an interrupted start', async () => {
    writeFileSync(`${file}.new`, 'half of a k', { mode: 0o644 });
    expect(await open()).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, '..'))).toEqual(['master.key']);
  });

  test.each([
    ['that is empty', ''],
    ['that is short', asText(randomBytes(31))],
    ['that is long', asText(randomBytes(33))],
    ['that is not base64', 'this is no key at all, whatever it was'],
  ])('[D6] %s is rejected with one line that does not repeat it, and stays unchanged', async (_, content) => {
    writeFileSync(file, content);
    const lines = await rejectionOf(open());
    expect(lines).toEqual([
      expect.stringMatching(`^The master key file ${file} does not contain 32 bytes in base64\\. [^\\n]+$`),
    ]);
    expect(readFileSync(file, 'utf8')).toBe(content);
    expect(content !== '' && lines[0]?.includes(content)).toBe(false);
  });

  test('[D6] that cannot be read or created is rejected with one line', async () => {
    mkdirSync(file);
    expect(await rejectionOf(open())).toEqual([
      expect.stringMatching(`^The master key file ${file} cannot be read \\([^\\n]+\\)\\. [^\\n]+$`),
    ]);
    file = join(folder, 'missing', 'master.key');
    expect(await rejectionOf(open())).toEqual([
      expect.stringMatching(`^The master key file ${file} cannot be created \\([^\\n]+\\)\\. [^\\n]+$`),
    ]);
  });
});

describe('the key of a deployment', () => {
  test('[D6] is the configured one rather than the file, and then no file is created', async () => {
    const key = randomBytes(32);
    expect(asText(await open(key))).toBe(asText(key));
    expect(readdirSync(join(file, '..'))).toEqual([]);
  });

  test('[D6] that differs, configured or in the file, is rejected with one line that shows neither', async () => {
    const [right, wrong] = [randomBytes(32), randomBytes(32)];
    await open(right);
    writeFileSync(file, asText(wrong));
    for (const [configured, source] of [
      [wrong, 'SVC_MASTER_KEY'],
      [null, file],
    ] as const) {
      const lines = await rejectionOf(configured ? open(configured) : open());
      expect(lines).toEqual([
        expect.stringMatching(`^The master key of ${source} is not the key of this deployment\\. [^\\n]+$`),
      ]);
      for (const key of [right, wrong]) expect(lines[0]).not.toContain(asText(key));
    }
    expect(asText(await open(right))).toBe(asText(right));
  });

  test('[D6] that is lost is not replaced by another', async () => {
    await open();
    rmSync(file);
    expect(await rejectionOf(open())).toEqual([
      expect.stringMatching(`^The master key file ${file} is missing\\. [^\\n]+$`),
    ]);
    expect(readdirSync(join(file, '..'))).toEqual([]);
  });

  test('[D6] is one of the keys of replicas that start together, and only the replicas with that key start', async () => {
    const keys = Array.from({ length: 6 }, (_, index) => Buffer.alloc(32, index % 2));
    const outcomes = await Promise.allSettled(keys.map((key) => open(key)));
    const started = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [asText(outcome.value)] : [],
    );
    expect(started).toHaveLength(3);
    expect(new Set(started).size).toBe(1);
  });

  test('[D6] is not in the database, and neither is its plain hash', async () => {
    const key = randomBytes(32);
    await open(key);
    const rows = await database.read.selectFrom('deployment').selectAll().execute();
    const text = JSON.stringify(rows);
    expect(text).toContain('master-key-mark');
    for (const bytes of [key, createHash('sha256').update(key).digest()]) {
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        expect(text).not.toContain(bytes.toString(encoding));
      }
    }
  });
});
