/** Devices, each with its own user, and the calls of a sync. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  bindProject,
  shellOf,
  type BoundProject,
  type ServiceProcess,
  type SessionActor,
} from '@svc/testkit';
import type { Sender } from '../harness/sender.ts';
import type { PreparedReport } from './report-template.ts';

const TRIES_MAX = 30;
const RETRY_AFTER_MS = 2000;

/** What the calls of a sync need. */
export interface BoundDevice {
  readonly headers: { readonly authorization: string };
  readonly project: BoundProject;
}

export interface SyncingDevice extends BoundDevice {
  readonly owner: SessionActor;
}

export async function linkDevices(service: ServiceProcess, count: number): Promise<SyncingDevice[]> {
  return Promise.all(Array.from({ length: count }, () => linkDevice(service)));
}

export async function linkDevice(service: ServiceProcess): Promise<SyncingDevice> {
  const owner = await service.signUp();
  const device = await service.linkDevice(owner);
  const headers = { authorization: `Bearer ${device.deviceToken}` };
  return { headers, owner, project: await bindProject(device) };
}

/** @returns the report's id. */
export async function createReport(
  sender: Sender,
  { headers, project }: BoundDevice,
  localReportId?: string,
): Promise<string> {
  const body = JSON.stringify(shellOf(project, localReportId === undefined ? {} : { localReportId }));
  const created = await sender.expect(201, { method: 'POST', path: '/api/v1/reports', headers, body });
  return (JSON.parse(created) as { reportId: string }).reportId;
}

/** @returns the upload's id. */
export async function declareUpload(
  sender: Sender,
  { headers }: Pick<BoundDevice, 'headers'>,
  reportId: string,
  { bytes, sha256 }: PreparedReport,
): Promise<string> {
  const declared = await sender.expect(201, {
    method: 'POST',
    path: `/api/v1/reports/${reportId}/upload-intent`,
    headers,
    body: JSON.stringify({ sha256, byteLength: bytes.length }),
  });
  return (JSON.parse(declared) as { uploadId: string }).uploadId;
}

/**
 * Repeats an upload that a busy service rejects with RATE_LIMITED. On a quiet machine, the service rejects no upload of
 * the suites.
 */
export async function sendUpload(
  sender: Sender,
  { headers }: Pick<BoundDevice, 'headers'>,
  uploadId: string,
  { bytes }: PreparedReport,
): Promise<void> {
  const request = { method: 'PUT', path: `/api/v1/uploads/${uploadId}`, headers, body: bytes } as const;
  for (let tried = 1; ; tried += 1) {
    const { status, text } = await sender.send(request);
    if (status === 200) return;
    if (status !== 429 || tried === TRIES_MAX) throw new Error(`An upload returned ${status}: ${text}`);
    await pause(RETRY_AFTER_MS);
  }
}

export async function finalize(
  sender: Sender,
  { headers }: Pick<BoundDevice, 'headers'>,
  reportId: string,
  uploadId: string,
): Promise<void> {
  await sender.expect(200, {
    method: 'POST',
    path: `/api/v1/reports/${reportId}/finalize`,
    headers,
    body: JSON.stringify({ uploadId }),
  });
}

/** A whole sync. @returns the report's id. */
export async function sync(sender: Sender, device: BoundDevice, report: PreparedReport): Promise<string> {
  const reportId = await createReport(sender, device, report.localReportId);
  const uploadId = await declareUpload(sender, device, reportId, report);
  await sendUpload(sender, device, uploadId, report);
  await finalize(sender, device, reportId, uploadId);
  return reportId;
}
