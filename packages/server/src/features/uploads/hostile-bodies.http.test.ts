/**
 * Bodies that lie, stall, overrun or hold what must not be kept. After each refusal no file is left, no unit is spent, and
 * nothing of the body is in an answer, a log line, the database or the blobs.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '@svc/contract';
import { secretSamples } from '@svc/report/secret-samples';
import { inLane, someOf } from '@svc/testkit/lane';
import {
  bodyOf,
  bytesOf,
  codeOf,
  connectRaw,
  createShell,
  declareUpload,
  exchangeRaw,
  findingBody,
  reportBody,
  reportBytes,
  reportBytesOfSize,
  startServer,
  type DeviceActor,
  type RawConnection,
  type RawExchange,
  type Shell,
  type TestServer,
} from '@svc/testkit';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
let device: DeviceActor;
let shell: Shell;

beforeAll(async () => {
  server = await startServer({ timeouts: { lingerMs: 200 } });
  device = await server.linkDevice(await server.signUp());
  shell = await createShell(device);
});
afterAll(() => server.close());

afterEach(() => requireNothingLeft(server, device));

async function requireNothingLeft(of: TestServer, by: DeviceActor): Promise<void> {
  const left = filesIn(join(of.dataDir, 'blobs'));
  const { used } = bodyOf(await by.api.getSyncQuota()).daily;
  if (left.length > 0 || used !== 1) throw new Error(`a refusal left ${left.join(', ')} and ${used} used`);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile());
}

const CRLF = '\r\n';
const LIMIT = limits.reportBytesMaxDefault;
const declare = (bytes: Uint8Array) => declareUpload(device, shell.reportId, bytes);
const send = (uploadId: string, bytes: Uint8Array<ArrayBuffer>) =>
  device.api.uploadReport({ params: { uploadId }, bytes });
async function sendDeclared(bytes: Uint8Array<ArrayBuffer>) {
  return send(await declare(bytes), bytes);
}
const sendText = (text: string) => sendDeclared(bytesOf(text));
const whole = (changes: Record<string, unknown> = {}) =>
  reportBody({ localReportId: shell.localReportId, ...changes });

function head(uploadId: string, ...headers: string[]): string {
  return headBy(device, uploadId, ...headers);
}
function headBy({ deviceToken }: DeviceActor, uploadId: string, ...headers: string[]): string {
  const lines = [
    `PUT /api/v1/uploads/${uploadId} HTTP/1.1`,
    'Host: svc.test',
    'Content-Type: application/json',
  ];
  return [...lines, `Authorization: Bearer ${deviceToken}`, ...headers, '', ''].join(CRLF);
}

function told({ answers }: RawExchange): string[] {
  return answers.map(({ status, body }) => {
    const { error } = JSON.parse(body) as { error?: { code: string } };
    return `${status} ${error?.code ?? 'ok'}`;
  });
}

describe('lengths', () => {
  test('[T11] 13 MiB that are declared with Expect are refused with 413 and not asked for', async () => {
    const uploadId = await declare(reportBytes({ localReportId: shell.localReportId }));
    const exchange = await exchangeRaw(
      server.port,
      head(uploadId, `Content-Length: ${13 * 1024 * 1024}`, 'Expect: 100-continue'),
    );
    expect(told(exchange)).toEqual(['413 BAD_REQUEST']);
    expect(exchange.continues).toBe(0);
  });

  test('[T11] a length that is not the declared one is refused, and not asked for', async () => {
    const bytes = reportBytes({ localReportId: shell.localReportId });
    const uploadId = await declare(bytes);
    for (const length of [bytes.length - 1, bytes.length + 1, LIMIT, 0]) {
      const exchange = await exchangeRaw(
        server.port,
        head(uploadId, `Content-Length: ${length}`, 'Expect: 100-continue', 'Connection: close'),
      );
      expect(told(exchange)).toEqual(['400 BAD_REQUEST']);
      expect(exchange.continues).toBe(0);
    }
  });

  test.each([0, 64 * 1024 - 1])(
    '[T11] chunks are refused within 64 KiB past the limit, here with %d bytes more',
    async (more) => {
      const uploadId = await declare(reportBytes({ localReportId: shell.localReportId }));
      await using connection = await connectRaw(server.port);
      await connection.send(head(uploadId, 'Transfer-Encoding: chunked'));
      const chunk = Buffer.concat([
        Buffer.from('100000\r\n'),
        Buffer.alloc(0x10_00_00, 0x20),
        Buffer.from(CRLF),
      ]);
      for (let sent = 0; sent < LIMIT; sent += 0x10_00_00) await connection.send(chunk);
      await connection.send(`${(more + 1).toString(16)}${CRLF}${' '.repeat(more + 1)}${CRLF}`);
      expect(told(await connection.untilClosed())).toEqual(['413 BAD_REQUEST']);
    },
  );

  test('[T11] chunks of exactly the limit are held against what was declared', async () => {
    const uploadId = await declare(reportBytes({ localReportId: shell.localReportId }));
    const exchange = await exchangeRaw(
      server.port,
      `${head(uploadId, 'Transfer-Encoding: chunked', 'Connection: close')}${LIMIT.toString(16)}${CRLF}${' '.repeat(LIMIT)}${CRLF}0${CRLF}${CRLF}`,
    );
    expect(told(exchange)).toEqual(['400 BAD_REQUEST']);
  });

  test('[T11] a body that breaks off leaves nothing, and makes room for the next', async () => {
    const bytes = reportBytesOfSize(shell.localReportId, 2_000_000);
    const uploadId = await declare(bytes);
    for (let time = 0; time < inLane(5, 20); time += 1) {
      await using connection = await connectRaw(server.port);
      await connection.send(head(uploadId, `Content-Length: ${bytes.length}`));
      await connection.send(bytes.subarray(0, 1_000_000));
      connection.abort();
    }
    const swapped = reportBytesOfSize(shell.localReportId, 2_000_000);
    swapped[swapped.length - 2] = 0x20;
    expect(codeOf(await send(uploadId, swapped))).toBe('BAD_REQUEST');
  });
});

describe('a body that is slow', () => {
  // A service of its own: on a busy machine, bodies that are sent as fast as they can be would be slow for it, too.
  let hasty: TestServer;
  let sender: DeviceActor;
  let live: Shell;
  beforeAll(async () => {
    hasty = await startServer({ timeouts: { bodyGraceMs: 100, bodyCheckedEveryMs: 20 } });
    sender = await hasty.linkDevice(await hasty.signUp());
    live = await createShell(sender);
  });
  afterAll(() => hasty.close());
  afterEach(() => requireNothingLeft(hasty, sender));

  /** What comes of a body of that length of which no more than its beginning is sent. */
  async function begin(connection: RawConnection, bytes: Uint8Array, beginning: Uint8Array | string) {
    const uploadId = await declareUpload(sender, live.reportId, bytes);
    await connection.send(headBy(sender, uploadId, `Content-Length: ${bytes.length}`));
    await connection.send(beginning);
    return told(await connection.until(1));
  }

  test('[T11] is given up', async () => {
    await using connection = await connectRaw(hasty.port);
    const bytes = reportBytesOfSize(live.localReportId, 100_000);
    expect(await begin(connection, bytes, '{')).toEqual(['408 BAD_REQUEST']);
  });

  test('[T11] when it is large, is given up as soon as it is too slow to be whole in time', async () => {
    await using connection = await connectRaw(hasty.port);
    const bytes = reportBytesOfSize(live.localReportId, LIMIT);
    const outcome = await begin(connection, bytes, bytes.subarray(0, 64 * 1024));
    expect(outcome).toEqual(['408 BAD_REQUEST']);
  });

  test('[T11] reserves no memory for the length that it only claims', async () => {
    await using connection = await connectRaw(hasty.port);
    const bytes = reportBytesOfSize(live.localReportId, LIMIT);
    const before = process.memoryUsage().arrayBuffers;
    expect(await begin(connection, bytes, '{"')).toEqual(['408 BAD_REQUEST']);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024);
  });
});

