/**
 * Uploading a report's body: declared, sent, finalized; and each step in the wrong state, in the wrong order or by another
 * account.
 */
import { limits } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  declarationOf,
  declareUpload,
  findingBody,
  reportBytes,
  reportRow,
  syncReport,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeEach, describe, expect, test } from 'vitest';

const clock = createFakeClock();
let person: SessionActor;
let device: DeviceActor;

const server = sharedServer({ clock });

// A new person for each test, because the free plan allows five reports a day.
beforeEach(async () => {
  person = await server.signUp();
  device = await server.linkDevice(person);
});

const DAY_MS = 86_400_000;
const NOWHERE = `upl_${'0'.repeat(26)}`;

async function declared() {
  const shell = await createShell(device);
  const bytes = reportBytes({ localReportId: shell.localReportId });
  return { ...shell, bytes, uploadId: await declareUpload(device, shell.reportId, bytes) };
}

const declare = (reportId: string, byteLength: number) =>
  device.api.createUploadIntent({
    params: { id: reportId },
    body: { sha256: 'a'.repeat(64), byteLength },
  });
const send = (uploadId: string, bytes: Uint8Array<ArrayBuffer>) =>
  device.api.uploadReport({ params: { uploadId }, bytes });
const finalize = (reportId: string, uploadId: string) =>
  device.api.finalizeReport({ params: { id: reportId }, body: { uploadId } });
const used = async () => bodyOf(await device.api.getSyncQuota()).daily.used;

describe('declaring', () => {
  test('[D6] an upload is declared for an hour, with its address and size limit', async () => {
    const { reportId } = await createShell(device);
    expect(await declare(reportId, 1000)).toEqual({
      ok: true,
      status: 201,
      body: {
        uploadId: expect.stringMatching(/^upl_/),
        uploadUrl: expect.stringMatching(/^http:\/\/svc\.test\/api\/v1\/uploads\/upl_/),
        maxBytes: limits.reportBytesMaxDefault,
        expiresAt: new Date(clock.now() + 3_600_000).toISOString(),
      },
    });
  });

  test('[D6] more bytes than the limit are rejected with 413, and exactly the limit is accepted', async () => {
    const { reportId } = await createShell(device);
    expect(await declare(reportId, limits.reportBytesMaxDefault + 1)).toMatchObject({
      status: 413,
      error: { code: 'BAD_REQUEST' },
    });
    expect(codeOf(await declare(reportId, limits.reportBytesMaxDefault))).toBe('ok');
  });

  test('[D6] a newer declaration replaces an older one and the body received under it', async () => {
    const { reportId, bytes, uploadId } = await declared();
    bodyOf(await send(uploadId, bytes));
    const newer = await declareUpload(device, reportId, bytes);
    expect(codeOf(await send(uploadId, bytes))).toBe('CONFLICT');
    expect(codeOf(await finalize(reportId, uploadId))).toBe('CONFLICT');
    expect(codeOf(await finalize(reportId, newer))).toBe('CONFLICT');
    bodyOf(await send(newer, bytes));
    expect(codeOf(await finalize(reportId, newer))).toBe('ok');
  });

  test('[D6] a final report accepts no further declaration', async () => {
    const { reportId } = await syncReport(device);
    expect(codeOf(await declare(reportId, 1000))).toBe('CONFLICT');
  });
});

