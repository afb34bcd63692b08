/** Devices that sync, each of its own user, and the calls that they make. */
import { bindProject, shellOf, type BoundProject, type ServiceProcess } from '@svc/testkit';
import type { Sender } from '../harness/sender.ts';
import type { PreparedReport } from './report-template.ts';

export interface SyncingDevice {
  readonly headers: { readonly authorization: string };
  /** As in a Cookie header: the session of the device's user. */
  readonly cookie: string;
  readonly project: BoundProject;
}

export async function linkDevices(service: ServiceProcess, count: number): Promise<SyncingDevice[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const owner = await service.signUp();
      const device = await service.linkDevice(owner);
      const headers = { authorization: `Bearer ${device.deviceToken}` };
      return { headers, cookie: owner.cookie, project: await bindProject(device) };
    }),
  );
}

/** @returns the report's id. */
export async function createReport(
  sender: Sender,
  { headers, project }: SyncingDevice,
  localReportId?: string,
): Promise<string> {
  const body = JSON.stringify(shellOf(project, localReportId === undefined ? {} : { localReportId }));
  const created = await sender.expect(201, { method: 'POST', path: '/api/v1/reports', headers, body });
  return (JSON.parse(created) as { reportId: string }).reportId;
}

/** @returns the upload's id. */
export async function declareUpload(
  sender: Sender,
  { headers }: SyncingDevice,
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

export async function sendUpload(
  sender: Sender,
  { headers }: SyncingDevice,
  uploadId: string,
  { bytes }: PreparedReport,
): Promise<void> {
  await sender.expect(200, { method: 'PUT', path: `/api/v1/uploads/${uploadId}`, headers, body: bytes });
}

export async function finalize(
  sender: Sender,
  { headers }: SyncingDevice,
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
