/**
 * A strict parser of HTTP/1.1 responses.
 *
 * It takes bytes as they arrive and returns complete responses. Anything that a careful client could misread — a line
 * that ends in a bare LF, two lengths, a length beside a chunked coding, a bad chunk, a byte after the last response
 * — is an error here, so that wrong framing is detected rather than tolerated.
 */
export interface ParsedAnswer {
  readonly status: number;
  readonly reason: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** How its end was determined. */
  readonly framing: 'none' | 'length' | 'chunked' | 'close';
}

export class FramingError extends Error {
  override readonly name = 'FramingError';
}

const HEAD_BYTES_MAX = 64 * 1024;
const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) ([\t\x20-\x7e]*)$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e]*)$/;
const CHUNK_LINE = /^([0-9a-f]{1,8})$/i;
/** Headers that may come more than once. */
const REPEATABLE = new Set(['set-cookie', 'vary']);

type Head = Omit<ParsedAnswer, 'body'> & { readonly lengthBytes: number };

export class AnswerParser {
  #pending: Buffer = Buffer.alloc(0);
  /** The methods of pending requests, oldest first: responses to HEAD have no body. */
  readonly #methods: string[] = [];

  /** Call for each request that is sent. */
  expect(method: string): void {
    this.#methods.push(method);
  }

  /** @throws FramingError */
  push(bytes: Buffer): ParsedAnswer[] {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    const answers: ParsedAnswer[] = [];
    for (let answer = this.#next(false); answer !== null; answer = this.#next(false)) answers.push(answer);
    return answers;
  }

  /**
   * The connection has ended, which ends a response without a length.
   * @throws FramingError for an incomplete response.
   */
  finish(): ParsedAnswer[] {
    if (this.#pending.length === 0) return [];
    const answer = this.#next(true);
    if (answer === null) throw new FramingError('the connection ended within a response');
    return [answer];
  }

  #next(ended: boolean): ParsedAnswer | null {
    if (this.#pending.length === 0) return null;
    const method = this.#methods[0];
    if (method === undefined) throw new FramingError('more responses than requests');
    const headEnd = this.#pending.indexOf('\r\n\r\n');
    if (headEnd < 0) {
      if (this.#pending.length > HEAD_BYTES_MAX) throw new FramingError('a head without an end');
      const start = this.#pending.subarray(0, 5).toString('latin1');
      if (!'HTTP/'.startsWith(start)) throw new FramingError('a response that does not begin with HTTP/');
      return null;
    }
    const head = readHead(this.#pending.toString('latin1', 0, headEnd), method);
    const rest = this.#pending.subarray(headEnd + 4);
    const body = readBody(head, rest, ended);
    if (body === null) return null;
    this.#pending = rest.subarray(body.takenBytes);
    if (head.status >= 200) this.#methods.shift();
    const { status, reason, headers, framing } = head;
    return { status, reason, headers, framing, body: body.content };
  }
}

function readHead(text: string, method: string): Head {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const match = STATUS_LINE.exec(statusLine);
  if (!match) throw new FramingError(`a malformed status line: ${JSON.stringify(statusLine.slice(0, 100))}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? [];
    if (name === '') throw new FramingError(`a malformed header: ${JSON.stringify(line.slice(0, 100))}`);
    const key = name.toLowerCase();
    if (headers.has(key) && !REPEATABLE.has(key)) throw new FramingError(`two headers ${key}`);
    headers.set(key, headers.has(key) ? `${headers.get(key)}\n${value.trim()}` : value.trim());
  }
  const status = Number(match[1]);
  return { status, reason: match[2] ?? '', headers, ...framingOf(status, headers, method) };
}

function framingOf(
  status: number,
  headers: Head['headers'],
  method: string,
): Pick<Head, 'framing' | 'lengthBytes'> {
  const length = headers.get('content-length');
  const coding = headers.get('transfer-encoding');
  if (length !== undefined && !/^\d{1,15}$/.test(length))
    throw new FramingError(`a malformed length: ${length}`);
  if (length !== undefined && coding !== undefined)
    throw new FramingError('a length beside a transfer coding');
  if (status < 200 && (length !== undefined || coding !== undefined))
    throw new FramingError(`a ${status} with a body`);
  // The request was rejected before its method was parsed, and the connection closes, so the response may have a body.
  if (method === 'HEAD' && (status === 400 || status === 431) && headers.get('connection') === 'close') {
    return { framing: 'close', lengthBytes: 0 };
  }
  if (status < 200 || status === 204 || status === 304 || method === 'HEAD') {
    return { framing: 'none', lengthBytes: 0 };
  }
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked') throw new FramingError(`a transfer coding ${coding}`);
    return { framing: 'chunked', lengthBytes: 0 };
  }
  if (length !== undefined) return { framing: 'length', lengthBytes: Number(length) };
  return { framing: 'close', lengthBytes: 0 };
}

interface Body {
  readonly content: Buffer;
  readonly takenBytes: number;
}

/** Null while more bytes are needed. */
function readBody({ framing, lengthBytes }: Head, rest: Buffer, ended: boolean): Body | null {
  switch (framing) {
    case 'none':
      return { content: Buffer.alloc(0), takenBytes: 0 };
    case 'length':
      if (rest.length < lengthBytes) return null;
      return { content: rest.subarray(0, lengthBytes), takenBytes: lengthBytes };
    case 'chunked':
      return readChunks(rest);
    case 'close':
      return ended ? { content: rest, takenBytes: rest.length } : null;
  }
}

function readChunks(rest: Buffer): Body | null {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const match = CHUNK_LINE.exec(rest.toString('latin1', at, lineEnd));
    if (!match) throw new FramingError('a malformed chunk size');
    const sizeBytes = Number.parseInt(match[1] ?? '', 16);
    const begin = lineEnd + 2;
    if (rest.length < begin + sizeBytes + 2) return null;
    if (rest.toString('latin1', begin + sizeBytes, begin + sizeBytes + 2) !== '\r\n') {
      throw new FramingError('a chunk whose length differs from its declared size, or a trailer');
    }
    at = begin + sizeBytes + 2;
    if (sizeBytes === 0) return { content: Buffer.concat(parts), takenBytes: at };
    parts.push(rest.subarray(begin, begin + sizeBytes));
  }
}
