/**
 * A stream of the process that costs nothing until it is needed. Output to a file or a pipe is written immediately; Node's
 * own stream is created for a terminal, and for a pipe with a slow reader.
 *
 * A reader that has gone, as in `svc … | head`, is not a failure, and neither is a closed terminal: the rest is not written,
 * and the command continues to its own exit code. Any other failure, such as a full disk, does not stop work under way
 * either, and is reported by `flushed`.
 */
import type { Output } from './output.ts';

const { fstatSync, statSync, writeSync } = process.getBuiltinModule('node:fs');

export interface ProcessOutput extends Output {
  /** Resolves when everything has left the process. Rejects with the system's error when that failed. */
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

/** Checked for devices only, except the null device, because loading the check takes a while. */
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

/** Resolves once everything is written, and after the stream's error, if any, reached its listeners. */
function emptied(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const done = () => setImmediate(resolve);
    if (stream.destroyed || stream.writableLength === 0) done();
    else stream.write('', done);
  });
}

/**
 * @returns what a full pipe did not accept.
 * @throws the system's error.
 */
function writtenAtOnce(descriptor: number, text: string): Uint8Array {
  let left: Uint8Array = Buffer.from(text);
  try {
    while (left.length > 0) left = left.subarray(writeSync(descriptor, left));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
  return left;
}
