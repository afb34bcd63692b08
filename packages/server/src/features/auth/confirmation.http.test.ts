/** Actions that ask for the password again once the sign-in is some hours old. */
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  startServer,
  wholePolicy,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const CONFIRM = { status: 403, error: { code: 'FORBIDDEN', details: { reason: 'confirm' } } };
const clock = createFakeClock();
let server: TestServer;
let person: SessionActor;
let reportId: string;

beforeAll(async () => {
  server = await startServer({ clock, generousPlans: true, config: { confirmAfterMs: HOUR_MS } });
});
afterAll(() => server.close());
beforeEach(async () => {
  person = await server.signUp();
  ({ reportId } = await createShell(await server.linkDevice(person), await bindProject(person)));
});

const share = (by: SessionActor, body: { password?: string } = {}) =>
  by.api.createShare({ params: { id: reportId }, body: { defaultPolicy: wholePolicy, ...body } });
const confirm = (by: SessionActor, password = by.password) => by.api.confirmSession({ body: { password } });

async function approve(by: SessionActor) {
  const { publicRequestId: id } = await server.beginLink();
  return by.api.approveDeviceLink({ params: { id } });
}

describe('with CONFIRM_AFTER_HOURS', () => {
  test('[D24] an old sign-in creates no share and approves no device until the password is given again', async () => {
    clock.advance(HOUR_MS);
    expect(codeOf(await share(person))).toBe('ok');
    expect(codeOf(await approve(person))).toBe('ok');
    clock.advance(1);
    for (const outcome of [
      await share(person),
      await share(person, { password: 'a password of the link' }),
      await approve(person),
    ])
      expect(outcome).toMatchObject(CONFIRM);
    expect(bodyOf(await person.api.listShares({ params: { id: reportId } })).shares).toHaveLength(1);
    expect(await confirm(person)).toMatchObject({ status: 200, body: { confirmed: true } });
    expect(codeOf(await share(person))).toBe('ok');
    expect(codeOf(await approve(person))).toBe('ok');
    clock.advance(HOUR_MS + 1);
    expect(await share(person)).toMatchObject(CONFIRM);
  });

  test('[D24] a wrong password confirms nothing, and a right one only the session that gave it', async () => {
    const elsewhere = { ...person, ...server.withCookie(await server.logIn(person)) };
    clock.advance(HOUR_MS + 1);
    expect(await confirm(person, 'not the password')).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN' },
    });
    expect(await share(person)).toMatchObject(CONFIRM);
    bodyOf(await confirm(elsewhere));
    expect(await share(person)).toMatchObject(CONFIRM);
    expect(codeOf(await share(elsewhere))).toBe('ok');
  });

  test('[D24] what the caller may not do is answered as ever, without asking', async () => {
    const stranger = await server.signUp();
    clock.advance(HOUR_MS + 1);
    expect(codeOf(await share(stranger))).toBe('NOT_FOUND');
    expect(codeOf(await stranger.api.approveDeviceLink({ params: { id: 'Z'.repeat(32) } }))).toBe(
      'NOT_FOUND',
    );
    const { publicRequestId: id } = await server.beginLink();
    const shown = { userId: person.user.userId };
    expect(codeOf(await stranger.api.approveDeviceLink({ params: { id }, body: shown }))).toBe('CONFLICT');
  });
});

test('[D24] without CONFIRM_AFTER_HOURS nobody is asked', async () => {
  await using lenient = await startServer({ clock });
  const someone = await lenient.signUp();
  clock.advance(29 * 24 * HOUR_MS);
  const { publicRequestId: id } = await lenient.beginLink();
  expect(codeOf(await someone.api.approveDeviceLink({ params: { id } }))).toBe('ok');
});
