/** What a new password does to the devices of the account. */
import { approveLink, bodyOf, codeOf, createTeam, exchangeLink, type SessionActor } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeEach, describe, expect, test } from 'vitest';

const NEW_PASSWORD = 'purple elephants dance at noon';
const server = sharedServer();
let person: SessionActor;

beforeEach(async () => {
  person = await server.signUp();
});

const recover = ({ email, recoveryCode }: SessionActor, more: { keepDevices?: boolean } = {}) =>
  server.anonymous.api.recover({ body: { email, recoveryCode, newPassword: NEW_PASSWORD, ...more } });
const change = ({ api, password }: SessionActor, more: { revokeDevices?: boolean } = {}) =>
  api.changePassword({ body: { password, newPassword: NEW_PASSWORD, ...more } });

async function approvedLink() {
  const link = await server.beginLink();
  bodyOf(await approveLink(person, link));
  return link;
}

describe.each([
  ['recovering the account', () => recover(person), () => recover(person, { keepDevices: true })],
  ['a new password', () => change(person, { revokeDevices: true }), () => change(person)],
])('%s', (_, revoking, keeping) => {
  test('[D24] revokes every device of the account, and no other', async () => {
    const [one, two] = [await server.linkDevice(person), await server.linkDevice(person)];
    const others = await server.linkDevice(await server.signUp());
    expect(codeOf(await one.api.listWorkspaces())).toBe('ok');
    expect(codeOf(await revoking())).toBe('ok');
    for (const device of [one, two]) expect(codeOf(await device.api.listWorkspaces())).toBe('DEVICE_REVOKED');
    expect(codeOf(await others.api.listWorkspaces())).toBe('ok');
  });

  test('[D24] also ends an approval that the device has not used yet', async () => {
    const link = await approvedLink();
    expect(codeOf(await revoking())).toBe('ok');
    expect(codeOf(await exchangeLink(server, link))).toBe('FORBIDDEN');
  });

  test('[D24] keeps devices and approvals when asked to', async () => {
    const device = await server.linkDevice(person);
    const link = await approvedLink();
    expect(codeOf(await keeping())).toBe('ok');
    expect(codeOf(await device.api.listWorkspaces())).toBe('ok');
    expect(codeOf(await exchangeLink(server, link))).toBe('ok');
  });
});

test('[D24] a wrong recovery code and a wrong password revoke nothing', async () => {
  const device = await server.linkDevice(person);
  const wrong = { ...person, recoveryCode: '00000-00000-00000-00000-00000', password: 'not the password' };
  expect(codeOf(await recover(wrong))).toBe('UNAUTHENTICATED');
  expect(codeOf(await change(wrong, { revokeDevices: true }))).toBe('FORBIDDEN');
  expect(codeOf(await device.api.listWorkspaces())).toBe('ok');
});

test('[D24] records the revocations in the audit logs of the account’s workspaces', async () => {
  const id = await createTeam(person);
  const { deviceId } = await server.linkDevice(person);
  bodyOf(await change(person, { revokeDevices: true }));
  const { entries } = bodyOf(await person.api.listWorkspaceAudit({ params: { id } }));
  expect(entries.at(-1)).toMatchObject({
    action: 'device_revoked',
    actorId: person.user.userId,
    subjectId: deviceId,
  });
});

test('[D24] no approval that is under way survives a recovery', async () => {
  for (let round = 0; round < 8; round += 1) {
    const someone = await server.signUp();
    const link = await server.beginLink();
    await Promise.all([recover(someone), approveLink(someone, link)]);
    expect(['DEVICE_LINK_NOT_APPROVED', 'FORBIDDEN']).toContain(codeOf(await exchangeLink(server, link)));
  }
});
