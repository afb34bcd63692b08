/** The steps of a sync, as a device performs them. */
import type { MovedIdentity } from '@svc/contract';
import type { Actor } from './actors.ts';
import { bodyOf } from './outcomes.ts';
import { declarationOf, reportBytes, reportBytesOfSize } from './report-body.ts';
import { bindProject, shellOf, type BoundProject } from './reports.ts';

export interface Shell extends BoundProject {
  readonly reportId: string;
  readonly localReportId: string;
}

type Caller = Pick<Actor, 'api'>;

/** Creates a report without a body as the device, by default in a new project. */
export async function createShell(device: Caller, project?: BoundProject): Promise<Shell> {
  const body = shellOf(project ?? (await bindProject(device)));
  const { reportId } = bodyOf(await device.api.createReport({ body }));
  const { workspaceId, projectId, localReportId } = body;
  return { reportId, workspaceId, projectId, localReportId };
}

/** Declares bytes for a report. */
export async function declareUpload(device: Caller, reportId: string, bytes: Uint8Array): Promise<string> {
  const declared = await device.api.createUploadIntent({
    params: { id: reportId },
    body: declarationOf(bytes),
  });
  return bodyOf(declared).uploadId;
}

/** Declares and sends bytes. */
export async function upload(
  device: Caller,
  reportId: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const uploadId = await declareUpload(device, reportId, bytes);
  bodyOf(await device.api.uploadReport({ params: { uploadId }, bytes }));
  return uploadId;
}

/** Uploads bytes and finalizes the report. Resolves to the id of the upload. */
export async function finalizeWith(
  device: Caller,
  reportId: string,
  bytes: Uint8Array<ArrayBuffer>,
  previous?: readonly MovedIdentity[],
): Promise<string> {
  const uploadId = await upload(device, reportId, bytes);
  const body = { uploadId, ...(previous && { previous: [...previous] }) };
  bodyOf(await device.api.finalizeReport({ params: { id: reportId }, body }));
  return uploadId;
}

/** Creates and finalizes a report. */
export async function syncReport(
  device: Caller,
  given: {
    readonly project?: BoundProject;
    readonly body?: Readonly<Record<string, unknown>>;
    /** Uses a body of this size. */
    readonly sizeBytes?: number;
    /** Fingerprints that findings had earlier. */
    readonly previous?: readonly MovedIdentity[] | undefined;
  } = {},
): Promise<Shell & { readonly uploadId: string }> {
  const shell = await createShell(device, given.project);
  const { localReportId } = shell;
  const bytes = given.sizeBytes
    ? reportBytesOfSize(localReportId, given.sizeBytes)
    : reportBytes({ ...given.body, localReportId });
  return { ...shell, uploadId: await finalizeWith(device, shell.reportId, bytes, given.previous) };
}
