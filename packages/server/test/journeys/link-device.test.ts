/**
 * Linking a device as a new user, over HTTP only and with every default limit: an account, a link, the approval, the
 * credential in use, and its end. Then the same state after a restart.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  APP_ORIGIN,
  approveLink,
  bodyOf,
  codeOf,
  cookieOf,
  createFakeClock,
  createTestStorage,
  exchangeLink,
  startServer,
} from '@svc/testkit';
import { describe, expect, test } from 'vitest';

const EMAIL = 'new.person@example.test';
const PASSWORD = 'seven red bicycles in the rain';

describe('linking a device', () => {
  test('[D4] a new person signs up, links a machine, works with it, and revokes it', async () => {
    const clock = createFakeClock('2026-01-07T12:00:00Z');
    await using server = await startServer({ clock, throttled: true });
    const cli = server.anonymous;

    // The machine begins, before any account exists.
    const verifier = randomBytes(32).toString('base64url');
    const link = bodyOf(
      await cli.api.createDeviceLink({
        body: {
          verifierHash: createHash('sha256').update(verifier).digest('hex'),
          deviceName: 'work laptop',
          clientVersion: '1.0.0',
          osFamily: 'linux',
          arch: 'x64',
        },
      }),
    );
    const params = { id: link.publicRequestId };
    expect(link.approvalUrl).toBe(`${APP_ORIGIN}/link/${link.publicRequestId}`);
    expect(codeOf(await cli.api.getDeviceLinkStatus({ params }))).toBe('DEVICE_LINK_NOT_APPROVED');

    // The person opens the address, creates an account there, and sees the device's description.
    const approvalPath = link.approvalUrl.slice(APP_ORIGIN.length);
    expect((await cli.fetch(approvalPath)).status).toBe(200);
    const account = { email: EMAIL, password: PASSWORD };
    const signedUp = await cli.post('/auth/signup', account, { origin: APP_ORIGIN });
    expect(signedUp.status).toBe(201);
    const browser = server.withCookie(cookieOf(signedUp));
    const shown = bodyOf(await browser.api.getDeviceLink({ params }));
    expect(shown).toMatchObject({ state: 'pending', deviceName: 'work laptop', osFamily: 'linux' });
    const page = await (await browser.fetch(approvalPath)).text();
    for (const seen of [shown.matchCode, 'work laptop', 'linux', EMAIL]) expect(page).toContain(seen);

    // Approval, polling, exchange.
    clock.advance(link.pollIntervalMs);
    expect(codeOf(await cli.api.getDeviceLinkStatus({ params }))).toBe('DEVICE_LINK_NOT_APPROVED');
    expect(bodyOf(await browser.api.approveDeviceLink({ params }))).toEqual({ approved: true });
    clock.advance(link.pollIntervalMs);
    expect(bodyOf(await cli.api.getDeviceLinkStatus({ params })).status).toBe('approved');
    const credential = bodyOf(await cli.api.exchangeDeviceLink({ params, body: { verifier } }));
    expect(credential).toMatchObject({ deviceName: 'work laptop', email: EMAIL, apiBaseUrl: APP_ORIGIN });
    expect(codeOf(await cli.api.exchangeDeviceLink({ params, body: { verifier } }))).toBe(
      'DEVICE_LINK_ALREADY_CONSUMED',
    );

    // What the machine does with the credential.
    const device = server.withDeviceToken(credential.deviceToken);
    const [personal] = bodyOf(await device.api.listWorkspaces()).workspaces;
    const project = {
      workspaceId: personal?.workspaceId ?? '',
      name: 'repository',
      bindingPublicId: 'first-binding',
    };
    const made = bodyOf(await device.api.createProject({ body: project }));
    expect(made.created).toBe(true);
    expect(bodyOf(await device.api.createProject({ body: project }))).toEqual({ ...made, created: false });
    expect(bodyOf(await device.api.listProjects()).projects).toMatchObject([{ projectId: made.projectId }]);
    const { workspaceId } = project;
    const quota = { eligible: true, plan: 'free', daily: { used: 0, limit: 5 } };
    expect(bodyOf(await device.api.getSyncQuota({ query: { workspaceId } }))).toMatchObject(quota);

    // What the device may not do, and what the person sees of it.
    expect(codeOf(await device.api.listDevices())).toBe('UNAUTHENTICATED');
    expect(codeOf(await device.api.approveDeviceLink({ params }))).toBe('UNAUTHENTICATED');
    expect(bodyOf(await browser.api.listDevices()).devices).toMatchObject([
      { deviceId: credential.deviceId, deviceName: 'work laptop', revokedAt: null },
    ]);
    expect(bodyOf(await browser.api.listProjects()).projects).toHaveLength(1);

    // The credential ends.
    bodyOf(await browser.api.revokeDevice({ params: { id: credential.deviceId } }));
    expect(codeOf(await device.api.listWorkspaces())).toBe('DEVICE_REVOKED');
    expect(codeOf(await device.api.getSyncQuota())).toBe('DEVICE_REVOKED');
    bodyOf(await browser.api.logOut());
    expect(codeOf(await browser.api.listDevices())).toBe('UNAUTHENTICATED');
    expect(bodyOf(await cli.api.logIn({ body: account })).user.email).toBe(EMAIL);
  });

  test('[D4] sessions, devices, revocations and links under way survive a restart', async () => {
    await using storage = await createTestStorage();
    const { dataDir, database } = storage;
    const start = () => startServer({ config: { dataDir, database } });
    const before = await start();
    const person = await before.signUp();
    const kept = await before.linkDevice(person);
    const revoked = await before.linkDevice(person);
    bodyOf(await person.api.revokeDevice({ params: { id: revoked.deviceId } }));
    const pending = await before.beginLink();
    const approved = await before.beginLink();
    bodyOf(await approveLink(person, approved));
    await before.close();

    await using after = await start();
    const browser = after.withCookie(person.cookie);
    expect(bodyOf(await browser.api.getSession()).user).toEqual(person.user);
    expect(codeOf(await after.withDeviceToken(kept.deviceToken).api.listWorkspaces())).toBe('ok');
    expect(codeOf(await after.withDeviceToken(revoked.deviceToken).api.listWorkspaces())).toBe(
      'DEVICE_REVOKED',
    );
    for (const link of [pending, approved]) {
      bodyOf(await approveLink(browser, link));
      expect(codeOf(await exchangeLink(after, link))).toBe('ok');
    }
  });
});
