import { afterEach, expect, test, vi } from 'vitest';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

interface Task {
  readonly what: 'echo' | 'wait' | 'throw' | 'exit' | 'loop' | 'hoard';
  readonly value?: unknown;
}
interface Result {
  readonly value: unknown;
  readonly threadId: number;
}

const file = new URL('../../test/workers/obedient-worker.ts', import.meta.url);
let pool: WorkerPool<Task, Result>;

function open(timeLimitMs = 20_000): void {
  pool = createWorkerPool({
    name: 'tests',
    file,
    workers: 2,
    timeLimitMs,
    idleLimitMs: 60_000,
    heapMibMax: 24,
  });
}
afterEach(async () => {
  vi.useRealTimers();
  await pool.close();
});

const echo = (value: unknown) => pool.run({ what: 'echo', value }, []);
const unavailable = { code: 'INTERNAL', status: 503, retryAfterMs: 5000 };

test('any number of tasks is done by two workers, which stay', async () => {
  open();
  const results = await Promise.all(Array.from({ length: 20 }, (_, value) => echo(value)));
  expect(results.map(({ value }) => value)).toEqual(Array.from({ length: 20 }, (_, value) => value));
  const threads = new Set(results.map(({ threadId }) => threadId));
  expect(threads.size).toBe(2);
  expect(threads).toContain((await echo(0)).threadId);
});

test('an idle worker is ended after some time, and a new task starts another', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  open();
  const { threadId } = await echo(1);
  vi.advanceTimersByTime(59_999);
  expect(await echo(2)).toMatchObject({ threadId });
  vi.advanceTimersByTime(59_999);
  expect(await echo(3)).toMatchObject({ threadId });
  vi.advanceTimersByTime(60_000);
  expect((await echo(4)).threadId).not.toBe(threadId);
});

test('a transferred buffer is detached here, and available in the worker', async () => {
  open();
  const bytes = new Uint8Array(1000).fill(7);
  const { value } = await pool.run({ what: 'echo', value: bytes }, [bytes.buffer]);
  expect(bytes).toHaveLength(0);
  expect(value).toEqual(new Uint8Array(1000).fill(7));
});

test.each(['throw', 'exit', 'hoard'] as const)(
  '[T11] a task that makes its worker %s fails alone, and the worker is replaced',
  async (what) => {
    open();
    const tasks = [echo(1), pool.run({ what }, []), pool.run({ what }, []), echo(2), echo(3)];
    const [first, failed, failedToo, ...others] = await Promise.allSettled(tasks);
    expect([failed, failedToo]).toMatchObject([{ reason: unavailable }, { reason: unavailable }]);
    expect([first, ...others]).toMatchObject([
      { value: { value: 1 } },
      { value: { value: 2 } },
      { value: { value: 3 } },
    ]);
  },
);

test('[T11] tasks that take too long fail, and a new pool works after them', async () => {
  open(200);
  const loops = [pool.run({ what: 'loop' }, []), pool.run({ what: 'loop' }, [])];
  const failed = await Promise.allSettled(loops);
  expect(failed).toMatchObject([{ reason: unavailable }, { reason: unavailable }]);
  await pool.close();
  open();
  expect(await echo(1)).toMatchObject({ value: 1 });
});

test('[T11] a task whose worker only waits may take up to ten times its time limit', async () => {
  open(300);
  expect(await pool.run({ what: 'wait', value: 700 }, [])).toMatchObject({ value: 700 });
  await pool.close();
  open(100);
  await expect(pool.run({ what: 'wait', value: 1_000_000 }, [])).rejects.toMatchObject(unavailable);
});

test('closing fails waiting tasks and those under way', async () => {
  open();
  const tasks = [1, 2, 3].map(() => pool.run({ what: 'loop' }, []));
  const outcomes = Promise.allSettled(tasks);
  await pool.close();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(echo(1)).rejects.toThrow('ended');
});
