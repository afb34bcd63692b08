/**
 * Bodies that are malformed, stall, exceed the limit or contain forbidden content. After each rejection no file is
 * left and no unit is spent. No planted secret is in a response, a log line, the database or the blobs.
 */
import { limits } from '@svc/contract';
import { secretSamples } from '@svc/report/secret-samples';
import { inLane, someOf } from '@svc/testkit/lane';
import {
  bodyOf,
  bytesOf,
  codeOf,
  connectRaw,
  contentOfFilesIn,
  createShell,
  declareUpload,
  exchangeRaw,
  blobFilesIn,
  findingBody,
  outcomesOf,
  reportBody,
  reportBytes,
  reportBytesOfSize,
  requestHead,
  type DeviceActor,
  type RawConnection,
  type Shell,
  type TestServer,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';

let device: DeviceActor;
let shell: Shell;

// The tests look at the files.
const config = { bucket: null };
const server = sharedServer({ config, timeouts: { lingerMs: 200 } });

beforeAll(async () => {
  device = await server.linkDevice(await server.signUp());
  shell = await createShell(device);
});

afterEach(() => requireNothingLeft(server, device));

async function requireNothingLeft(of: TestServer, by: DeviceActor): Promise<void> {
  const left = blobFilesIn(of.dataDir);
  const { used } = bodyOf(await by.api.getSyncQuota()).daily;
  if (left.length > 0 || used !== 1) throw new Error(`a rejection left ${left.join(', ')} and ${used} used`);
}

const MIB = 1024 * 1024;
const chunkOf = (length: number) => `${length.toString(16)}\r\n${' '.repeat(length)}\r\n`;
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

const head = (uploadId: string, ...headers: string[]) => headBy(device, uploadId, ...headers);
const headBy = ({ deviceToken }: DeviceActor, uploadId: string, ...headers: string[]) =>
  requestHead(
    `PUT /api/v1/uploads/${uploadId}`,
    'Content-Type: application/json',
    `Authorization: Bearer ${deviceToken}`,
    ...headers,
  );
const newUpload = () => declare(reportBytes({ localReportId: shell.localReportId }));

describe('lengths', () => {
  test('[T11] 13 MiB that are declared with Expect are rejected with 413 before they are sent', async () => {
    const uploadId = await newUpload();
    const exchange = await exchangeRaw(
      server.port,
      head(uploadId, `Content-Length: ${13 * MIB}`, 'Expect: 100-continue'),
    );
    expect(outcomesOf(exchange)).toEqual(['413 BAD_REQUEST']);
    expect(exchange.continues).toBe(0);
  });

  test('[T11] a length that differs from the declared one is rejected before the body is sent', async () => {
    const bytes = reportBytes({ localReportId: shell.localReportId });
    const uploadId = await declare(bytes);
    for (const length of [bytes.length - 1, bytes.length + 1, LIMIT, 0]) {
      const exchange = await exchangeRaw(
        server.port,
        head(uploadId, `Content-Length: ${length}`, 'Expect: 100-continue', 'Connection: close'),
      );
      expect(outcomesOf(exchange)).toEqual(['400 BAD_REQUEST']);
      expect(exchange.continues).toBe(0);
    }
  });

  test.each([0, 64 * 1024 - 1])(
    '[T11] chunks are rejected within 64 KiB past the limit, here at one byte and %d more',
    async (more) => {
      const uploadId = await newUpload();
      await using connection = await connectRaw(server.port);
      await connection.send(head(uploadId, 'Transfer-Encoding: chunked'));
      for (let sent = 0; sent < LIMIT; sent += MIB) await connection.send(chunkOf(MIB));
      await connection.send(chunkOf(more + 1));
      expect(outcomesOf(await connection.untilClosed())).toEqual(['413 BAD_REQUEST']);
    },
  );

  test('[T11] chunks of exactly the limit are compared with the declaration', async () => {
    const uploadId = await newUpload();
    const request = head(uploadId, 'Transfer-Encoding: chunked', 'Connection: close');
    const exchange = await exchangeRaw(server.port, request + chunkOf(LIMIT) + chunkOf(0));
    expect(outcomesOf(exchange)).toEqual(['400 BAD_REQUEST']);
  });

  test(
    '[T11] a body that is cut off leaves nothing behind, and frees its capacity',
    { tags: 'repeated' },
    async () => {
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
    },
  );
});

describe('a body that is slow', () => {
  // A separate server, because on a busy machine ordinary bodies would also be too slow for it.
  const hasty = sharedServer({ config, timeouts: { bodyGraceMs: 100, bodyCheckedEveryMs: 20 } });
  let sender: DeviceActor;
  let live: Shell;
  beforeAll(async () => {
    sender = await hasty.linkDevice(await hasty.signUp());
    live = await createShell(sender);
  });
  afterEach(() => requireNothingLeft(hasty, sender));

  /** Begins an upload of that length and sends only the beginning of its body. */
  async function begin(connection: RawConnection, bytes: Uint8Array, beginning: Uint8Array | string) {
    const uploadId = await declareUpload(sender, live.reportId, bytes);
    await connection.send(headBy(sender, uploadId, `Content-Length: ${bytes.length}`));
    await connection.send(beginning);
    return outcomesOf(await connection.until(1));
  }

  test('[T11] is rejected', async () => {
    await using connection = await connectRaw(hasty.port);
    const bytes = reportBytesOfSize(live.localReportId, 100_000);
    expect(await begin(connection, bytes, '{')).toEqual(['408 BAD_REQUEST']);
  });

  test('[T11] when it is large, is rejected as soon as it cannot be complete in time', async () => {
    await using connection = await connectRaw(hasty.port);
    const bytes = reportBytesOfSize(live.localReportId, LIMIT);
    const outcome = await begin(connection, bytes, bytes.subarray(0, 64 * 1024));
    expect(outcome).toEqual(['408 BAD_REQUEST']);
  });

  test('[T11] reserves no memory for the length that it declares', async () => {
    await using connection = await connectRaw(hasty.port);
    const bytes = reportBytesOfSize(live.localReportId, LIMIT);
    const before = process.memoryUsage().arrayBuffers;
    expect(await begin(connection, bytes, '{"')).toEqual(['408 BAD_REQUEST']);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * MIB);
  });
});

