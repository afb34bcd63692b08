import { progressPhases, progressTypes, safeCodes, type ProgressEvent } from '@svc/contract';
import {
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  progressEvent,
  progressEvents,
  reportRow,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import * as fc from 'fast-check';
import { inLane } from '@svc/testkit/lane';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const CANARY = 'canary7f3a9c';
/** The published example of a key id, split so that this file contains no secret. */
const SECRET = ['AKIA', 'IOSFODNN7EXAMPLQ'].join('');

const clock = createFakeClock();
let owner: SessionActor;
let device: DeviceActor;
let reportId: string;

const server = sharedServer({ clock, generousPlans: true });

beforeAll(async () => {
  owner = await server.signUp();
  device = await server.linkDevice(owner);
});
beforeEach(async () => {
  reportId = await newReport();
});

const newReport = async () => (await createShell(device)).reportId;

const event = (given: Partial<ProgressEvent> = {}) => progressEvent(clock, reportId, given);
const events = (count: number) => progressEvents(clock, reportId, count);
const send = (sent: readonly ProgressEvent[], by = device, id = reportId) =>
  by.api.sendProgress({ params: { id }, body: { events: [...sent] } });

/** A body that no typed client would send. */
async function sendRaw(body: string) {
  const response = await device.fetch(`/api/v1/reports/${reportId}/progress`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const text = await response.text();
  const { error } = JSON.parse(text) as {
    error?: { code: string; details: { issues: { path: string; message: string }[] } };
  };
  return { status: response.status, code: error?.code, issues: error?.details.issues ?? [], text };
}

async function stored(id = reportId) {
  return server.service.database.read
    .selectFrom('progressEvents')
    .selectAll()
    .where('reportId', '=', id)
    .orderBy('number')
    .execute();
}

const lastNumber = async () => (await reportRow(server, reportId)).lastEventNumber;

async function setState(state: 'finalized' | 'expired'): Promise<void> {
  await server.service.database.read
    .updateTable('reports')
    .set({ state })
    .where('id', '=', reportId)
    .execute();
}

describe('accepted events', () => {
  test('[D7] every enum value is stored as it was sent, numbered in the order of the call', async () => {
    const sent = [
      ...progressTypes.map((type) => event({ type })),
      ...progressPhases.slice(0, 10).map((phase) => event({ phase, safeCode: 'ok' })),
    ];
    expect(await send(sent)).toMatchObject({ ok: true, status: 200, body: { accepted: 25, rejected: 0 } });
    const rest = [
      ...progressPhases.slice(10).map((phase) => event({ phase })),
      ...safeCodes.map((safeCode) => event({ safeCode })),
    ];
    bodyOf(await send(rest));
    expect(await stored()).toEqual(
      [...sent, ...rest].map((one, index) => ({
        reportId,
        number: index + 1,
        eventId: one.eventId,
        type: one.type,
        occurredAt: Date.parse(one.occurredAt),
        phase: one.phase ?? null,
        safeCode: one.safeCode ?? null,
      })),
    );
  });

  test('[D7] an id in upper case equals the same id in lower case', async () => {
    const sent = event();
    bodyOf(await send([sent]));
    const shouted = { ...sent, eventId: sent.eventId.toUpperCase() };
    expect(bodyOf(await send([shouted]))).toEqual({ accepted: 0, rejected: 1 });
    expect(await stored()).toHaveLength(1);
  });

  test('[D7] an id is unique only within its report', async () => {
    const other = await newReport();
    const sent = event();
    bodyOf(await send([sent]));
    const elsewhere = { ...sent, reportId: other };
    expect(bodyOf(await send([elsewhere], device, other))).toEqual({ accepted: 1, rejected: 0 });
  });

  test(
    '[D7] any repeated calls store each event once and leave no gap in the numbers',
    { tags: 'repeated' },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(fc.nat(11), { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 }),
          fc.boolean(),
          async (calls, inParallel) => {
            reportId = await newReport();
            const known = events(12);
            const sendOne = async (picked: readonly number[]) =>
              bodyOf(await send(picked.map((index) => known[index] ?? event())));
            const answers: { accepted: number; rejected: number }[] = [];
            if (inParallel) answers.push(...(await Promise.all(calls.map(sendOne))));
            else for (const call of calls) answers.push(await sendOne(call));
            const distinct = new Set(calls.flat()).size;
            expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(distinct);
            expect(answers.map(({ accepted, rejected }) => accepted + rejected)).toEqual(
              calls.map((call) => call.length),
            );
            const rows = await stored();
            expect(rows.map(({ number }) => number)).toEqual(
              Array.from({ length: distinct }, (_, at) => at + 1),
            );
            expect(new Set(rows.map(({ eventId }) => eventId)).size).toBe(distinct);
            expect(await lastNumber()).toBe(distinct);
          },
        ),
        { numRuns: inLane(10, 200) },
      );
    },
  );
});

