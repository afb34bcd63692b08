/** Actions that ask for the password again when the sign-in is some hours old. */
import {
  approveLink,
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  startServer,
  wholePolicy,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeEach, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const CONFIRM = { status: 403, error: { code: 'FORBIDDEN', details: { reason: 'confirm' } } };
const clock = createFakeClock();
const server = sharedServer({ clock, generousPlans: true, config: { confirmAfterMs: HOUR_MS } });
let person: SessionActor;
let reportId: string;

beforeEach(async () => {
  person = await server.signUp();
  ({ reportId } = await createShell(await server.linkDevice(person), await bindProject(person)));
});

const share = (by: SessionActor, body: { password?: string } = {}) =>
  by.api.createShare({ params: { id: reportId }, body: { defaultPolicy: wholePolicy, ...body } });
const confirm = (by: SessionActor, password = by.password) => by.api.confirmSession({ body: { password } });

const approve = async (by: SessionActor) => approveLink(by, await server.beginLink());

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
    expect(bodyOf(await confirm(person))).toEqual({ confirmed: true });
    expect(codeOf(await share(person))).toBe('ok');
    expect(codeOf(await approve(person))).toBe('ok');
    clock.advance(HOUR_MS + 1);
    expect(await share(person)).toMatchObject(CONFIRM);
  });

  test('[D24] a wrong password confirms nothing, and a right one confirms only its session', async () => {
    const elsewhere = { ...person, ...server.withCookie(await server.logIn(person)) };
    clock.advance(HOUR_MS + 1);
    expect(codeOf(await confirm(person, 'not the password'))).toBe('FORBIDDEN');
    expect(await share(person)).toMatchObject(CONFIRM);
    bodyOf(await confirm(elsewhere));
    expect(await share(person)).toMatchObject(CONFIRM);
    expect(codeOf(await share(elsewhere))).toBe('ok');
  });

  test('[D24] an action without permission is denied as before, without asking for the password', async () => {
    const stranger = await server.signUp();
    clock.advance(HOUR_MS + 1);
    expect(codeOf(await share(stranger))).toBe('NOT_FOUND');
    const unknown = { publicRequestId: 'Z'.repeat(32), verifier: '' };
    expect(codeOf(await approveLink(stranger, unknown))).toBe('NOT_FOUND');
    const shown = { userId: person.user.userId };
    expect(codeOf(await approveLink(stranger, await server.beginLink(), shown))).toBe('CONFLICT');
  });
});

test('[D24] without CONFIRM_AFTER_HOURS no password is asked for', async () => {
  await using lenient = await startServer({ clock });
  const someone = await lenient.signUp();
  clock.advance(29 * 24 * HOUR_MS);
  expect(codeOf(await approveLink(someone, await lenient.beginLink()))).toBe('ok');
});