describe('what is not JSON, or not JSON that all read alike', () => {
  const cases: readonly (readonly [string, () => string | Uint8Array<ArrayBuffer>])[] = [
    ['no JSON', () => 'not JSON'],
    ['NaN', () => JSON.stringify(whole()).replace('"lineStart":40', '"lineStart":NaN')],
    ['Infinity', () => JSON.stringify(whole()).replace('"lineStart":40', '"lineStart":Infinity')],
    ['two documents', () => `${JSON.stringify(whole())}{}`],
    ['a comment', () => `/* */${JSON.stringify(whole())}`],
    ['a byte order mark', () => `\u{feff}${JSON.stringify(whole())}`],
    ['half a document', () => JSON.stringify(whole()).slice(0, -1)],
    ['bytes that are not UTF-8', () => new Uint8Array([...bytesOf('{"a":"'), 0xff, ...bytesOf('"}')])],
    ['nesting of 65', () => '['.repeat(65) + ']'.repeat(65)],
    ['nesting of 100,000', () => '['.repeat(100_000)],
    ['a million empty objects', () => `[${'{},'.repeat(1_000_000)}{}]`],
    ['one name twice', () => JSON.stringify(whole()).replace('{', '{"coverage":[],')],
    [
      'one name twice in a finding',
      () => JSON.stringify(whole()).replace('"title"', '"title":"another one","title"'),
    ],
    [
      'one name twice, once escaped',
      () => JSON.stringify(whole()).replace('"title"', String.raw`"titl\u0065":"another one","title"`),
    ],
  ];
  test.each(cases)('[T11] %s is refused as unreadable', async (_title, make) => {
    const given = make();
    const outcome = await sendDeclared(typeof given === 'string' ? bytesOf(given) : given);
    expect(outcome).toMatchObject({ status: 400, error: { code: 'BAD_REQUEST' } });
  });
});

