/** Every way in which a viewer can read a share, and everything in the responses. */
import { exportFormats } from '@svc/contract';
import type { Actor } from '@svc/testkit';

export interface ProbedAnswer {
  readonly request: string;
  readonly status: number;
  /** Without the headers that are about the connection. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded body, without the id of the request. The encoded length is among the headers. */
  readonly body: string;
}

const files = [...exportFormats, 'sarif?profile=github'];
const codings = ['br', 'gzip', 'identity'];

const asDocument = { accept: 'text/html', 'sec-fetch-dest': 'document' };

/** Reads the share, downloads every export in every coding, and opens its page. */
export async function answersOf(viewer: Actor, slug: string): Promise<ProbedAnswer[]> {
  const answers: ProbedAnswer[] = [];
  const link = `/api/v1/shares/slug/${slug}`;
  for (const path of [
    `${link}/report`,
    `${link}/report?cover=1`,
    ...files.map((file) => `${link}/export/${file}`),
  ]) {
    for (const coding of codings) answers.push(await ask(viewer, path, { 'accept-encoding': coding }));
    answers.push(await ask(viewer, path, { 'accept-encoding': 'br' }, { method: 'HEAD' }));
  }
  for (const coding of codings)
    answers.push(await ask(viewer, `/s/${slug}`, { ...asDocument, 'accept-encoding': coding }));
  answers.push(await ask(viewer, `/s/${slug}`, asDocument, { method: 'HEAD' }));
  return answers;
}

const ofTheExchange = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);

export async function ask(
  viewer: Actor,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  init: RequestInit = {},
): Promise<ProbedAnswer> {
  const answer = await viewer.fetch(path, { ...init, headers });
  return {
    request: `${init.method ?? 'GET'} ${path} ${JSON.stringify(headers)}`,
    status: answer.status,
    headers: Object.fromEntries([...answer.headers].filter(([name]) => !ofTheExchange.has(name))),
    body: (await answer.text()).replace(/"requestId":"[^"]*"/, '"requestId":""'),
  };
}