describe('rejected calls', () => {
  test('[D7] no events and more than 25 are VALIDATION_FAILED, whatever their content', async () => {
    for (const sent of [[], events(26), Array.from({ length: 30 }, () => ({ [CANARY]: CANARY }))]) {
      const answer = await sendRaw(JSON.stringify({ events: sent }));
      expect(answer).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
      expect(answer.issues).toEqual([{ path: '/events', message: 'must have 1 to 25 items' }]);
    }
    expect(await stored()).toEqual([]);
  });

  const smuggled: Record<string, (good: ProgressEvent) => unknown> = {
    'text in a field': (good) => ({ ...good, safeCode: CANARY }),
    'an extra key': (good) => ({ ...good, [CANARY]: 1 }),
    'an extra key of an object': (good) => ({ ...good, details: { text: CANARY } }),
    __proto__: (good) => ({ ...good, ['__proto__']: { safeCode: CANARY } }),
    constructor: (good: ProgressEvent) => ({ ...good, constructor: CANARY }),
    'a time without a zone': (good) => ({ ...good, occurredAt: good.occurredAt.slice(0, -1) }),
    'a time with text': (good) => ({ ...good, occurredAt: `${good.occurredAt} ${CANARY}` }),
    'text for an event': () => CANARY,
    'null for an event': () => null,
    'an array for an event': () => [CANARY],
  };
  test.each(Object.entries(smuggled))(
    '[T10] %s makes the whole call UNSAFE_PAYLOAD_REJECTED, and nothing of it is stored',
    async (_, make) => {
      const answer = await sendRaw(JSON.stringify({ events: [event(), make(event())] }));
      expect(answer).toMatchObject({ status: 422, code: 'UNSAFE_PAYLOAD_REJECTED' });
      expect(answer.issues.length).toBeGreaterThan(0);
      expect(answer.text.replaceAll(`/events/1/${CANARY}`, '')).not.toContain(CANARY);
      expect(await stored()).toEqual([]);
    },
  );

  test('[T10] a secret in the name of a field is not repeated, in whole or in part', async () => {
    const named = {
      ...event(),
      [SECRET]: 1,
      [`${'x'.repeat(85)} ${SECRET}`]: 1,
      [`${'y'.repeat(170)} ${SECRET}`]: 1,
    };
    const answer = await sendRaw(JSON.stringify({ events: [named] }));
    expect(answer.code).toBe('UNSAFE_PAYLOAD_REJECTED');
    expect(answer.issues).toHaveLength(3);
    expect(answer.text).not.toContain('AKIA');
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${SECRET} ${index}`, 1]));
    const rejected = await sendRaw(JSON.stringify({ events: [event()], ...many }));
    expect(rejected.issues).toHaveLength(20);
    expect(rejected.text).not.toContain('AKIA');
  });

  test('[D7] an event of another report is VALIDATION_FAILED, and nothing of the call is stored', async () => {
    const other = await newReport();
    const answer = await sendRaw(
      JSON.stringify({ events: [event(), event({ reportId: other }), event({ reportId: CANARY })] }),
    );
    expect(answer).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' });
    expect(answer.issues.map(({ path }) => path)).toEqual(['/events/1/reportId', '/events/2/reportId']);
    expect(answer.text).not.toContain(CANARY);
    expect([...(await stored()), ...(await stored(other))]).toEqual([]);
  });

  test.each([-1, 1])(
    '[D7] a time up to 24 hours away is accepted, and a millisecond more is not (%s)',
    async (sign) => {
      const at = (ms: number) => event({ occurredAt: new Date(clock.now() + sign * ms).toISOString() });
      expect(codeOf(await send([at(24 * HOUR_MS)]))).toBe('ok');
      expect(codeOf(await send([event(), at(24 * HOUR_MS + 1)]))).toBe('UNSAFE_PAYLOAD_REJECTED');
      expect(await stored()).toHaveLength(1);
    },
  );
});

describe('the report of a call', () => {
  test('[D7] may receive events from another device of the same account', async () => {
    const second = await server.linkDevice(owner);
    expect(bodyOf(await send([event()], second))).toEqual({ accepted: 1, rejected: 0 });
  });

  test('[D7] that is final accepts no more events: CONFLICT', async () => {
    await setState('finalized');
    expect(codeOf(await send([event()]))).toBe('CONFLICT');
    expect(await stored()).toEqual([]);
  });

  test('[D6] that has expired returns REPORT_EXPIRED, by its state and by the clock', async () => {
    const young = reportId;
    await setState('expired');
    expect(codeOf(await send([event()]))).toBe('REPORT_EXPIRED');
    reportId = await newReport();
    const start = clock.now();
    clock.advance(21 * 24 * HOUR_MS);
    expect(codeOf(await send([event()]))).toBe('REPORT_EXPIRED');
    clock.set(start);
    expect(await stored(young)).toEqual([]);
  });
});

describe('the rate limit', () => {
  test('[T10] of 601 events a minute in parallel at most 600 are stored, and a call beyond the limit stores nothing', async () => {
    const calls = [...Array.from({ length: 30 }, () => events(20)), events(1)];
    const outcomes = await Promise.all(calls.map((call) => send(call)));
    const rejected = outcomes.filter(({ ok }) => !ok);
    expect(rejected).toHaveLength(1);
    expect(rejected[0]).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' }, retryAfterMs: 60_000 });
    const rows = await stored();
    expect([581, 600]).toContain(rows.length);
    expect(await lastNumber()).toBe(rows.length);
    expect(codeOf(await send(events(21)))).toBe('RATE_LIMITED');
    clock.advance(59_999);
    expect(codeOf(await send(events(25)))).toBe('RATE_LIMITED');
    clock.advance(1);
    expect(codeOf(await send(events(25)))).toBe('ok');
  });

  test('[D7] repeats count too', async () => {
    const repeated = events(25);
    for (let call = 0; call < 24; call += 1) expect(codeOf(await send(repeated))).toBe('ok');
    expect(codeOf(await send(repeated))).toBe('RATE_LIMITED');
    expect(await stored()).toHaveLength(25);
  });

  test('[D7] a rejected call does not count', async () => {
    for (let call = 0; call < 30; call += 1) await send([...events(24), event({ reportId: 'elsewhere' })]);
    for (let call = 0; call < 24; call += 1) expect(codeOf(await send(events(25)))).toBe('ok');
    for (let call = 0; call < 5; call += 1) expect(codeOf(await send(events(25)))).toBe('RATE_LIMITED');
    clock.advance(60_000);
    expect(codeOf(await send(events(25)))).toBe('ok');
  });

  test('[D7] each device and each report has its own limit', async () => {
    for (let call = 0; call < 24; call += 1) bodyOf(await send(events(25)));
    expect(codeOf(await send(events(1)))).toBe('RATE_LIMITED');
    const second = await server.linkDevice(owner);
    expect(codeOf(await send(events(25), second))).toBe('ok');
    reportId = await newReport();
    expect(codeOf(await send(events(25)))).toBe('ok');
  });
});
