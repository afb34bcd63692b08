/**
 * The worker that checks and seals large bodies, one after the other. Its priority is lower than that of the rest of the
 * service, which answers everyone else meanwhile.
 */
import { parentPort } from 'node:worker_threads';
import { freeBytes } from '#platform/free-bytes';
import { lowerThreadPriority } from '#platform/thread-priority';
import { checkBody, type BodyToCheck } from './body-check.ts';

lowerThreadPriority();

parentPort?.on('message', (body: BodyToCheck) => {
  const outcome = checkBody(body);
  if (!outcome.ok) freeBytes(body.bytes);
  parentPort?.postMessage(outcome, outcome.ok ? [body.bytes.buffer] : []);
});
