/** The worker for large bodies: one task after the other. What it sends back is handed over, not copied. */
import { parentPort } from 'node:worker_threads';
import { freeBytes } from '#platform/memory';
import { systemRandom } from '#platform/random';
import { checkAndSeal, type BodyTask } from './body-work.ts';

parentPort?.on('message', (task: BodyTask) => {
  const result = checkAndSeal(task, systemRandom);
  freeBytes(task.bytes);
  // Only what fills its memory alone can be handed over.
  const whole = (result.ok ? result.sealed : [])
    .map(({ buffer, byteLength }) => ({ buffer: buffer as ArrayBuffer, byteLength }))
    .filter(({ buffer, byteLength }) => buffer.byteLength === byteLength);
  parentPort?.postMessage(
    result,
    whole.map(({ buffer }) => buffer),
  );
});
