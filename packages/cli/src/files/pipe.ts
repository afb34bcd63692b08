/**
 * A pipe with a name, such as `<(…)` of a shell. It is read as a socket is, so that neither a writer that is late nor one that
 * never comes keeps the process from ending; a file's stream would wait for both in a thread that nothing interrupts.
 */
import { closeSync, constants, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';

/** Null when the path leads to anything else, or nowhere. */
export async function pipeAt(file: string): Promise<Socket | null> {
  const found = await stat(file).catch(() => null);
  if (found?.isFIFO() !== true) return null;
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return new Socket({ fd: descriptor, readable: true, writable: false });
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
