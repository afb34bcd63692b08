/** The floor of small requests: every response has the same prepared bytes. */
import { serve } from './serve.ts';

const body = Buffer.from('{"status":"ok","version":"0.1.0"}');

serve((_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
});
