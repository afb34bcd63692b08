/**
 * A worker that renders reports one after the other. The worker for large exports runs at a lower priority than the
 * rest of the service.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { freeBytes } from '#platform/free-bytes';
import { lowerThreadPriority } from '#platform/thread-priority';
import { TooManyBytes } from './bytes-of-parts.ts';
import { render, type RenderingTask, type TimedRendering } from './rendering.ts';

export interface RenderingWorkerData {
  readonly isBackground: boolean;
}

/** A rendering, or null when it would have more bytes than its task allows. */
export type RenderingOutcome = TimedRendering | null;

if ((workerData as RenderingWorkerData).isBackground) lowerThreadPriority();

parentPort?.on('message', (task: RenderingTask) => {
  void outcomeOf(task).then((outcome) => {
    freeBytes(task.bytes);
    parentPort?.postMessage(outcome, outcome ? [outcome.bytes.buffer as ArrayBuffer] : []);
  });
});

async function outcomeOf(task: RenderingTask): Promise<RenderingOutcome> {
  try {
    return await render(task);
  } catch (error) {
    if (error instanceof TooManyBytes) return null;
    throw error;
  }
}