describe('what is not JSON, or ambiguous JSON', () => {
  const cases: readonly (readonly [string, () => string | Uint8Array<ArrayBuffer>])[] = [
    ['no JSON', () => 'not JSON'],
    ['a byte order mark', () => `\u{feff}${JSON.stringify(whole())}`],
    ['bytes that are not UTF-8', () => new Uint8Array([...bytesOf('{"a":"'), 0xff, ...bytesOf('"}')])],
    ['nesting of 65 levels', () => '['.repeat(65) + ']'.repeat(65)],
    ['a million empty objects', () => `[${'{},'.repeat(1_000_000)}{}]`],
    ['the same name twice', () => JSON.stringify(whole()).replace('{', '{"coverage":[],')],
    [
      'the same name twice in a finding',
      () => JSON.stringify(whole()).replace('"title"', '"title":"another one","title"'),
    ],
    [
      'the same name twice, once escaped',
      () => JSON.stringify(whole()).replace('"title"', String.raw`"titl\u0065":"another one","title"`),
    ],
  ];
  test.each(cases)('[T11] %s is rejected as unreadable', async (_title, make) => {
    const given = make();
    const outcome = await sendDeclared(typeof given === 'string' ? bytesOf(given) : given);
    expect(outcome).toMatchObject({ status: 400, error: { code: 'BAD_REQUEST' } });
  });
});

describe('an unsupported report', () => {
  test.each([
    ['missing', undefined],
    ['another one', '1.0.1'],
    ['a number', 1],
    ['null', null],
  ])('[D6] is rejected when its version is %s, whatever else is wrong', async (_title, schemaVersion) => {
    for (const broken of [{}, { unknown: 1, findings: 'none' }]) {
      const outcome = await sendText(JSON.stringify(whole({ ...broken, schemaVersion })));
      expect(outcome).toMatchObject({ status: 422, error: { code: 'REPORT_SCHEMA_UNSUPPORTED' } });
    }
  });

  test.each(['[]', '{}', 'null', '1', '"1.0.0"'])('[D6] %s has no version', async (text) => {
    expect(codeOf(await sendText(text.padEnd(2)))).toBe('REPORT_SCHEMA_UNSUPPORTED');
  });
});

interface Rejection {
  readonly error: {
    readonly code: string;
    readonly details?: { readonly issues?: readonly { path: string; rule: string }[] };
  };
}
const issuesIn = (outcome: unknown) => (outcome as Rejection).error.details?.issues ?? [];
const pathsOf = (outcome: unknown) => issuesIn(outcome).map(({ path }) => path);
const tagged = (...tags: string[]) =>
  whole({ scan: whole()['scan'], findings: [{ ...findingBody(1), tags }] });

