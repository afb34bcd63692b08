/** The worker that renders large reports, one after the other. */
import { parentPort } from 'node:worker_threads';
import { freeBytes } from '#platform/memory';
import { render, type RenderingTask } from './rendering.ts';

parentPort?.on('message', (task: RenderingTask) => {
  void render(task).then((rendering) => {
    freeBytes(task.bytes);
    parentPort?.postMessage(rendering, [rendering.bytes.buffer as ArrayBuffer]);
  });
});
