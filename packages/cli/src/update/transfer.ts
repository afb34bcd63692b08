/**
 * Fetches a file of which nothing is believed: its length, its pace, its coding, where it is sent on to. Everything is held
 * in memory and bounded; what goes too far ends the connection at once.
 */
import { CliError } from '../errors.ts';
import { version } from '../version.ts';

export interface Bounds {
  readonly bytesMax: number;
  readonly totalMs: number;
  /** Between any two parts of the answer. */
  readonly silenceMs: number;
  readonly redirectsMax: number;
}

export type TransferProblem = 'unreachable' | 'slow' | 'encoded' | 'tooLarge' | 'redirected' | 'address';

/** Its message reads on after the name of what was fetched. */
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
  /** Where a redirect may lead; undefined when it may not. */
  readonly addressOf?: (location: string, from: URL) => URL | undefined;
  /** Told how much has come. */
  readonly onBytes?: (count: number) => void;
}

/** `bytes` is null for an answer that is no success. */
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
    if (patience.signal.aborted) throw new TransferError('slow', 'it did not come in time', error);
    throw new TransferError('unreachable', `it can not be fetched${wordOf(error)}`, error);
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
      throw new TransferError('redirected', 'it is always said to be somewhere else');
    }
    const next = wanted.addressOf?.(location, url);
    if (!next) throw new TransferError('address', 'it is said to be where nothing is fetched from');
    url = next;
  }
}

async function bodyOf(response: Response, { bounds, onBytes }: Wanted, heard: () => void) {
  const { headers, body } = response;
  const tooLarge = () => new TransferError('tooLarge', `it is larger than ${bounds.bytesMax} bytes`);
  const coding = headers.get('content-encoding') ?? 'identity';
  try {
    // It was asked for as it is; what would be unpacked here has no length that anyone could hold it to.
    if (coding !== 'identity')
      throw new TransferError('encoded', 'it comes compressed, though it was asked for as it is');
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

/** Aborted when the whole takes too long, or when nothing is heard for a while. */
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

/** The system's word for it, such as ECONNREFUSED. */
function wordOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === 'string') return ` (${code})`;
  }
  return '';
}
