/** A request as parts that can be changed one by one, and its bytes. The framing itself is always valid here. */
export interface RequestParts {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | null;
  /** The body is sent in chunks of this size. When absent, its length is declared. */
  readonly chunkBytes?: number;
}

export type Header = readonly [name: string, value: string];

export const HOST: Header = ['Host', 'svc.test'];
export const ORIGIN: Header = ['Origin', 'http://svc.test'];
export const JSON_TYPE: Header = ['Content-Type', 'application/json'];

export function bytesOf({ method, target, headers, body, chunkBytes }: RequestParts): Buffer {
  const framing: Header[] = [];
  if (body && chunkBytes !== undefined) framing.push(['Transfer-Encoding', 'chunked']);
  else if (body) framing.push(['Content-Length', String(body.length)]);
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  if (!body) return head;
  return Buffer.concat(chunkBytes === undefined ? [head, body] : [head, ...chunksOf(body, chunkBytes)]);
}

function chunksOf(body: Buffer, chunkBytes: number): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += chunkBytes) {
    const chunk = body.subarray(at, at + chunkBytes);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return [...parts, Buffer.from('0\r\n\r\n')];
}