describe('forbidden content', () => {
  const cases: readonly (readonly [string, () => Record<string, unknown>, string, string])[] = [
    [
      'a field that all objects have',
      () => JSON.parse(JSON.stringify(whole()).replace('{', '{"__proto__":{},')) as Record<string, unknown>,
      '/__proto__',
      'schema',
    ],
    [
      'an unknown field of a finding',
      () => whole({ findings: [{ ...findingBody(1), code: 'x' }] }),
      '/findings/0/code',
      'schema',
    ],
    [
      'a lone surrogate',
      () => whole({ findings: [{ ...findingBody(1), title: 'half of a pair: \ud800' }] }),
      '/findings/0/title',
      'schema',
    ],
    [
      "another report's local id",
      () => whole({ localReportId: 'another-report' }),
      '/localReportId',
      'schema',
    ],
    [
      'a wrong count',
      () => whole({ summary: { ...(whole()['summary'] as object), findingCount: 2 } }),
      '/summary/findingCount',
      'counts',
    ],
    [
      'an id that two findings have',
      () => whole({ findings: [findingBody(1), findingBody(1)] }),
      '/findings/1/id',
      'duplicate',
    ],
    [
      'a fingerprint that two findings have',
      () =>
        whole({
          findings: [1, 2].map((number) => ({ ...findingBody(number), fingerprint: 'ab'.repeat(32) })),
        }),
      '/findings/1/fingerprint',
      'duplicate',
    ],
    ['the tag of a tool that did not run', () => tagged('own', 'tool:other'), '/findings/0/tags/1', 'tag'],
    ['a second tool', () => tagged('tool:agent', ' Tool:AGENT'), '/findings/0/tags/1', 'tag'],
    ['a second rule', () => tagged('rule:a', 'RULE:b'), '/findings/0/tags/1', 'tag'],
    [
      'a ninth area',
      () => tagged(...Array.from({ length: 9 }, (_, index) => `area:${index}`)),
      '/findings/0/tags/8',
      'tag',
    ],
    ['the tag of a lapsed decision', () => tagged('decision-lapsed'), '/findings/0/tags/0', 'tag'],
    [
      'a secret',
      () => whole({ coverage: [secretSamples.find(({ text, secret }) => text === secret)?.text] }),
      '/coverage/0',
      'secret',
    ],
  ];
  test.each(cases)('[D6] %s is rejected with its path and rule', async (_title, make, path, rule) => {
    const outcome = await sendText(JSON.stringify(make()));
    expect(outcome).toMatchObject({ status: 422, error: { code: 'UNSAFE_PAYLOAD_REJECTED' } });
    expect(issuesIn(outcome)).toContainEqual(expect.objectContaining({ path, rule }));
  });

  test('[D6] at most twenty paths are reported', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, 1]));
    expect(pathsOf(await sendText(JSON.stringify(whole(unknown))))).toHaveLength(limits.issuesMax);
  });
});

/** The path of every text in a report, as field names and indexes. */
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

/** Everything that an upload may have left behind: log lines, and every file of the data folder. */
const everythingKept = () => [...server.logLines, contentOfFilesIn(server.dataDir)].join('\n');

describe('planted secrets', () => {
  const bare = secretSamples.filter(({ text, secret }) => text === secret && !text.includes('\n'));

  test(
    '[T11] a secret of each kind is rejected with its path, and stored nowhere',
    { tags: 'repeated' },
    async () => {
      const wrong: unknown[] = [];
      for (const { name, text, secret } of someOf(secretSamples, 6)) {
        const outcome = await sendText(JSON.stringify(planted(['findings', 0, 'summary'], `It is: ${text}`)));
        const isRepeated = JSON.stringify(outcome).includes(secret);
        if (isRepeated || outcome.status !== 422 || pathsOf(outcome).join() !== '/findings/0/summary')
          wrong.push([name, outcome]);
        expect(codeOf(outcome)).toBe('UNSAFE_PAYLOAD_REJECTED');
      }
      expect(wrong).toEqual([]);
      const kept = everythingKept();
      expect(secretSamples.filter(({ secret }) => kept.includes(secret)).map(({ name }) => name)).toEqual([]);
    },
  );

  test('[T11] a secret is rejected in any text field, with its path', { tags: 'repeated' }, async () => {
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

  test(
    '[T11] a secret of each kind as a field name is rejected, and not echoed in the response',
    { tags: 'repeated' },
    async () => {
      const wrong: unknown[] = [];
      for (const { name, secret } of someOf(bare, 6)) {
        for (const filler of ['', 'x'.repeat(190)]) {
          const outcome = await sendText(JSON.stringify(whole({ [`${filler} ${secret}`]: 1 })));
          const isRepeated = JSON.stringify(outcome).includes(secret.slice(0, 12));
          if (isRepeated || codeOf(outcome) !== 'UNSAFE_PAYLOAD_REJECTED')
            wrong.push([name, filler, outcome]);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  test('[T11] a secret with escaped characters is recognized too', async () => {
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

describe('large bodies, which are checked by a worker', () => {
  const large = () => Buffer.from(reportBytesOfSize(shell.localReportId, 1_000_000)).toString();
  test.each([
    ['no JSON', (text: string) => text.slice(1), 'BAD_REQUEST'],
    ['the same name twice', (text: string) => text.replace('{', '{"coverage":[],'), 'BAD_REQUEST'],
    ['another version', (text: string) => text.replace('"1.0.0"', '"2.0.0"'), 'REPORT_SCHEMA_UNSUPPORTED'],
    ['an unknown field', (text: string) => text.replace('{', '{"unknown":1,'), 'UNSAFE_PAYLOAD_REJECTED'],
    [
      'a secret',
      (text: string) => text.replace('"Nothing was run."', JSON.stringify(secretSamples[0]?.text)),
      'UNSAFE_PAYLOAD_REJECTED',
    ],
  ])('[T11] with %s are rejected in the same way', async (_title, change, code) => {
    expect(codeOf(await sendText(change(large())))).toBe(code);
  });
});