describe('what is no report of this version', () => {
  test.each([
    ['none', undefined],
    ['another', '1.0.1'],
    ['a number', 1],
    ['null', null],
  ])(
    '[D6] with %s as its version it is not supported, whatever else is wrong',
    async (_title, schemaVersion) => {
      for (const broken of [{}, { unknown: 1, findings: 'none' }]) {
        const outcome = await sendText(JSON.stringify(whole({ ...broken, schemaVersion })));
        expect(outcome).toMatchObject({ status: 422, error: { code: 'REPORT_SCHEMA_UNSUPPORTED' } });
      }
    },
  );

  test.each(['[]', '{}', 'null', '1', '"1.0.0"'])('[D6] %s has no version', async (text) => {
    expect(codeOf(await sendText(text.padEnd(2)))).toBe('REPORT_SCHEMA_UNSUPPORTED');
  });
});

interface Refusal {
  readonly error: {
    readonly code: string;
    readonly details?: { readonly issues?: readonly { path: string }[] };
  };
}
const pathsOf = (outcome: unknown) =>
  ((outcome as Refusal).error.details?.issues ?? []).map(({ path }) => path);

describe('what must not be kept', () => {
  const cases: readonly (readonly [string, () => Record<string, unknown>, string])[] = [
    ['an unknown field', () => whole({ unknown: 1 }), '/unknown'],
    [
      'a field that all objects have',
      () => JSON.parse(JSON.stringify(whole()).replace('{', '{"__proto__":{},')) as Record<string, unknown>,
      '/__proto__',
    ],
    [
      'an unknown field of a finding',
      () => whole({ findings: [{ ...findingBody(1), code: 'x' }] }),
      '/findings/0/code',
    ],
    ['a missing field', () => whole({ coverage: undefined }), '/coverage'],
    ['a wrong type', () => whole({ coverage: 'all' }), '/coverage'],
    [
      'a lone surrogate',
      () => whole({ findings: [{ ...findingBody(1), title: 'half of a pair: \ud800' }] }),
      '/findings/0/title',
    ],
    ["another report's local id", () => whole({ localReportId: 'another-report' }), '/localReportId'],
    [
      'a wrong count',
      () => whole({ summary: { ...(whole()['summary'] as object), findingCount: 2 } }),
      '/summary/findingCount',
    ],
    ['an id of two findings', () => whole({ findings: [findingBody(1), findingBody(1)] }), '/findings/1/id'],
  ];
  test.each(cases)('[D6] %s is refused with its place', async (_title, make, path) => {
    const outcome = await sendText(JSON.stringify(make()));
    expect(outcome).toMatchObject({ status: 422, error: { code: 'UNSAFE_PAYLOAD_REJECTED' } });
    expect(pathsOf(outcome)).toContain(path);
  });

  test('[D6] at most twenty places are told', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, 1]));
    expect(pathsOf(await sendText(JSON.stringify(whole(unknown))))).toHaveLength(limits.issuesMax);
  });
});