describe('sending', () => {
  test('[D6] declared bytes are received, and sending them again returns the same', async () => {
    const { bytes, uploadId } = await declared();
    for (let time = 0; time < 3; time += 1) {
      expect(await send(uploadId, bytes)).toEqual({
        ok: true,
        status: 200,
        body: { uploadId, received: true, bytes: bytes.length },
      });
    }
  });

  test('[D6] the same bytes twenty times in parallel are received once', async () => {
    const { reportId, bytes, uploadId } = await declared();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => send(uploadId, bytes)));
    expect(outcomes.map(codeOf)).toEqual(Array.from({ length: 20 }, () => 'ok'));
    expect(codeOf(await finalize(reportId, uploadId))).toBe('ok');
  });

  test('[D6] an upload lapses after an hour, unless it was received', async () => {
    const { bytes, uploadId } = await declared();
    const other = await declared();
    bodyOf(await send(uploadId, bytes));
    clock.advance(3_600_000);
    expect(codeOf(await send(other.uploadId, other.bytes))).toBe('CONFLICT');
    expect(codeOf(await send(uploadId, bytes))).toBe('ok');
  });

  test('[D6] no body is accepted once the report is deleted, final or expired', async () => {
    const deleted = await declared();
    bodyOf(await device.api.deleteReport({ params: { id: deleted.reportId } }));
    expect(codeOf(await send(deleted.uploadId, deleted.bytes))).toBe('REPORT_EXPIRED');
    const { reportId, bytes, uploadId } = await declared();
    bodyOf(await send(uploadId, bytes));
    bodyOf(await finalize(reportId, uploadId));
    expect(codeOf(await send(uploadId, bytes))).toBe('CONFLICT');
    clock.advance(21 * DAY_MS);
    expect(codeOf(await send(uploadId, bytes))).toBe('REPORT_EXPIRED');
    expect(codeOf(await finalize(reportId, uploadId))).toBe('REPORT_EXPIRED');
    expect(codeOf(await declare(reportId, 1000))).toBe('REPORT_EXPIRED');
  });

  test('[D6] bytes that differ from the declaration are rejected: fewer, more, or different ones', async () => {
    const { localReportId, bytes, uploadId } = await declared();
    const swapped = reportBytes({ localReportId, methodologyVersion: '2' });
    expect(swapped).toHaveLength(bytes.length);
    for (const other of [bytes.slice(1), new Uint8Array([...bytes, 0x20]), swapped]) {
      expect(await send(uploadId, other)).toMatchObject({ status: 400, error: { code: 'BAD_REQUEST' } });
    }
    expect(codeOf(await send(uploadId, bytes))).toBe('ok');
  });
});

describe('finalizing', () => {
  test('[D6] a received report is finalized, and its unit is spent', async () => {
    const { reportId, bytes, uploadId } = await declared();
    expect(codeOf(await finalize(reportId, uploadId))).toBe('CONFLICT');
    bodyOf(await send(uploadId, bytes));
    const expiresAt = new Date(clock.now() + 21 * DAY_MS).toISOString();
    const answer = await finalize(reportId, uploadId);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        reportId,
        reportUrl: `http://svc.test/reports/${reportId}`,
        state: 'finalized',
        finalizedAt: new Date(clock.now()).toISOString(),
        expiresAt,
        quota: { daily: { used: 1 } },
      },
    });
    clock.advance(1000);
    expect(await finalize(reportId, uploadId)).toEqual(answer);
  });

  test('[T9] a hundred parallel finalizes spend one unit', async () => {
    const { reportId, bytes, uploadId } = await declared();
    bodyOf(await send(uploadId, bytes));
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => finalize(reportId, uploadId)));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(await used()).toBe(1);
    clock.advance(limits.reservationLifetimeMs);
    expect(bodyOf(await device.api.getSyncQuota()).weekly.used).toBe(1);
  });

  test('[D6] a final report rejects another upload', async () => {
    const { reportId, uploadId } = await syncReport(device);
    const other = await declared();
    for (const id of [NOWHERE, other.uploadId, 'nothing'])
      expect(codeOf(await finalize(reportId, id))).toBe('CONFLICT');
    expect(codeOf(await finalize(reportId, uploadId))).toBe('ok');
  });

  test("[T3] another report's upload finalizes nothing", async () => {
    const [one, other] = [await declared(), await declared()];
    bodyOf(await send(other.uploadId, other.bytes));
    expect(codeOf(await finalize(one.reportId, other.uploadId))).toBe('CONFLICT');
  });

  test('[D5] a unit whose reservation has lapsed is reserved again, if the limit allows it', async () => {
    const { reportId, bytes, uploadId } = await declared();
    bodyOf(await send(uploadId, bytes));
    clock.advance(limits.reservationLifetimeMs);
    expect(await used()).toBe(0);
    for (let count = 0; count < 5; count += 1) await createShell(device);
    expect(await finalize(reportId, uploadId)).toMatchObject({
      status: 429,
      error: { code: 'SYNC_DAILY_LIMIT_REACHED', details: { daily: { used: 5, limit: 5 } } },
    });
    clock.advance(limits.reservationLifetimeMs);
    expect(codeOf(await finalize(reportId, uploadId))).toBe('ok');
    expect(await used()).toBe(1);
  });

  test('[D5] the project shows when its newest report became final, and how many findings are open', async () => {
    const project = await bindProject(person);
    const findings = [findingBody(1), { ...findingBody(2), status: 'accepted_risk' }, findingBody(3)];
    await syncReport(device, { project, body: { findings } });
    const first = new Date(clock.now()).toISOString();
    const shown = async () =>
      bodyOf(await device.api.listProjects()).projects.find(
        ({ projectId }) => projectId === project.projectId,
      );
    expect(await shown()).toMatchObject({
      lastReportAt: first,
      openFindings: { critical: 0, high: 2, medium: 0, low: 0, info: 0 },
    });
    clock.advance(1000);
    const newer = await syncReport(device, { project, body: { findings: [] } });
    expect(await shown()).toMatchObject({ openFindings: { high: 0 } });
    bodyOf(await person.api.deleteReport({ params: { id: newer.reportId } }));
    // The deleted report still counts as a scan that found nothing, so the findings stay fixed.
    expect(await shown()).toMatchObject({ lastReportAt: first, openFindings: { high: 0 } });
  });
});

