/** Each call on a device link in each state, and who may change the state. */
import type { DeviceLinkState } from '@svc/contract';
import {
  approveLink,
  bodyOf,
  codeOf,
  createFakeClock,
  exchangeLink,
  type DeviceLink,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const clock = createFakeClock();
const server = sharedServer({ clock });
let owner: SessionActor;
let stranger: SessionActor;

beforeAll(async () => {
  owner = await server.signUp();
  stranger = await server.signUp();
});

const approve = (link: DeviceLink, by = owner) => approveLink(by, link);
const deny = ({ publicRequestId: id }: DeviceLink, by = owner) => by.api.denyDeviceLink({ params: { id } });
const exchange = (link: DeviceLink) => exchangeLink(server, link);
const exchangeWrongly = (link: DeviceLink) => exchangeLink(server, link, 'a verifier that is not the one');
const stateOf = async ({ publicRequestId: id }: DeviceLink) =>
  bodyOf(await owner.api.getDeviceLink({ params: { id } })).state;

function status({ publicRequestId: id }: DeviceLink) {
  clock.advance(1000);
  return server.anonymous.api.getDeviceLinkStatus({ params: { id } });
}

async function linkIn(state: DeviceLinkState): Promise<DeviceLink> {
  const link = await server.beginLink();
  if (state === 'approved' || state === 'consumed') bodyOf(await approve(link));
  if (state === 'consumed') bodyOf(await exchange(link));
  if (state === 'denied') bodyOf(await deny(link));
  if (state === 'expired') clock.advance(10 * MINUTE_MS);
  return link;
}

describe('each state', () => {
  const calls = { status, approve, deny, exchange, exchangeWrongly };
  const all = (code: string) => ({
    status: code,
    approve: code,
    deny: code,
    exchange: code,
    exchangeWrongly: code,
  });
  const unapproved = 'DEVICE_LINK_NOT_APPROVED';
  const answers: Record<DeviceLinkState, Record<keyof typeof calls, string>> = {
    pending: { ...all(unapproved), approve: 'ok', deny: 'ok' },
    approved: { ...all('ok'), exchangeWrongly: 'UNAUTHENTICATED' },
    denied: { ...all('FORBIDDEN'), deny: 'ok' },
    consumed: all('DEVICE_LINK_ALREADY_CONSUMED'),
    expired: all('DEVICE_LINK_EXPIRED'),
  };
  const rows = Object.entries(answers).flatMap(([state, row]) =>
    Object.entries(row).map(
      ([call, code]) => [state, call, code] as [DeviceLinkState, keyof typeof calls, string],
    ),
  );

  test.each(rows)('[D4] a link that is %s answers %s with %s', async (state, call, code) => {
    const link = await linkIn(state);
    expect(await stateOf(link)).toBe(state);
    expect(codeOf(await calls[call](link))).toBe(code);
  });

  test('[D4] a clock that steps back revives neither a used nor a denied link', async () => {
    const [denied, consumed] = [await linkIn('denied'), await linkIn('consumed')];
    clock.advance(-5 * MINUTE_MS);
    expect(codeOf(await exchange(denied))).toBe('FORBIDDEN');
    expect(codeOf(await exchange(consumed))).toBe('DEVICE_LINK_ALREADY_CONSUMED');
    clock.advance(5 * MINUTE_MS);
  });

  test('[D4] links that ended still show how they ended for a day, and are then unknown', async () => {
    const consumed = await linkIn('consumed');
    const pending = await linkIn('pending');
    clock.advance(24 * 60 * MINUTE_MS);
    await server.runJob('expired device links');
    expect(codeOf(await status(consumed))).toBe('DEVICE_LINK_ALREADY_CONSUMED');
    clock.advance(10 * MINUTE_MS);
    await server.runJob('expired device links');
    for (const link of [consumed, pending]) expect(codeOf(await status(link))).toBe('NOT_FOUND');
  });
});

describe('who decides', () => {
  test("[T7] a second user's approval is a CONFLICT, and the device stays the first user's", async () => {
    const link = await linkIn('approved');
    expect(codeOf(await approve(link, stranger))).toBe('CONFLICT');
    expect(codeOf(await deny(link, stranger))).toBe('CONFLICT');
    expect(bodyOf(await exchange(link)).userId).toBe(owner.user.userId);
  });

  test('[T7] of two users who approve simultaneously one gets the device', async () => {
    for (let round = 0; round < 10; round += 1) {
      const link = await linkIn('pending');
      const outcomes = await Promise.all([approve(link), approve(link, stranger)]);
      expect(outcomes.map(codeOf).toSorted()).toEqual(['CONFLICT', 'ok']);
      const winner = outcomes[0].ok ? owner : stranger;
      expect(bodyOf(await exchange(link)).userId).toBe(winner.user.userId);
    }
  });

  test('[D4] a denied link returns no credential when denial and exchange race', async () => {
    for (let round = 0; round < 10; round += 1) {
      const link = await linkIn('approved');
      const [denied, exchanged] = await Promise.all([deny(link), exchange(link)]);
      expect([codeOf(denied), codeOf(exchanged)]).toEqual(
        exchanged.ok ? ['DEVICE_LINK_ALREADY_CONSUMED', 'ok'] : ['ok', 'FORBIDDEN'],
      );
    }
  });

  test('[T7] twenty visits to the page and its data change nothing', async () => {
    const link = await linkIn('pending');
    const { publicRequestId: id } = link;
    const row = () => server.service.database.read.selectFrom('deviceLinks').selectAll().execute();
    const before = await row();
    for (let visit = 0; visit < 20; visit += 1) {
      expect((await owner.fetch(`/link/${id}`)).status).toBe(200);
      expect(await stateOf(link)).toBe('pending');
    }
    for (const address of [`/link/${id}`, `/api/v1/device-links/${id}/approve`]) {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT']) await owner.fetch(address, { method });
    }
    expect(await row()).toEqual(before);
    expect(codeOf(await exchange(link))).toBe('DEVICE_LINK_NOT_APPROVED');
  });

  test('[D4] a link whose approver deleted the account returns no credential', async () => {
    const leaving = await server.signUp();
    const link = await linkIn('pending');
    bodyOf(await approve(link, leaving));
    bodyOf(await leaving.api.deleteAccount({ body: { password: leaving.password } }));
    expect(codeOf(await exchange(link))).toBe('NOT_FOUND');
    expect(codeOf(await status(link))).toBe('NOT_FOUND');
  });

  test('[D4] an exchange that races with the deletion of its approver returns no working credential', async () => {
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
