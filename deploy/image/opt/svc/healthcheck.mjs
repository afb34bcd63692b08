// Ends with 0 if the service in this container answers. It connects from inside, so it needs no name and no credential.
import { get } from 'node:http';

const port = process.env.PORT ?? '8787';
get({ host: '127.0.0.1', port, path: '/api/v1/health', timeout: 4000 }, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1);
})
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1));
