/** What the floors have in common: Node's own HTTP server, and nothing between it and the work. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Tells the parent its port, and ends with the process that started it. */
export function serve(answer: (request: IncomingMessage, response: ServerResponse) => unknown): void {
  const server = createServer((request, response) => void answer(request, response));
  // Streams and slow rounds are not cut short.
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
  });
  process.once('disconnect', () => process.exit(0));
}

/** The whole body, in a buffer of its own. The length that is claimed is believed, as no real service may. */
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
