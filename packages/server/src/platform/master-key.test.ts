import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StartError } from '#start-error';
import type { Database } from './database/database.ts';
import { openMasterKey } from './master-key.ts';
import { systemRandom } from './random.ts';

let folder: string;
let server: TestServer;
let database: Database;
/** Not there yet, in each test. */
let file: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-key-'));
  server = await startServer();
  ({ database } = server.service);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  file = join(mkdtempSync(join(folder, 'deployment-')), 'master.key');
  // As before the first start of a deployment.
  await database.read.deleteFrom('deployment').where('name', '=', 'master-key-mark').execute();
});

const open = (configured: Uint8Array | null = null) =>
  openMasterKey({ database, configured, file, random: systemRandom });

async function refusalOf(opening: Promise<unknown>): Promise<readonly string[]> {
  const refused = await opening.then(
    () => null,
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(StartError);
  return (refused as StartError).lines;
}

const asText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

describe('the key file', () => {
  test('[D6] is made once, for its owner alone, with 32 random bytes', async () => {
    const made = await open();
    expect(made).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const content = readFileSync(file, 'utf8');
    expect(content.trim()).toBe(asText(made));
    expect(asText(await open())).toBe(asText(made));
    expect(readFileSync(file, 'utf8')).toBe(content);
    expect(readdirSync(join(file, '..'))).toEqual(['master.key']);
  });

  test('[D6] one of another deployment is another', async () => {
    const one = asText(await open());
    await database.read.deleteFrom('deployment').where('name', '=', 'master-key-mark').execute();
    rmSync(file);
    expect(asText(await open())).not.toBe(one);
  });

  test('[D6] the half of one, left by a start that was cut short, does not matter', async () => {
    writeFileSync(`${file}.new`, 'half of a k', { mode: 0o644 });
    expect(await open()).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, '..'))).toEqual(['master.key']);
  });

  test.each([
    ['that is empty', ''],
    ['that is short', asText(randomBytes(31))],
    ['that is long', asText(randomBytes(33))],
    ['that is no base64', 'this is no key at all, whatever it was'],
  ])(
    '[D6] one %s is refused with one line that does not repeat it, and stays as it is',
    async (_, content) => {
      writeFileSync(file, content);
      const lines = await refusalOf(open());
      expect(lines).toEqual([
        expect.stringMatching(`^The master key file ${file} does not hold 32 bytes in base64\\. [^\\n]+$`),
      ]);
      expect(readFileSync(file, 'utf8')).toBe(content);
      expect(content !== '' && lines[0]?.includes(content)).toBe(false);
    },
  );

  test('[D6] one that can not be read, and one that can not be made, are refused with one line', async () => {
    mkdirSync(file);
    expect(await refusalOf(open())).toEqual([
      expect.stringMatching(`^The master key file ${file} can not be read \\([^\\n]+\\)\\. [^\\n]+$`),
    ]);
    file = join(folder, 'missing', 'master.key');
    expect(await refusalOf(open())).toEqual([
      expect.stringMatching(`^The master key file ${file} can not be made \\([^\\n]+\\)\\. [^\\n]+$`),
    ]);
  });
});

describe('the key of a deployment', () => {
  test('[D6] the configured one beats the file, and makes none', async () => {
    const key = randomBytes(32);
    expect(asText(await open(key))).toBe(asText(key));
    expect(readdirSync(join(file, '..'))).toEqual([]);
  });

  test('[D6] another one, configured or in the file, is refused with one line that shows neither', async () => {
    const [right, wrong] = [randomBytes(32), randomBytes(32)];
    await open(right);
    writeFileSync(file, asText(wrong));
    for (const [configured, source] of [
      [wrong, 'SVC_MASTER_KEY'],
      [null, file],
    ] as const) {
      const lines = await refusalOf(open(configured));
      expect(lines).toEqual([
        expect.stringMatching(
          `^The master key of ${source} is not the one that this deployment was made with\\. [^\\n]+$`,
        ),
      ]);
      for (const key of [right, wrong]) expect(lines[0]).not.toContain(asText(key));
    }
    expect(asText(await open(right))).toBe(asText(right));
  });

  test('[D6] once it is lost no other is made in its place', async () => {
    await open();
    rmSync(file);
    expect(await refusalOf(open())).toEqual([
      expect.stringMatching(`^The master key file ${file} is missing\\. [^\\n]+$`),
    ]);
    expect(readdirSync(join(file, '..'))).toEqual([]);
  });

  test('[D6] of replicas with different keys that start together one kind starts', async () => {
    const keys = Array.from({ length: 6 }, (_, index) => Buffer.alloc(32, index % 2));
    const outcomes = await Promise.allSettled(keys.map((key) => open(key)));
    const started = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [asText(outcome.value)] : [],
    );
    expect(started).toHaveLength(3);
    expect(new Set(started).size).toBe(1);
  });

  test('[D6] neither it nor its plain hash is in the database', async () => {
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
