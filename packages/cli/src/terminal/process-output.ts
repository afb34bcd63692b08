/**
 * A stream of the process that costs nothing until it is needed. What goes to a file or a pipe is written at once; Node's
 * own stream is made for a terminal, and for a pipe whose reader is slower than we are.
 *
 * A reader that has gone, as in `svc … | head`, is no failure: the rest is not written, and the command goes on to its
 * own exit code; nor is a terminal that was closed.
 */
import type { Output } from './output.ts';

const { fstatSync, statSync, writeSync } = process.getBuiltinModule('node:fs');

export interface ProcessOutput extends Output {
  /** When everything has left the process. */
  flushed(): Promise<void>;
}

export function createOutput(descriptor: 1 | 2, open: () => NodeJS.WriteStream): ProcessOutput {
  let stream: NodeJS.WriteStream | undefined;
  let isClosed = false;
  let mayBeTerminal: boolean | undefined;

  const opened = () => {
    if (!stream) {
      stream = open();
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
        isClosed = true;
      });
    }
    return stream;
  };
  const terminal = () => {
    mayBeTerminal ??= couldBeTerminal(descriptor);
    return mayBeTerminal ? opened() : null;
  };

  return {
    get isTTY() {
      return terminal()?.isTTY === true;
    },
    get columns() {
      return terminal()?.columns ?? 80;
    },
    write(text) {
      if (isClosed) return;
      const target = terminal() ?? stream;
      if (target) {
        target.write(text);
        return;
      }
      const left = writtenAtOnce(descriptor, text);
      if (left === null) isClosed = true;
      else if (left.length > 0) opened().write(left);
    },
    flushed: () =>
      new Promise((resolve) => {
        if (!stream || isClosed || stream.destroyed || stream.writableLength === 0) resolve();
        else stream.write('', () => resolve());
      }),
  };
}

/** A device that is not the one that swallows everything. */
function couldBeTerminal(descriptor: number): boolean {
  if (process.platform === 'win32') return true;
  try {
    const stat = fstatSync(descriptor);
    return stat.isCharacterDevice() && stat.rdev !== statSync('/dev/null').rdev;
  } catch {
    return true;
  }
}

/** @returns what a full pipe did not take; null when nobody reads any more. */
function writtenAtOnce(descriptor: number, text: string): Uint8Array | null {
  let left: Uint8Array = Buffer.from(text);
  try {
    while (left.length > 0) left = left.subarray(writeSync(descriptor, left));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE') return null;
    if (code !== 'EAGAIN') throw error;
  }
  return left;
}
