/**
 * Downloads an untrusted file: its length, speed, encoding and redirects are all checked. Everything is held in memory
 * within limits; exceeding a limit ends the connection immediately.
 */
import { CliError } from '../errors.ts';
import { version } from '../version.ts';

export interface Bounds {
  readonly bytesMax: number;
  readonly totalMs: number;
  /** For how long nothing may arrive, before the response or between two of its parts. */
  readonly silenceMs: number;
  readonly redirectsMax: number;
}

export type TransferProblem = 'unreachable' | 'slow' | 'encoded' | 'tooLarge' | 'redirected' | 'address';

/** The message ends a sentence about what was downloaded, after a colon. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  readonly problem: TransferProblem;
  constructor(problem: TransferProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
  }
}

export interface Wanted {
  readonly url: URL;
  readonly bounds: Bounds;
  readonly signal: AbortSignal;
  /** The allowed address of a redirect; undefined when it is not allowed. */
  readonly addressOf?: (location: string, from: URL) => URL | undefined;
  /** Called with the number of bytes received. */
  readonly onBytes?: (count: number) => void;
}

/** `bytes` is null for an unsuccessful response. */
export interface Transferred {
  readonly status: number;
  readonly bytes: Uint8Array | null;
}

/** @throws TransferError, or CliError when it was interrupted. */
export async function transfer(wanted: Wanted): Promise<Transferred> {
  const { bounds, signal } = wanted;
  const patience = createPatience(bounds);
  try {
    const response = await answerTo(wanted, AbortSignal.any([signal, patience.signal]), patience.heard);
    if (response.status !== 200) {
      await response.body?.cancel();
      return { status: response.status, bytes: null };
    }
    return { status: 200, bytes: await bodyOf(response, wanted, patience.heard) };
  } catch (error) {
    if (signal.aborted) throw new CliError('interrupted', 'Interrupted.', { cause: error });
    if (error instanceof TransferError) throw error;
    if (patience.signal.aborted) throw new TransferError('slow', 'the download timed out', error);
    throw new TransferError('unreachable', `it cannot be fetched${wordOf(error)}`, error);
  } finally {
    patience.end();
  }
}

async function answerTo(wanted: Wanted, signal: AbortSignal, heard: () => void): Promise<Response> {
  let { url } = wanted;
  const headers = { 'accept-encoding': 'identity', 'user-agent': `svc/${version}` };
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(url, { redirect: 'manual', headers, signal });
    heard();
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    if (redirects >= wanted.bounds.redirectsMax) {
      throw new TransferError('redirected', 'too many redirects');
    }
    const next = wanted.addressOf?.(location, url);
    if (!next) throw new TransferError('address', 'it redirects to a disallowed address');
    url = next;
  }
}

async function bodyOf(response: Response, { bounds, onBytes }: Wanted, heard: () => void) {
  const { headers, body } = response;
  const tooLarge = () => new TransferError('tooLarge', `it is larger than ${bounds.bytesMax} bytes`);
  const coding = headers.get('content-encoding') ?? 'identity';
  try {
    // It was requested uncompressed. A compressed body could expand to any length.
    if (coding !== 'identity')
      throw new TransferError('encoded', 'it is compressed, although no compression was requested');
    if (Number(headers.get('content-length')) > bounds.bytesMax) throw tooLarge();
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      heard();
      length += chunk.length;
      if (length > bounds.bytesMax) throw tooLarge();
      chunks.push(chunk);
      onBytes?.(length);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (body && !body.locked) await body.cancel();
    throw error;
  }
}

/** The signal is aborted when the whole download takes too long, or when nothing arrives for a while. */
function createPatience({ totalMs, silenceMs }: Bounds) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const total = setTimeout(abort, totalMs);
  const silence = setTimeout(abort, silenceMs);
  return {
    signal: controller.signal,
    heard: () => void silence.refresh(),
    end() {
      clearTimeout(total);
      clearTimeout(silence);
    },
  };
}

/** The system's error code in parentheses, such as ` (ECONNREFUSED)`; empty without a code. */
function wordOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === 'string') return ` (${code})`;
  }
  return '';
}
