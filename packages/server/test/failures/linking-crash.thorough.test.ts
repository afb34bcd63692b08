/** Sudden death: whatever was acknowledged is there when the service is up again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bodyOf } from '@svc/testkit/outcomes';
import { startServiceProcess, type ServiceProcess } from '@svc/testkit/service-process';
import { afterAll, beforeAll, expect, test } from 'vitest';

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-crash-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test('a link whose exchange was answered stays used, and one whose answer was lost gives no second token', async () => {
  const first = await startServiceProcess({ dataDir, generousThrottles: true });
  const owner = await first.signUp();
  const { publicRequestId, verifier } = await first.beginLink();
  bodyOf(await owner.api.approveDeviceLink({ params: { id: publicRequestId } }));
  const exchange = (service: ServiceProcess) =>
    service.anonymous.api.exchangeDeviceLink({ params: { id: publicRequestId }, body: { verifier } });
  const { deviceToken } = bodyOf(await exchange(first));
  first.signal('SIGKILL');
  expect(await first.ended).toEqual({ code: null, signal: 'SIGKILL' });

  await using second = await startServiceProcess({ dataDir, generousThrottles: true });
  expect(await exchange(second)).toMatchObject({ error: { code: 'DEVICE_LINK_ALREADY_CONSUMED' } });
  expect((await second.withDeviceToken(deviceToken).api.getCurrentDevice()).ok).toBe(true);
});
