/**
 * The floor of uploads: reads, hashes and parses a body, checks it with the compiled schema and stores it durably.
 *
 * Arguments: the folder, and the mode. `alone` does everything in one thread; `workers` passes each body to one of
 * two threads, which also store it.
 */
import { Worker } from 'node:worker_threads';
import { checkReport } from './report-check.ts';
import { writeDurably } from './durable-write.ts';
import { answerJson, readWhole, serve } from './serve.ts';

const WORKERS = 2;

const [folder = '', form = 'alone'] = process.argv.slice(2);
let received = 0;

const keep = form === 'workers' ? inWorkers() : keepAlone;

serve(async (request, response) => {
  const bytes = await readWhole(request);
  const size = bytes.length;
  received += 1;
  const sha256 = await keep(bytes, `report-${received}`);
  if (sha256 === null) answerJson(response, 422, {});
  else answerJson(response, 200, { received: true, bytes: size, sha256 });
});

async function keepAlone(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<string | null> {
  const sha256 = checkReport(bytes);
  if (sha256 !== null) await writeDurably(folder, name, bytes);
  return sha256;
}

function inWorkers(): typeof keepAlone {
  const file = new URL('uploads-worker.ts', import.meta.url);
  const workers = Array.from({ length: WORKERS }, () => new Worker(file, { workerData: { folder } }));
  const answers = new Map<string, (sha256: string | null) => void>();
  for (const worker of workers) {
    worker.on('message', ({ name, sha256 }: { name: string; sha256: string | null }) => {
      answers.get(name)?.(sha256);
      answers.delete(name);
    });
  }
  let turn = 0;
  return (bytes, name) =>
    new Promise((resolve) => {
      answers.set(name, resolve);
      turn = (turn + 1) % workers.length;
      workers[turn]?.postMessage({ bytes, name }, [bytes.buffer]);
    });
}
