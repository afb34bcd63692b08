/** JSON that somebody hands in, from a file or standard input: bounded, and refused with a reason that repeats none of it. */
import type { Readable } from 'node:stream';
import type { Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import { givenStream } from '../files/given-file.ts';

export type JsonInput =
  | { readonly isJson: true; readonly value: unknown; readonly bytes: Uint8Array }
  /** `reason` reads on from "is": `not JSON`. */
  | { readonly isJson: false; readonly reason: string };

export interface JsonSource {
  /** A path; `-` for standard input. */
  readonly file: string;
  readonly sizeBytesMax: number;
}

export type Given = Pick<Invocation, 'input' | 'signal'>;

/** @throws CliError when there is nothing to read from. */
export async function readJson(
  { file, sizeBytesMax }: JsonSource,
  { input, signal }: Given,
): Promise<JsonInput> {
  if (file === '-' && input.isTTY) {
    throw new CliError('usage', 'Standard input is a terminal: there is nothing to read.', {
      hint: 'Name a file, or pipe the JSON in.',
    });
  }
  const stream = file === '-' ? input : await givenStream(file, signal);
  const bytes = await bounded(stream, sizeBytesMax, file, signal);
  if (bytes === undefined) return { isJson: false, reason: `larger than ${sizeBytesMax / 1024} KiB` };
  return parsed(bytes);
}

/** Undefined when there is more than the bound; the rest is then not read. */
async function bounded(
  stream: Readable,
  sizeBytesMax: number,
  file: string,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  const stop = () => stream.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      sizeBytes += chunk.length;
      if (sizeBytes > sizeBytesMax) return undefined;
      chunks.push(chunk);
    }
  } catch (error) {
    if (signal.aborted) throw new CliError('interrupted', 'Interrupted.', { cause: error });
    throw new CliError('failed', `${file === '-' ? 'Standard input' : file} can not be read.`, {
      hint: hintOf(error as NodeJS.ErrnoException),
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return Buffer.concat(chunks);
}

function hintOf({ code }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'There is no such file.';
  if (code === 'EISDIR') return 'It is a folder.';
  return `The system says ${code ?? 'nothing more'}.`;
}

function parsed(bytes: Uint8Array): JsonInput {
  const [first, second, third] = bytes;
  const no = (reason: string): JsonInput => ({ isJson: false, reason });
  if (first === undefined) return no('empty');
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return no('marked with a byte order mark; save it without');
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16 || first === 0 || second === 0) return no('in UTF-16 or UTF-32; save it as UTF-8');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return no('not in UTF-8');
  }
  try {
    return { isJson: true, value: JSON.parse(text) as unknown, bytes };
  } catch (error) {
    // The engine's message quotes the text, which can be anything; only the place is taken from it.
    const place = /\(line [0-9]+ column [0-9]+\)/.exec((error as Error).message)?.[0] ?? '';
    return no(`not JSON ${place}`.trimEnd());
  }
}
