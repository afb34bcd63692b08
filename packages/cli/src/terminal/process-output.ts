/**
 * A stream of the process that costs nothing until it is needed. What goes to a file or a pipe is written at once; Node's
 * own stream is made for a terminal, and for a pipe whose reader is slower than we are.
 *
 * A reader that has gone, as in `svc … | head`, is no failure: the rest is not written, and the command goes on to its
 * own exit code; nor is a terminal that was closed. Anything else that keeps words from being written, such as a full disk,
 * stops no work that is under way either, and is told to whoever asks whether all has been written.
 */
import type { Output } from './output.ts';

const { fstatSync, statSync, writeSync } = process.getBuiltinModule('node:fs');

export interface ProcessOutput extends Output {
  /** When everything has left the process. Rejects with the system's error when something could not. */
  flushed(): Promise<void>;
}

export function createOutput(descriptor: 1 | 2, open: () => NodeJS.WriteStream): ProcessOutput {
  let stream: NodeJS.WriteStream | undefined;
  let isClosed = false;
  let failure: Error | undefined;
  let mayBeTerminal: boolean | undefined;

  const close = (error: NodeJS.ErrnoException, harmless: readonly string[]) => {
    if (!isClosed && !harmless.includes(error.code ?? '')) failure = error;
    isClosed = true;
  };

  const opened = () => {
    if (!stream) {
      stream = open();
      stream.on('error', (error: NodeJS.ErrnoException) => close(error, ['EPIPE', 'EIO']));
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
      try {
        const left = writtenAtOnce(descriptor, text);
        if (left.length > 0) opened().write(left);
      } catch (error) {
        close(error as NodeJS.ErrnoException, ['EPIPE']);
      }
    },
    async flushed() {
      if (stream && !isClosed) await emptied(stream);
      if (failure) throw failure;
    },
  };
}

/** Asked of devices alone, and not of the one that swallows everything: what knows the answer takes a while to load. */
function couldBeTerminal(descriptor: number): boolean {
  if (process.platform === 'win32') return true;
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isCharacterDevice() || stat.rdev === statSync('/dev/null').rdev) return false;
    return process.getBuiltinModule('node:tty').isatty(descriptor);
  } catch {
    return true;
  }
}

/** Its error, if there is one, has been told to its listeners by then. */
function emptied(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const done = () => setImmediate(resolve);
    if (stream.destroyed || stream.writableLength === 0) done();
    else stream.write('', done);
  });
}

/** @returns what a full pipe did not take. @throws the system's error. */
function writtenAtOnce(descriptor: number, text: string): Uint8Array {
  let left: Uint8Array = Buffer.from(text);
  try {
    while (left.length > 0) left = left.subarray(writeSync(descriptor, left));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
  return left;
}
