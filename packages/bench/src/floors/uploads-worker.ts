/** A thread of the floor of uploads (uploads.ts). */
import { parentPort, workerData } from 'node:worker_threads';
import { checkReport } from './report-check.ts';
import { writeDurablySync } from './durable-write.ts';

const { folder } = workerData as { folder: string };

parentPort?.on('message', ({ bytes, name }: { bytes: Uint8Array<ArrayBuffer>; name: string }) => {
  const sha256 = checkReport(bytes);
  if (sha256 !== null) writeDurablySync(folder, name, bytes);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ name, sha256 });
});
