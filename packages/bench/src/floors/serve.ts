/** Shared by the floors: Node's HTTP server without any layer above it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Sends its port to the parent, and exits with the parent. */
export function serve(answer: (request: IncomingMessage, response: ServerResponse) => unknown): void {
  const server = createServer((request, response) => void answer(request, response));
  // No timeouts for streams and slow rounds.
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
  });
  process.once('disconnect', () => process.exit(0));
}

/** Reads the whole body into one buffer. Trusts the declared length, which no real service may. */
export function readWhole(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const bytes = new Uint8Array(Number(request.headers['content-length'] ?? 0));
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      bytes.set(chunk, size);
      size += chunk.length;
    });
    request.once('end', () => resolve(bytes));
    request.once('error', reject);
  });
}

export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}
