/** Saves responses of the service, for a bare server that returns the same bytes and headers. */
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import path from 'node:path';
import { startFloorProcess, type FloorProcess } from './floor-process.ts';
import type { SentRequest } from './sender.ts';

export interface SavedAnswer {
  /** All headers except those that Node's server sets automatically. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyFile: string;
}

const SET_BY_NODE = new Set(['date', 'connection', 'keep-alive']);

/**
 * Starts a bare server that answers as the service does now: `/0` like the first of the requests, and so on.
 * @throws when a response is not 200.
 */
export async function startFloorOf(
  service: { readonly url: string },
  requests: readonly SentRequest[],
  folder: string,
): Promise<FloorProcess> {
  const saved: SavedAnswer[] = [];
  for (const [index, request] of requests.entries()) {
    const bodyFile = path.join(folder, `answer-${index}`);
    const { headers, body } = await whole(service.url, request);
    await writeFile(bodyFile, body);
    saved.push({ headers, bodyFile });
  }
  const listFile = path.join(folder, 'answers.json');
  await writeFile(listFile, JSON.stringify(saved));
  return startFloorProcess(new URL('../floors/saved-answers.ts', import.meta.url), [listFile]);
}

/** Uses no `fetch`, which would decode the body. */
function whole(url: string, { path: target, headers: sent = {} }: SentRequest) {
  return new Promise<{ headers: Record<string, string>; body: Uint8Array }>((resolve, reject) => {
    const asked = get(url + target, { headers: sent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode !== 200) {
          reject(new Error(`${target} answered ${response.statusCode}.`));
          return;
        }
        const given = Object.entries(response.headers) as [string, string][];
        const headers = Object.fromEntries(given.filter(([name]) => !SET_BY_NODE.has(name)));
        resolve({ headers, body: Buffer.concat(chunks) });
      });
    });
    asked.once('error', reject);
  });
}
