/**
 * Linking a device, as a new user lives it, over HTTP alone and with every default budget: an account, a link, the
 * approval, the credential at work, and its end. Then the same state after a restart.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  APP_ORIGIN,
  bodyOf,
  codeOf,
  cookieOf,
  createFakeClock,
  createTestDatabase,
  startServer,
  type TestServer,
} from '@svc/testkit';
import { describe, expect, test } from 'vitest';

const EMAIL = 'new.person@example.test';
const PASSWORD = 'seven red bicycles in the rain';

describe('linking a device', () => {
  test('[D4] a new person signs up, links a machine, works with it, and revokes it', async () => {
    const clock = createFakeClock('2026-01-07T12:00:00Z');
    await using server = await startServer({ clock, throttled: true });
    const cli = server.anonymous;

    // The machine begins, before there is any account.
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

    // The person opens the address, makes an account there, and sees what asks.
    const approvalPath = link.approvalUrl.slice(APP_ORIGIN.length);
    expect((await cli.fetch(approvalPath)).status).toBe(200);
    const signedUp = await cli.fetch('/api/v1/auth/signup', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: APP_ORIGIN },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
    });
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

    // What the machine does with it.
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
    expect(
      bodyOf(await device.api.getSyncQuota({ query: { workspaceId: project.workspaceId } })),
    ).toMatchObject({
      eligible: true,
      plan: 'free',
      daily: { used: 0, limit: 5 },
    });

    // What it may not do, and what the person sees of it.
    expect(codeOf(await device.api.listDevices())).toBe('UNAUTHENTICATED');
    expect(codeOf(await device.api.approveDeviceLink({ params }))).toBe('UNAUTHENTICATED');
    expect(bodyOf(await browser.api.listDevices()).devices).toMatchObject([
      { deviceId: credential.deviceId, deviceName: 'work laptop', revokedAt: null },
    ]);
    expect(bodyOf(await browser.api.listProjects()).projects).toHaveLength(1);

    // Its end.
    bodyOf(await browser.api.revokeDevice({ params: { id: credential.deviceId } }));
    expect(codeOf(await device.api.listWorkspaces())).toBe('DEVICE_REVOKED');
    expect(codeOf(await device.api.getSyncQuota())).toBe('DEVICE_REVOKED');
    bodyOf(await browser.api.logOut());
    expect(codeOf(await browser.api.listDevices())).toBe('UNAUTHENTICATED');
    expect(bodyOf(await cli.api.logIn({ body: { email: EMAIL, password: PASSWORD } })).user.email).toBe(
      EMAIL,
    );
  });

  test('[D4] sessions, devices, revocations and links under way outlive a restart', async () => {
    const database = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-restart-'));
    const start = (): Promise<TestServer> => startServer({ config: { dataDir, database: database.config } });
    try {
      const before = await start();
      const person = await before.signUp();
      const kept = await before.linkDevice(person);
      const revoked = await before.linkDevice(person);
      bodyOf(await person.api.revokeDevice({ params: { id: revoked.deviceId } }));
      const pending = await before.beginLink();
      const approved = await before.beginLink();
      bodyOf(await person.api.approveDeviceLink({ params: { id: approved.publicRequestId } }));
      await before.close();

      await using after = await start();
      const browser = after.withCookie(person.cookie);
      expect(bodyOf(await browser.api.getSession()).user).toEqual(person.user);
      expect(codeOf(await after.withDeviceToken(kept.deviceToken).api.listWorkspaces())).toBe('ok');
      expect(codeOf(await after.withDeviceToken(revoked.deviceToken).api.listWorkspaces())).toBe(
        'DEVICE_REVOKED',
      );
      for (const { publicRequestId, verifier } of [pending, approved]) {
        const params = { id: publicRequestId };
        bodyOf(await browser.api.approveDeviceLink({ params }));
        expect(codeOf(await after.anonymous.api.exchangeDeviceLink({ params, body: { verifier } }))).toBe(
          'ok',
        );
      }
    } finally {
      await database.drop();
      await rm(dataDir, { recursive: true });
    }
  });
});
