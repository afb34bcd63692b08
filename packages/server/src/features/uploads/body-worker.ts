/** The worker that checks and seals large bodies, one after the other. */
import { parentPort } from 'node:worker_threads';
import { freeBytes } from '#platform/free-bytes';
import { checkBody, type BodyToCheck } from './body-check.ts';

parentPort?.on('message', (body: BodyToCheck) => {
  const outcome = checkBody(body);
  if (!outcome.ok) freeBytes(body.bytes);
  parentPort?.postMessage(outcome, outcome.ok ? [body.bytes.buffer] : []);
});
