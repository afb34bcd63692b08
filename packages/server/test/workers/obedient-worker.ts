/** A worker for the pool's tests, which does what its task says. */
import { parentPort, threadId } from 'node:worker_threads';

parentPort?.on('message', ({ what, value }: { what: string; value?: unknown }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const answer = () => parentPort?.postMessage({ value, threadId });
  if (what === 'echo') answer();
  if (what === 'wait') setTimeout(answer, Number(value));
  if (what === 'throw') throw new Error('thrown on purpose');
  if (what === 'exit') process.exit(1);
  if (what === 'loop') for (;;);
  if (what === 'hoard') for (const kept: unknown[] = []; ;) kept.push(Array.from({ length: 1e5 }, String));
});