/** Every place of a report at which a text stands, as the names that lead there. */
function textPlaces(
  value: unknown,
  path: readonly (string | number)[] = [],
): (readonly (string | number)[])[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    textPlaces(inner, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

function planted(at: readonly (string | number)[], text: string): Record<string, unknown> {
  const report = structuredClone(whole());
  let parent: Record<string | number, unknown> = report;
  for (const name of at.slice(0, -1)) parent = parent[name] as Record<string | number, unknown>;
  parent[at.at(-1)!] = text;
  return report;
}

/** What an upload left anywhere: log lines, and every file of the data folder. */
function everythingKept(): string {
  const files = filesIn(server.dataDir).map((file) => readFileSync(file).toString('latin1'));
  return [...server.logLines, ...files].join('\n');
}

describe('planted secrets', () => {
  const bare = secretSamples.filter(({ text, secret }) => text === secret && !text.includes('\n'));

  test('[T11] a secret of each kind is refused with its place, and nowhere to be found', async () => {
    const wrong: unknown[] = [];
    for (const { name, text, secret } of someOf(secretSamples, 6)) {
      const outcome = await sendText(JSON.stringify(planted(['findings', 0, 'summary'], `It is: ${text}`)));
      const isTold = JSON.stringify(outcome).includes(secret);
      if (isTold || outcome.status !== 422 || pathsOf(outcome).join() !== '/findings/0/summary')
        wrong.push([name, outcome]);
      expect(codeOf(outcome)).toBe('UNSAFE_PAYLOAD_REJECTED');
    }
    expect(wrong).toEqual([]);
    const kept = everythingKept();
    expect(secretSamples.filter(({ secret }) => kept.includes(secret)).map(({ name }) => name)).toEqual([]);
  });

  test('[T11] one is refused in whichever text it stands, with its place', async () => {
    const places = textPlaces(whole());
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.constantFrom(...bare), async (at, { secret }) => {
        const outcome = await sendText(JSON.stringify(planted(at, secret)));
        const isVersion = at[0] === 'schemaVersion';
        expect(codeOf(outcome as never)).toBe(
          isVersion ? 'REPORT_SCHEMA_UNSUPPORTED' : 'UNSAFE_PAYLOAD_REJECTED',
        );
        expect(isVersion || pathsOf(outcome).includes(`/${at.join('/')}`)).toBe(true);
        expect(JSON.stringify(outcome)).not.toContain(secret);
      }),
      { numRuns: inLane(15, 60) },
    );
  });

  test('[T11] a secret of each kind as the name of a field is refused, and not told', async () => {
    const wrong: unknown[] = [];
    for (const { name, secret } of someOf(bare, 6)) {
      for (const filler of ['', 'x'.repeat(190)]) {
        const outcome = await sendText(JSON.stringify(whole({ [`${filler} ${secret}`]: 1 })));
        const isTold = JSON.stringify(outcome).includes(secret.slice(0, 12));
        if (isTold || codeOf(outcome) !== 'UNSAFE_PAYLOAD_REJECTED') wrong.push([name, filler, outcome]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('[T11] one whose characters are escaped is a secret all the same', async () => {
    const [{ secret }] = bare as [(typeof bare)[number]];
    const escaped = [...secret]
      .map((character) => String.raw`\u00${character.charCodeAt(0).toString(16)}`)
      .join('');
    const json = JSON.stringify(planted(['findings', 0, 'summary'], 'The summary: PLACE')).replace(
      'PLACE',
      escaped,
    );
    expect(codeOf(await sendText(json))).toBe('UNSAFE_PAYLOAD_REJECTED');
  });
});

describe('large ones, which are checked by a worker', () => {
  const large = () => Buffer.from(reportBytesOfSize(shell.localReportId, 1_000_000)).toString();
  test.each([
    ['no JSON', (text: string) => text.slice(1), 'BAD_REQUEST'],
    ['one name twice', (text: string) => text.replace('{', '{"coverage":[],'), 'BAD_REQUEST'],
    ['another version', (text: string) => text.replace('"1.0.0"', '"2.0.0"'), 'REPORT_SCHEMA_UNSUPPORTED'],
    ['an unknown field', (text: string) => text.replace('{', '{"unknown":1,'), 'UNSAFE_PAYLOAD_REJECTED'],
    [
      'a secret',
      (text: string) => text.replace('"Nothing was run."', JSON.stringify(secretSamples[0]?.text)),
      'UNSAFE_PAYLOAD_REJECTED',
    ],
  ])('[T11] with %s they are refused in the same way', async (_title, change, code) => {
    expect(codeOf(await sendText(change(large())))).toBe(code);
  });
});
