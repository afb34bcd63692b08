/** Races between replicas have one winner. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  approveLink,
  atOnce,
  bodyOf,
  codeOf,
  createShell,
  bindProject,
  declarationOf,
  exchangeLink,
  PASSWORD,
  reportBytes,
  shellOf,
  upload,
} from '@svc/testkit';
import {
  startReplicas,
  startSharedStores,
  storesMissing,
  type Replicas,
  type SharedStores,
} from '@svc/testkit/replicas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ADMIN = 'boss@example.test';
const DAILY = 5;
const SHARES = 5;
const RACERS = 30;

describe.skipIf(storesMissing())('races over three replicas (install Ceph and Redis)', () => {
  let stores: SharedStores;
  let replicas: Replicas;
  beforeAll(async () => {
    stores = await startSharedStores();
    const environment = { PLATFORM_ADMIN_EMAIL: ADMIN };
    replicas = await startReplicas(stores, { ownPlans: true, environment });
  });
  afterAll(async () => {
    await replicas?.close();
    await stores?.remove();
  });

  /** How often each code was returned. */
  function tally(codes: readonly (string | number)[]): Record<string, number> {
    return Object.fromEntries([...Map.groupBy(codes, String)].map(([code, all]) => [code, all.length]));
  }

  async function newDevice() {
    const owner = await replicas.signUp();
    const device = await replicas.linkDevice(owner);
    return { owner, device, project: await bindProject(owner) };
  }

  test('[T9] many calls create only as many reports as the quota allows', async () => {
    const { device, project } = await newDevice();
    const created = await atOnce(RACERS, () => device.api.createReport({ body: shellOf(project) }));
    expect(tally(created.map(codeOf))).toEqual({ ok: DAILY, SYNC_DAILY_LIMIT_REACHED: RACERS - DAILY });
    expect(bodyOf(await device.api.getSyncQuota()).daily.used).toBe(DAILY);
  });

  test('[T9] a repeated creation returns the same report, and reserves one unit', async () => {
    const { device, project } = await newDevice();
    const body = shellOf(project);
    const created = await atOnce(RACERS, () => device.api.createReport({ body }));
    const ids = created.map((one) => bodyOf(one).reportId);
    expect(new Set(ids).size).toBe(1);
    expect(bodyOf(await device.api.getSyncQuota()).daily.used).toBe(1);
  });

  test('[T9] a repeated finalize returns the same response, and spends one unit', async () => {
    const { device, project } = await newDevice();
    const shell = await createShell(device, project);
    const uploadId = await upload(
      device,
      shell.reportId,
      reportBytes({ localReportId: shell.localReportId }),
    );
    const finalize = () => device.api.finalizeReport({ params: { id: shell.reportId }, body: { uploadId } });
    const answers = (await atOnce(RACERS, finalize)).map(bodyOf);
    expect(new Set(answers.map(({ finalizedAt }) => finalizedAt)).size).toBe(1);
    expect(bodyOf(await device.api.getSyncQuota()).daily.used).toBe(1);
  });

  test('[D6] either a finalize or a new upload wins, never both', async () => {
    for (let round = 0; round < DAILY; round += 1) {
      const { device, project } = await newDevice();
      const { reportId, localReportId } = await createShell(device, project);
      const bytes = reportBytes({ localReportId });
      const uploadId = await upload(device, reportId, bytes);
      const params = { id: reportId };
      const [finalized, declared] = await Promise.all([
        device.api.finalizeReport({ params, body: { uploadId } }),
        device.api.createUploadIntent({ params, body: declarationOf(bytes) }),
      ]);
      expect([finalized, declared].map(codeOf).toSorted()).toEqual(['CONFLICT', 'ok']);
      const { state } = bodyOf(await device.api.createReport({ body: shellOf(project, { localReportId }) }));
      expect(state).toBe(finalized.ok ? 'finalized' : 'live');
    }
  });

  test('[D4] only one of many exchanges of a device link returns the credential', async () => {
    const owner = await replicas.signUp();
    const link = await replicas.beginLink();
    bodyOf(await approveLink(owner, link));
    const exchanged = await atOnce(RACERS, () => exchangeLink(replicas, link));
    expect(tally(exchanged.map(codeOf))).toEqual({ ok: 1, DEVICE_LINK_ALREADY_CONSUMED: RACERS - 1 });
    expect(bodyOf(await owner.api.listDevices()).devices).toHaveLength(1);
  });

  test('[T14] many calls create only as many shares of a report as the plan allows', async () => {
    const { owner, device, project } = await newDevice();
    const { reportId: id } = await createShell(device, project);
    const body = { defaultPolicy: { version: 1 } } as const;
    const created = await atOnce(RACERS, () => owner.api.createShare({ params: { id }, body }));
    expect(tally(created.map(codeOf))).toEqual({ ok: SHARES, CONFLICT: RACERS - SHARES });
  });

  test('[D3] only one of many sign-ups with the same email address succeeds', async () => {
    const body = { email: `${randomUUID()}@example.test`, password: PASSWORD };
    const signedUp = await atOnce(10, () => replicas.anonymous.post('/auth/signup', body));
    expect(tally(signedUp.map(({ status }) => status))).toEqual({ 201: 1, 409: 9 });
  });

  test('[D17] all replicas have one setup token, and it works once', async () => {
    const files = [0, 1, 2].map((index) => path.join(replicas.at(index).dataDir, 'setup-token'));
    const tokens = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    expect(new Set(tokens).size).toBe(1);
    const body = { email: ADMIN, password: PASSWORD, setupToken: tokens[0]?.trim() };
    const signedUp = await atOnce(10, () => replicas.anonymous.post('/auth/signup', body));
    expect(tally(signedUp.map(({ status }) => status))).toEqual({ 201: 1, 409: 9 });
  });
});