describe('a received body', () => {
  test('[D6] is read byte for byte once the report is final', async () => {
    const { reportId, bytes, uploadId } = await declared();
    bodyOf(await send(uploadId, bytes));
    bodyOf(await finalize(reportId, uploadId));
    const row = await reportRow(server, reportId);
    const read = await server.service.app.uploads.readBytes(row);
    expect(Buffer.from(read).equals(bytes)).toBe(true);
    bodyOf(await person.api.deleteReport({ params: { id: reportId } }));
    await expect(server.service.app.uploads.readBytes(row)).rejects.toMatchObject({
      code: 'REPORT_EXPIRED',
    });
  });

  test('[D6] may be declared with a digest in upper case', async () => {
    const { reportId, localReportId } = await createShell(device);
    const bytes = reportBytes({ localReportId });
    const { sha256, byteLength } = declarationOf(bytes);
    const made = await device.api.createUploadIntent({
      params: { id: reportId },
      body: { sha256: sha256.toUpperCase(), byteLength },
    });
    expect(codeOf(await send(bodyOf(made).uploadId, bytes))).toBe('ok');
  });
});

test('[D2] an upload of a device that is revoked while it sends is rejected', async () => {
  const { bytes, uploadId, reportId } = await declared();
  const revoked = Promise.withResolvers<void>();
  const half = Math.floor(bytes.length / 2);
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes.subarray(0, half));
      await revoked.promise;
      controller.enqueue(bytes.subarray(half));
      controller.close();
    },
  });
  const answer = device.fetch(`/api/v1/uploads/${uploadId}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body,
    duplex: 'half',
  });
  bodyOf(await person.api.revokeDevice({ params: { id: device.deviceId } }));
  revoked.resolve();
  const rejected = await answer;
  expect(rejected.status).toBe(401);
  expect(await rejected.json()).toMatchObject({ error: { code: 'DEVICE_REVOKED' } });
  const row = await server.service.database.read
    .selectFrom('uploads')
    .select('receivedAt')
    .where('reportId', '=', reportId)
    .executeTakeFirstOrThrow();
  expect(row.receivedAt).toBeNull();
});
