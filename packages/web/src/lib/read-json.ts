/** Reads an answer as JSON and lets the page breathe meanwhile: a large report is no reason to miss a key or a frame. */
import { JsonSlices } from './json-slices.ts';

/** Half of a frame at most; what is longer is seen. */
const WORK_MS = 6;
/** So that a piece is done within that time. */
const PIECE_LENGTH = 32_768;

/** @throws SyntaxError when it is no JSON, and whatever reading throws. */
export async function readJson({ body }: Response): Promise<unknown> {
  const slices = new JsonSlices();
  if (!body) return slices.end();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let since = performance.now();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (let at = 0; at < part.value.length; at += PIECE_LENGTH) {
      slices.add(part.value.slice(at, at + PIECE_LENGTH));
      if (performance.now() - since > WORK_MS) {
        await otherWork();
        since = performance.now();
      }
    }
  }
  return slices.end();
}

/** Resolves once whatever else waits has had its turn. */
function otherWork(): Promise<void> {
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
