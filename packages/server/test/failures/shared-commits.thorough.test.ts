/** Transactions that share a commit, ended by force and by a disk that refuses: each is there whole or not at all, and told so. */
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
/** Acknowledged transactions after which the process is killed, by round. */
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

interface Told {
  readonly acknowledged: string[];
  readonly failed: string[];
}

function toldIn(output: string): Told {
  // The last line can be cut off with the process.
  const lines = output.slice(0, output.lastIndexOf('\n') + 1).split('\n');
  const after = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  return { acknowledged: after('+'), failed: after('-') };
}

/** The transactions that are in the file, by how many of their two rows are. */
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

test('kill -9 under load: whatever was acknowledged is there, and nothing is there by half', async () => {
  const acknowledged: string[] = [];
  for (const acknowledgements of KILLED_AFTER) {
    const told = toldIn(await killedAfter(acknowledgements));
    expect(told.failed).toEqual([]);
    acknowledged.push(...told.acknowledged);
    const found = present();
    expect(acknowledged.filter((name) => found.get(name) !== 2)).toEqual([]);
    expect([...found].filter(([, parts]) => parts !== 2)).toEqual([]);
  }
  expect(acknowledged.length).toBeGreaterThan(2000);
}, 240_000);

test.skipIf(process.platform === 'win32')(
  'a disk that takes no more fails whole groups, and leaves what was acknowledged and nothing else',
  async () => {
    // Beyond this size the system refuses to write to a file, which the log reaches in the midst of a commit.
    const limited = `ulimit -f 2000 && exec "${process.execPath}" "${program}" "${folder}" 40`;
    const child = spawn('sh', ['-c', limited], spawning);
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
    const { acknowledged, failed } = toldIn(output);
    const found = present();
    expect(acknowledged.length).toBeGreaterThan(50);
    expect(failed.length).toBeGreaterThanOrEqual(40);
    expect([...found.keys()].toSorted()).toEqual(acknowledged.toSorted());
    expect([...found].filter(([, parts]) => parts !== 2)).toEqual([]);
  },
  180_000,
);
