/**
 * The floor: Node's own HTTP server that answers each GET with the same finished bytes, and does nothing else. What the
 * service costs is told beside it. It ends with the process that started it.
 */
import { createServer } from 'node:http';

const body = Buffer.from('{"status":"ok","version":"0.1.0"}');

const server = createServer((_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
process.once('disconnect', () => process.exit(0));
