/**
 * Transactions that share a commit, ended by a kill and by a full disk: each is stored completely or not at all, as it
 * was reported.
 */
import { spawn, type SpawnOptionsWithStdioTuple, type StdioNull, type StdioPipe } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const program = fileURLToPath(new URL('group-writer.ts', import.meta.url));
const GIVEN_UP_AFTER_MS = 120_000;
/** The process is killed after this many acknowledged transactions, in each round. */
const KILLED_AFTER = [1, 17, 200, 1000, 450, 2, 90, 1500];

const spawning: SpawnOptionsWithStdioTuple<StdioNull, StdioPipe, StdioNull> = {
  stdio: ['ignore', 'pipe', 'inherit'],
  timeout: GIVEN_UP_AFTER_MS,
};

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-shared-'));
  file = join(folder, 'svc.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Outcomes {
  readonly acknowledged: string[];
  readonly failed: string[];
}

function outcomesIn(output: string): Outcomes {
  // The last line may be cut off.
  const lines = output.slice(0, output.lastIndexOf('\n') + 1).split('\n');
  const after = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  return { acknowledged: after('+'), failed: after('-') };
}

/** The transactions in the file, with how many of their two rows are stored. */
function transactionsIn(database: DatabaseSync): Map<string, number> {
  const rows = database
    .prepare(
      `select substr(name, 1, length(name) - 2) as id, count(*) as parts
       from deployment where name glob '[0-9]*' group by id`,
    )
    .all();
  return new Map(rows.map(({ id, parts }) => [String(id), Number(parts)]));
}

function present(): Map<string, number> {
  const database = new DatabaseSync(file);
  const found = transactionsIn(database);
  database.close();
  return found;
}

async function killedAfter(acknowledgements: number): Promise<string> {
  const child = spawn(process.execPath, [program, folder, '1'], spawning);
  let output = '';
  let seen = 0;
  child.stdout.setEncoding('latin1').on('data', (chunk: string) => {
    output += chunk;
    seen += chunk.split('+').length - 1;
    if (seen >= acknowledgements) child.kill('SIGKILL');
  });
  await once(child, 'close');
  expect(child.signalCode).toBe('SIGKILL');
  return output;
}

test('kill -9 under load: everything acknowledged is stored, and no transaction in part', async () => {
  const acknowledged: string[] = [];
  for (const acknowledgements of KILLED_AFTER) {
    const outcomes = outcomesIn(await killedAfter(acknowledgements));
    expect(outcomes.failed).toEqual([]);
    acknowledged.push(...outcomes.acknowledged);
    const found = present();
    expect(acknowledged.filter((name) => found.get(name) !== 2)).toEqual([]);
    expect([...found].filter(([, parts]) => parts !== 2)).toEqual([]);
  }
  expect(acknowledged.length).toBeGreaterThan(2000);
}, 240_000);

test.skipIf(process.platform === 'win32')(
  'a full disk fails whole groups, and leaves only what was acknowledged',
  async () => {
    // The system rejects writes to a file beyond this size. The write-ahead log reaches it during a commit.
    const limited = `ulimit -f 2000 && exec "${process.execPath}" "${program}" "${folder}" 40`;
    const child = spawn('sh', ['-c', limited], spawning);
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
    const { acknowledged, failed } = outcomesIn(output);
    const found = present();
    expect(acknowledged.length).toBeGreaterThan(50);
    expect(failed.length).toBeGreaterThanOrEqual(40);
    expect([...found.keys()].toSorted()).toEqual(acknowledged.toSorted());
    expect([...found].filter(([, parts]) => parts !== 2)).toEqual([]);
  },
  180_000,
);
