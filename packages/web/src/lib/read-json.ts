/** Reads a response as JSON without blocking the main thread, so a large report does not drop keystrokes or frames. */
import { JsonSlices } from './json-slices.ts';

/** At most half of a frame; longer tasks are noticeable. */
const WORK_MS = 6;
/** Small enough to be parsed within that time. */
const PIECE_LENGTH = 32_768;

/** @throws SyntaxError if it is not JSON, and any error of reading the body. */
export async function readJson({ body }: Response): Promise<unknown> {
  const slices = new JsonSlices();
  if (!body) return slices.end();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let since = performance.now();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (let at = 0; at < part.value.length; at += PIECE_LENGTH) {
      slices.add(part.value.slice(at, at + PIECE_LENGTH));
      if (performance.now() - since > WORK_MS) {
        await yieldToTasks();
        since = performance.now();
      }
    }
  }
  return slices.end();
}

/** Yields to other tasks of the main thread. */
function yieldToTasks(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
