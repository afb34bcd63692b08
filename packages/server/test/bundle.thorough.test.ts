/** `npm start` runs the bundle, which most tests don't. Everything that is loaded lazily must load there. */
import { exportFormats } from '@svc/contract';
import { BILLING_SECRET, sendEvent, subscriptionEvent } from '@svc/testkit/billing';
import { createFakeClock } from '@svc/testkit/clock';
import { bodyOf, codeOf } from '@svc/testkit/outcomes';
import { reportBytesOfSize } from '@svc/testkit/report-body';
import { startServiceProcess } from '@svc/testkit/service-process';
import { createShell, declareUpload } from '@svc/testkit/uploads';
import { expect, test } from 'vitest';

test('the bundle creates accounts, rejects common passwords, links devices, accepts and renders reports of any size, and verifies billing events', async () => {
  await using service = await startServiceProcess({
    environment: { BILLING_WEBHOOK_SECRET: BILLING_SECRET },
  });
  const person = await service.signUp();
  const device = await service.linkDevice(person);
  expect(await device.api.getCurrentDevice()).toMatchObject({ ok: true });
  // Small reports are checked and rendered in the process, large ones in a worker with its own file.
  for (const sizeBytes of [10_000, 1_000_000]) {
    const { reportId, localReportId } = await createShell(device);
    const bytes = reportBytesOfSize(localReportId, sizeBytes);
    const uploadId = await declareUpload(device, reportId, bytes);
    expect(codeOf(await device.api.uploadReport({ params: { uploadId }, bytes }))).toBe('ok');
    const final = await device.api.finalizeReport({ params: { id: reportId }, body: { uploadId } });
    expect(codeOf(final)).toBe('ok');
    for (const format of exportFormats) {
      const file = await person.fetch(`/api/v1/reports/${reportId}/export/${format}`);
      expect([format, file.status, (await file.text()).includes('Order lookup trusts')]).toEqual([
        format,
        200,
        true,
      ]);
    }
  }
  const common = await service.anonymous.api.signUp({
    body: { email: 'other@example.test', password: '1qaz2wsx3edc' },
  });
  expect(common).toMatchObject({ ok: false, error: { code: 'VALIDATION_FAILED' } });

  const { workspaceId } = bodyOf(await person.api.createWorkspace({ body: { name: 'Team' } }));
  const clock = createFakeClock(Date.now());
  const event = subscriptionEvent({ at: clock.now(), workspaceId });
  expect(await sendEvent({ ...service, clock }, event)).toEqual({ applied: true });
  expect(bodyOf(await person.api.getBillingPlan({ query: { workspaceId } })).plan).toBe('pro');
  clock.advance(-600_000);
  await expect(sendEvent({ ...service, clock }, event)).rejects.toThrow('answered with 401');
});

test('V8 accepts the compiled code that Node has for its built-in modules when the service starts', async () => {
  await using service = await startServiceProcess({ environment: { NODE_DEBUG_NATIVE: 'CODE_CACHE' } });
  const modules = (verdict: string) =>
    [...service.output().matchAll(new RegExp(`Code cache of (\\S+) .*is ${verdict}`, 'g'))].map(
      ([, name]) => name,
    );
  expect(modules('accepted').length).toBeGreaterThan(100);
  // Node loads these only when they are used.
  expect(modules('rejected').length).toBeLessThan(20);
});
