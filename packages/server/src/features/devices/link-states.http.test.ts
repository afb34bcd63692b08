/** Each state of a device link against each call, and who may move it. */
import type { DeviceLinkState } from '@svc/contract';
import {
  bodyOf,
  codeOf,
  createFakeClock,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;
let stranger: SessionActor;

beforeAll(async () => {
  server = await startServer({ clock });
  owner = await server.signUp();
  stranger = await server.signUp();
});
afterAll(() => server.close());

interface Link {
  readonly publicRequestId: string;
  readonly verifier: string;
}

const approve = ({ publicRequestId }: Link, by = owner) =>
  by.api.approveDeviceLink({ params: { id: publicRequestId } });
const deny = ({ publicRequestId }: Link, by = owner) =>
  by.api.denyDeviceLink({ params: { id: publicRequestId } });
const exchange = ({ publicRequestId, verifier }: Link, tried = verifier) =>
  server.anonymous.api.exchangeDeviceLink({ params: { id: publicRequestId }, body: { verifier: tried } });
const describeLink = ({ publicRequestId }: Link, by = owner) =>
  by.api.getDeviceLink({ params: { id: publicRequestId } });

function status({ publicRequestId }: Link) {
  clock.advance(1000);
  return server.anonymous.api.getDeviceLinkStatus({ params: { id: publicRequestId } });
}

async function linkIn(state: DeviceLinkState): Promise<Link> {
  const link = await server.beginLink();
  if (state === 'approved' || state === 'consumed') bodyOf(await approve(link));
  if (state === 'consumed') bodyOf(await exchange(link));
  if (state === 'denied') bodyOf(await deny(link));
  if (state === 'expired') clock.advance(10 * MINUTE_MS);
  return link;
}

const unknown: Link = { publicRequestId: 'Z'.repeat(32), verifier: 'a verifier of some length' };

describe('each state', () => {
  const ended = {
    denied: 'FORBIDDEN',
    consumed: 'DEVICE_LINK_ALREADY_CONSUMED',
    expired: 'DEVICE_LINK_EXPIRED',
  } as const;
  const answers: Record<DeviceLinkState, Record<'status' | 'approve' | 'deny' | 'exchange', string>> = {
    pending: {
      status: 'DEVICE_LINK_NOT_APPROVED',
      approve: 'ok',
      deny: 'ok',
      exchange: 'DEVICE_LINK_NOT_APPROVED',
    },
    approved: { status: 'ok', approve: 'ok', deny: 'ok', exchange: 'ok' },
    denied: { status: ended.denied, approve: ended.denied, deny: 'ok', exchange: ended.denied },
    consumed: {
      status: ended.consumed,
      approve: ended.consumed,
      deny: ended.consumed,
      exchange: ended.consumed,
    },
    expired: { status: ended.expired, approve: ended.expired, deny: ended.expired, exchange: ended.expired },
  };
  const calls = { status, approve, deny, exchange };
  const rows = Object.entries(answers).flatMap(([state, row]) =>
    Object.entries(row).map(
      ([call, code]) => [state, call, code] as [DeviceLinkState, keyof typeof calls, string],
    ),
  );

  test.each(rows)('[D4] a link that is %s answers %s with %s', async (state, call, code) => {
    const link = await linkIn(state);
    expect(bodyOf(await describeLink(link)).state).toBe(state);
    expect(codeOf(await calls[call](link))).toBe(code);
  });

  test.each(Object.keys(calls) as (keyof typeof calls)[])(
    '[D1] an unknown and a malformed id answer %s with NOT_FOUND',
    async (call) => {
      for (const publicRequestId of [
        unknown.publicRequestId,
        'short',
        `${'Z'.repeat(31)}-`,
        'Z'.repeat(400),
        '%2e%2e',
      ]) {
        expect(await calls[call]({ ...unknown, publicRequestId })).toMatchObject({
          status: 404,
          error: { code: 'NOT_FOUND' },
        });
      }
    },
  );

  test('[D4] a wrong verifier is asked about last', async () => {
    const wrong = 'a verifier that is not the one';
    for (const [state, code] of [
      ['pending', 'DEVICE_LINK_NOT_APPROVED'],
      ['approved', 'UNAUTHENTICATED'],
      ['denied', 'FORBIDDEN'],
      ['consumed', 'DEVICE_LINK_ALREADY_CONSUMED'],
      ['expired', 'DEVICE_LINK_EXPIRED'],
    ] as const) {
      expect(codeOf(await exchange(await linkIn(state), wrong))).toBe(code);
    }
  });

  test('[D4] an approved link expires too, to the millisecond', async () => {
    const link = await linkIn('approved');
    clock.advance(10 * MINUTE_MS - 1);
    expect(bodyOf(await describeLink(link)).state).toBe('approved');
    clock.advance(1);
    expect(bodyOf(await describeLink(link)).state).toBe('expired');
    expect(codeOf(await exchange(link))).toBe('DEVICE_LINK_EXPIRED');
  });

  test('[D4] a denied link is expired after its time, and a used one stays used', async () => {
    const [denied, consumed] = [await linkIn('denied'), await linkIn('consumed')];
    clock.advance(10 * MINUTE_MS);
    expect(codeOf(await exchange(denied))).toBe('DEVICE_LINK_EXPIRED');
    expect(codeOf(await exchange(consumed))).toBe('DEVICE_LINK_ALREADY_CONSUMED');
  });

  test('[D4] a clock that steps back revives neither a used nor a denied link', async () => {
    const [denied, consumed] = [await linkIn('denied'), await linkIn('consumed')];
    clock.advance(-5 * MINUTE_MS);
    expect(codeOf(await exchange(denied))).toBe('FORBIDDEN');
    expect(codeOf(await exchange(consumed))).toBe('DEVICE_LINK_ALREADY_CONSUMED');
    clock.advance(5 * MINUTE_MS);
  });

  test('[D4] links that ended are told apart for a day, and then forgotten', async () => {
    const consumed = await linkIn('consumed');
    const pending = await linkIn('pending');
    const job = server.service.app.jobs.find(({ name }) => name === 'expired device links');
    clock.advance(24 * 60 * MINUTE_MS);
    await job?.run();
    expect(codeOf(await status(consumed))).toBe('DEVICE_LINK_ALREADY_CONSUMED');
    clock.advance(10 * MINUTE_MS);
    await job?.run();
    for (const link of [consumed, pending]) expect(codeOf(await status(link))).toBe('NOT_FOUND');
  });
});

describe('who decides', () => {
  test('[D4] the same user may approve again', async () => {
    const link = await linkIn('approved');
    expect(await approve(link)).toMatchObject({ status: 200, body: { approved: true } });
    expect(bodyOf(await exchange(link)).userId).toBe(owner.user.userId);
  });

  test("[T7] a second user's approval is a CONFLICT, and the device stays the first one's", async () => {
    const link = await linkIn('approved');
    expect(await approve(link, stranger)).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    expect(await deny(link, stranger)).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    expect(bodyOf(await exchange(link)).userId).toBe(owner.user.userId);
  });

  test('[T7] of two users who approve at once one has the device', async () => {
    for (let round = 0; round < 10; round += 1) {
      const link = await linkIn('pending');
      const outcomes = await Promise.all([approve(link), approve(link, stranger)]);
      expect(outcomes.map(codeOf).toSorted()).toEqual(['CONFLICT', 'ok']);
      const winner = outcomes[0].ok ? owner : stranger;
      expect(bodyOf(await exchange(link)).userId).toBe(winner.user.userId);
    }
  });

  test('[D4] approving and exchanging race with denying: a denied link gives no credential', async () => {
    for (let round = 0; round < 10; round += 1) {
      const link = await linkIn('approved');
      const [denied, exchanged] = await Promise.all([deny(link), exchange(link)]);
      expect([codeOf(denied), codeOf(exchanged)]).toEqual(
        exchanged.ok ? ['DEVICE_LINK_ALREADY_CONSUMED', 'ok'] : ['ok', 'FORBIDDEN'],
      );
    }
  });

  test('[D4] the device itself, and anyone without a session, can neither approve nor deny nor look', async () => {
    const link = await linkIn('pending');
    const device = await server.linkDevice(owner);
    for (const { api } of [server.anonymous, device]) {
      const params = { id: link.publicRequestId };
      expect(codeOf(await api.approveDeviceLink({ params }))).toBe('UNAUTHENTICATED');
      expect(codeOf(await api.denyDeviceLink({ params }))).toBe('UNAUTHENTICATED');
      expect(codeOf(await api.getDeviceLink({ params }))).toBe('UNAUTHENTICATED');
    }
    expect(bodyOf(await describeLink(link)).state).toBe('pending');
  });

  test('[T7] twenty visits of the page and of its data change nothing', async () => {
    const link = await linkIn('pending');
    const row = () => server.service.database.read.selectFrom('deviceLinks').selectAll().execute();
    const before = await row();
    for (let visit = 0; visit < 20; visit += 1) {
      const page = await owner.fetch(`/link/${link.publicRequestId}`);
      expect(page.status).toBe(200);
      bodyOf(await describeLink(link));
    }
    for (const address of [
      `/link/${link.publicRequestId}`,
      `/api/v1/device-links/${link.publicRequestId}/approve`,
    ]) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT']) await owner.fetch(address, { method });
    }
    expect(await row()).toEqual(before);
    expect(codeOf(await exchange(link))).toBe('DEVICE_LINK_NOT_APPROVED');
  });

  test('[T7] a cross-site form can not approve', async () => {
    const link = await linkIn('pending');
    const forged = await owner.fetch(`/api/v1/device-links/${link.publicRequestId}/approve`, {
      method: 'POST',
      headers: { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
    });
    expect(forged.status).toBe(403);
    expect(bodyOf(await describeLink(link)).state).toBe('pending');
  });

  test('[D4] a link whose approver deleted the account gives no credential', async () => {
    const leaving = await server.signUp();
    const link = await linkIn('pending');
    bodyOf(await approve(link, leaving));
    bodyOf(await leaving.api.deleteAccount({ body: { password: leaving.password } }));
    expect(codeOf(await exchange(link))).toBe('NOT_FOUND');
    expect(codeOf(await status(link))).toBe('NOT_FOUND');
  });

  test('[D4] an exchange that races with the deletion of its approver leaves no working credential', async () => {
    for (let round = 0; round < 5; round += 1) {
      const leaving = await server.signUp();
      const link = await linkIn('pending');
      bodyOf(await approve(link, leaving));
      const [deleted, exchanged] = await Promise.all([
        leaving.api.deleteAccount({ body: { password: leaving.password } }),
        exchange(link),
      ]);
      expect(codeOf(deleted)).toBe('ok');
      expect(['ok', 'NOT_FOUND']).toContain(codeOf(exchanged));
      const token = exchanged.ok ? exchanged.body.deviceToken : 'none';
      expect(codeOf(await server.withDeviceToken(token).api.listWorkspaces())).toBe('UNAUTHENTICATED');
    }
  });
});
