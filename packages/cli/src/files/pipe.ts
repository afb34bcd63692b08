/**
 * A named pipe, such as `<(…)` of a shell. It is read like a socket, so that neither a late writer nor a missing one keeps
 * the process from ending. A file stream would wait for both in a thread that cannot be interrupted.
 */
import { closeSync, constants, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';

/** Null when no pipe is at the path. */
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
