import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

const WORKERS = 4;
const PORTS = 5;
const asking = `
  import { parentPort } from 'node:worker_threads';
  import { freePort } from ${JSON.stringify(new URL('free-port.ts', import.meta.url).href)};
  const ports = [];
  for (let count = 0; count < ${PORTS}; count += 1) ports.push(await freePort());
  parentPort.postMessage(ports);
  // Stays until it is ended, as a test does that uses its services.
  setInterval(() => {}, 1000);
`;

test('workers that ask at the same time get different ports', async () => {
  const module = new URL(`data:text/javascript,${encodeURIComponent(asking)}`);
  const workers = Array.from({ length: WORKERS }, () => new Worker(module));
  try {
    const asked = workers.map(
      (worker) =>
        new Promise<number[]>(
          (resolve, reject) => void worker.once('message', resolve).once('error', reject),
        ),
    );
    const ports = (await Promise.all(asked)).flat();
    expect(ports).toHaveLength(WORKERS * PORTS);
    expect(new Set(ports).size).toBe(WORKERS * PORTS);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
});
