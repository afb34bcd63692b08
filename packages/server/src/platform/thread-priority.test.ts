import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

const file = new URL('../../test/workers/background-worker.ts', import.meta.url);

test('[T28] a background worker runs at a lower priority on systems with thread priorities, and works on others', async () => {
  const before = getPriority();
  const worker = new Worker(file, { execArgv: [] });
  const [niceness] = (await once(worker, 'message')) as [number | null];
  await worker.terminate();
  expect(niceness).toBe(process.platform === 'linux' ? 5 : null);
  expect(getPriority()).toBe(before);
});
