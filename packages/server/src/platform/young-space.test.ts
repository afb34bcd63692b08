import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MIB = 1024 * 1024;
const MODULE = new URL('young-space.ts', import.meta.url).href;
const size = `process.getBuiltinModule('v8').getHeapSpaceStatistics()
  .find((space) => space.space_name === 'new_space').space_size`;

/** Keeps many new objects in use, and posts the size. */
const worker = `
  const kept = [];
  for (let count = 0; count < 400_000; count += 1) kept.push({ count, pair: [count, count] });
  process.getBuiltinModule('worker_threads').parentPort.postMessage(${size});
`;
/** Keeps many new objects in use, and then starts the worker. Prints both sizes. */
const program = (before: string) => `
  import { Worker } from 'node:worker_threads';
  import { keepYoungSpaceSmall, letYoungSpaceGrow } from ${JSON.stringify(MODULE)};
  ${before}
  const kept = [];
  for (let turn = 0; turn < 100; turn += 1) {
    for (let count = 0; count < 20_000; count += 1) kept.push({ turn, count, pair: [turn, count] });
    await new Promise((resolve) => setImmediate(resolve));
  }
  const main = ${size};
  new Worker(${JSON.stringify(worker)}, { eval: true, resourceLimits: { maxYoungGenerationSizeMb: 48 } })
    .once('message', (worker) => console.log(JSON.stringify({ main, worker })));
`;

async function sizesOf(before: string): Promise<{ readonly main: number; readonly worker: number }> {
  const args = ['--input-type=module', '-e', program(before)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as { main: number; worker: number };
}

test('the main thread reserves 32 MiB for new objects at most, and a worker as much as it may', async () => {
  const [free, limited] = await Promise.all([
    sizesOf(''),
    sizesOf('keepYoungSpaceSmall(); letYoungSpaceGrow();'),
  ]);
  expect(free.main).toBeGreaterThan(32 * MIB);
  expect(limited.main).toBeGreaterThan(16 * MIB);
  expect(limited.main).toBeLessThanOrEqual(32 * MIB);
  // A third of its limit, twice: from the start, since it may be forbidden to grow.
  expect(limited.worker).toBe(32 * MIB);
});

test('the main thread reserves little for new objects until the service has started', async () => {
  const small = await sizesOf('keepYoungSpaceSmall();');
  expect(small.main).toBeLessThanOrEqual(2 * MIB);
  expect(small.worker).toBe(32 * MIB);
});
