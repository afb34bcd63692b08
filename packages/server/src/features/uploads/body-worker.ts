/** The worker that checks large bodies, one after the other. */
import { parentPort } from 'node:worker_threads';
import { freeBytes } from '#platform/free-bytes';
import { checkBody, type BodyToCheck } from './body-check.ts';

parentPort?.on('message', (body: BodyToCheck) => {
  const outcome = checkBody(body);
  freeBytes(body.bytes);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(outcome);
});
