/**
 * The slug of a share and its password are not in the log, the database, the metrics or the headers of any response,
 * whatever the outcome of the requests that contained them.
 */
import { setImmediate as turn } from 'node:timers/promises';
import {
  bodyOf,
  columnsOf,
  connectRaw,
  contentOfFilesIn,
  createShell,
  postgresUrl,
  shareOf,
  syncReport,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, expect, test } from 'vitest';

const PASSWORD = 'Kanarienvogel & Söhne, canary 7f3a';
const CHANGED = 'Kanarienvogel, gewechselt 5d2e';
const WRONG = 'a canary of another colour 91c0';
const inQuery = `password=${encodeURIComponent(PASSWORD)}`;
const inHeader = headerOf(PASSWORD);
let owner: SessionActor;
/** How the blob store behaves. */
let reading: () => Promise<void> = async () => undefined;
const slugs: string[] = [];
const headers: string[] = [];
const statuses = new Set<number>();

const METRICS_TOKEN = 'a-token-for-the-metrics-of-tests';
const server = sharedServer({
  config: { metricsToken: METRICS_TOKEN },
  generousPlans: true,
  wrapBlobs: (blobs) => ({ ...blobs, get: (name) => reading().then(() => blobs.get(name)) }),
});

beforeAll(async () => {
  owner = await server.signUp();
  const device = await server.linkDevice(owner);
  const { reportId: liveId } = await createShell(device);
  const { reportId: finalId } = await syncReport(device);
  for (const reportId of [liveId, finalId]) await visitInEveryWay(await newLink(reportId));
  await visitWhatBreaks(await newLink(finalId));
  await breakOff(await newLink(finalId));
  await changePassword(finalId);
});

function headerOf(password: string) {
  return { 'x-svc-share-password': Buffer.from(password).toString('latin1') };
}

async function newLink(reportId: string): Promise<string> {
  const { slug } = await shareOf(owner, reportId, { password: PASSWORD });
  slugs.push(slug);
  return `/api/v1/shares/slug/${slug}`;
}

/** Also sends the request that changes a password. */
async function changePassword(reportId: string): Promise<void> {
  const { shareId, slug } = await shareOf(owner, reportId, { password: PASSWORD });
  slugs.push(slug);
  bodyOf(await owner.api.changeShare({ params: { shareId }, body: { reportId, password: CHANGED } }));
  await visit(`/api/v1/shares/slug/${slug}/report`, inHeader);
  await visit(`/api/v1/shares/slug/${slug}/report`, headerOf(CHANGED));
  expect([...statuses]).toEqual(expect.arrayContaining([200, 401]));
}

async function visit(path: string, given: Record<string, string> = {}, method = 'GET'): Promise<void> {
  const answer = await server.anonymous.fetch(path, { method, headers: given });
  await answer.arrayBuffer();
  statuses.add(answer.status);
  headers.push(JSON.stringify([...answer.headers]));
}

async function visitInEveryWay(link: string): Promise<void> {
  for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
    await visit(`${link}/report`, inHeader, method);
    await visit(`${link}/export/json?${inQuery}`, {}, method);
  }
  await visit(`${link.replace('/api/v1/shares/slug', '/s')}?${inQuery}`, { accept: 'text/html' });
  await visit(`${link}/nothing?${inQuery}`);
  await visit(`${link}/export/docx?${inQuery}`);
  await visit(`${link}/export/json?${inQuery}&${inQuery}`);
  await visit(`${link}/report`);
  for (let index = 0; index < 12; index += 1) await visit(`${link}/report`, headerOf(`${WRONG}${index}`));
}

async function visitWhatBreaks(link: string): Promise<void> {
  reading = () => Promise.reject(new Error('the store is broken'));
  await visit(`${link}/report`, inHeader);
  await visit(`${link}/export/html?${inQuery}`);
}

async function breakOff(link: string): Promise<void> {
  const asked = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  reading = () => {
    asked.resolve();
    return gone.promise;
  };
  await using connection = await connectRaw(server.port);
  await connection.send(`GET ${link}/export/json?${inQuery} HTTP/1.1\r\nHost: svc.test\r\n\r\n`);
  await asked.promise;
  connection.abort();
  while (!server.logLines.some((line) => line.includes('ABORTED'))) await turn();
  gone.resolve();
}

/** The secrets in a text, in any spelling that a request may have or that could be stored. */
function found(text: string): string[] {
  const folded = text.toLowerCase();
  return [PASSWORD, CHANGED, WRONG, ...slugs].flatMap((secret) => {
    const bytes = Buffer.from(secret);
    const spellings = [
      secret,
      encodeURIComponent(secret),
      encodeURIComponent(secret).replaceAll('%20', '+'),
      bytes.toString('latin1'),
      bytes.toString('hex'),
      bytes.toString('base64').replace(/.=*$/, ''),
      JSON.stringify(secret).slice(1, -1),
    ];
    return spellings.filter((spelling) => folded.includes(spelling.toLowerCase()));
  });
}

const haystacks: Record<string, () => Promise<string> | string> = {
  'line of the log': () => server.logLines.join('\n'),
  'header of a response': () => headers.join('\n'),
  'column of a table': async () => (await columnsOf(server)).join('\n'),
  'line of the metrics': async () => {
    const authorization = `Bearer ${METRICS_TOKEN}`;
    return (await server.anonymous.fetch('/metrics', { headers: { authorization } })).text();
  },
  'file of the data folder': () => contentOfFilesIn(server.dataDir),
};

/** Texts that must be found, to prove that the search works. */
const straw: Record<string, string> = {
  'line of the log': '/api/v1/shares/slug/:slug/export/:format',
  'header of a response': 'no-store',
  'line of the metrics': '/api/v1/shares/slug/:slug/export/:format',
  'column of a table': '$argon2id$',
  'file of the data folder': postgresUrl === undefined ? '$argon2id$' : '',
};

test('[T18] the searched requests had responses of every kind', () => {
  expect([...statuses].map((status) => Math.floor(status / 100))).toEqual(expect.arrayContaining([2, 4, 5]));
  for (const code of ['SHARE_PASSWORD_REQUIRED', 'RATE_LIMITED', 'VALIDATION_FAILED', 'INTERNAL', 'ABORTED'])
    expect(server.logLines.some((line) => line.includes(code))).toBe(true);
});

test.each(Object.keys(haystacks))('[T18] no %s contains a slug or a password', async (where) => {
  const text = (await haystacks[where]?.()) ?? '';
  expect(text).toContain(straw[where]);
  expect(found(text)).toEqual([]);
});

test('[T18] a browser sends no referrer from any page of a share', () => {
  for (const each of headers) expect(each).toContain('["referrer-policy","no-referrer"]');
});

test('[T18] the search finds secrets as requests spell them', () => {
  const [slug = ''] = slugs;
  for (const text of [
    `GET /s/${slug} `,
    `?${inQuery}&`,
    JSON.stringify({ p: PASSWORD }),
    inHeader['x-svc-share-password'],
  ])
    expect(found(text)).not.toEqual([]);
});
