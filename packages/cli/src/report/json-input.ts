/** JSON from a file or standard input. Its size is bounded, and a rejection repeats none of it. */
import type { Readable } from 'node:stream';
import type { Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import { givenStream } from '../files/given-file.ts';
import { reasonOf } from '../files/reason.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { decodeUtf8 } from '../utf8.ts';

export type JsonInput =
  | { readonly isJson: true; readonly value: unknown; readonly bytes: Uint8Array }
  /** `reason` continues after "is": `not JSON`. */
  | { readonly isJson: false; readonly reason: string };

export interface JsonSource {
  /** A path; `-` for standard input. */
  readonly file: string;
  readonly sizeBytesMax: number;
}

export type InputSource = Pick<Invocation, 'input' | 'signal'>;

/** @throws CliError when standard input is a terminal, the source cannot be read, or the command is interrupted. */
export async function readJson(
  { file, sizeBytesMax }: JsonSource,
  { input, signal }: InputSource,
): Promise<JsonInput> {
  if (file === '-' && input.isTTY) {
    throw new CliError('usage', 'Standard input is a terminal.', {
      hint: 'Name a file, or pipe the JSON into svc.',
    });
  }
  const stream = file === '-' ? input : await givenStream(file, signal);
  const bytes = await bounded(stream, sizeBytesMax, file, signal);
  if (bytes === undefined) return { isJson: false, reason: `larger than ${sizeBytesMax / 1024} KiB` };
  return parsed(bytes);
}

/** Undefined when there is more than the limit; the rest is then not read. */
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
    const shown = file === '-' ? 'Standard input' : safeLine(file);
    throw new CliError('failed', `${shown} cannot be read: ${reasonOf(error)}.`, { cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return Buffer.concat(chunks);
}

async function parsed(bytes: Uint8Array): Promise<JsonInput> {
  const [first, second, third] = bytes;
  const no = (reason: string): JsonInput => ({ isJson: false, reason });
  if (first === undefined) return no('empty');
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return no('in UTF-8 with a byte order mark; save it without one');
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16 || first === 0 || second === 0) return no('in UTF-16 or UTF-32; save it as UTF-8');
  let text: string;
  try {
    text = decodeUtf8(bytes);
  } catch {
    return no('not in UTF-8');
  }
  try {
    return { isJson: true, value: JSON.parse(text) as unknown, bytes };
  } catch {
    // The engine's message quotes the text, which may contain a secret.
    const { jsonFault } = await import('@svc/report/making/json-fault');
    const fault = jsonFault(text);
    return no(fault === undefined ? 'not JSON' : `not JSON (${fault})`);
  }
}
