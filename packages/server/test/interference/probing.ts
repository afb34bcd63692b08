/** Every way in which a viewer gets something of a link, and all that the answers tell. */
import { exportFormats } from '@svc/contract';
import type { Actor } from '@svc/testkit';

export interface Told {
  readonly request: string;
  readonly status: number;
  /** All but those that are of the exchange and not of what is answered. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded; the length as it was sent is among the headers. */
  readonly body: string;
}

const files = [...exportFormats, 'sarif?profile=github'];
const codings = ['br', 'gzip', 'identity'];

/** Reads the link, takes every file of it in every coding, and opens its page. */
export async function toldOf(viewer: Actor, slug: string): Promise<Told[]> {
  const told: Told[] = [];
  const link = `/api/v1/shares/slug/${slug}`;
  for (const path of [`${link}/report`, ...files.map((file) => `${link}/export/${file}`)]) {
    for (const coding of codings) told.push(await ask(viewer, path, { 'accept-encoding': coding }));
    told.push(await ask(viewer, path, { 'accept-encoding': 'br' }, { method: 'HEAD' }));
  }
  for (const coding of codings)
    told.push(await ask(viewer, `/s/${slug}`, { accept: 'text/html', 'accept-encoding': coding }));
  told.push(await ask(viewer, `/s/${slug}`, { accept: 'text/html' }, { method: 'HEAD' }));
  return told;
}

const ofTheExchange = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);

export async function ask(
  viewer: Actor,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  init: RequestInit = {},
): Promise<Told> {
  const answer = await viewer.fetch(path, { ...init, headers });
  return {
    request: `${init.method ?? 'GET'} ${path} ${JSON.stringify(headers)}`,
    status: answer.status,
    headers: Object.fromEntries([...answer.headers].filter(([name]) => !ofTheExchange.has(name))),
    body: (await answer.text()).replace(/"requestId":"[^"]*"/, '"requestId":""'),
  };
}
