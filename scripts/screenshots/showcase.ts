/** The subject of the screenshots: an account with the sample report, a share of it and a running scan. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createClient, type Client } from '@svc/client';
import type { CreateReportBody, ProgressEvent } from '@svc/contract';
import type { CanonicalReport } from '@svc/report';
import { done } from '../demo/done.ts';
import { Person } from '../demo/person.ts';
import { customerPolicy, readSample } from '../sample/projections.ts';
import { scanUnderWay } from './scan-under-way.ts';

const MINUTE_MS = 60_000;
/** How long before the screenshot the sample was scanned, so that its relative times are always the same. */
const SCANNED_AGO_MS = 3 * 60 * MINUTE_MS;

export interface Showcase {
  /** The value of the Cookie header. */
  readonly cookie: string;
  readonly reportUrl: string;
  readonly liveUrl: string;
  readonly sharedUrl: string;
}

interface Account {
  readonly person: Client;
  readonly device: Client;
}

export async function makeShowcase(url: string): Promise<Showcase> {
  const { cookie } = await Person.signUp(url);
  const person = createClient({ baseUrl: url, headers: { cookie, origin: url } });
  const account = { person, device: await linkedDevice(url, person) };
  const report = recent(readSample());
  const read = await finishedReport(account, report);
  const live = await runningScan(account);
  const shared = await person.createShare({
    params: { id: read.reportId },
    body: { anonymousAllowed: true, label: 'For a customer', defaultPolicy: customerPolicy(report) },
  });
  return { cookie, reportUrl: read.reportUrl, liveUrl: live.reportUrl, sharedUrl: done(shared).url };
}

/** A device link that waits for approval. */
export async function beginLink(url: string): Promise<{ id: string; verifier: string }> {
  const verifier = randomBytes(32).toString('base64url');
  const { publicRequestId } = done(
    await createClient({ baseUrl: url }).createDeviceLink({
      body: {
        verifierHash: createHash('sha256').update(verifier).digest('hex'),
        deviceName: 'work laptop',
        clientVersion: '0.1.0',
        osFamily: 'linux',
        arch: 'x64',
      },
    }),
  );
  return { id: publicRequestId, verifier };
}

async function linkedDevice(url: string, person: Client): Promise<Client> {
  const { id, verifier } = await beginLink(url);
  done(await person.approveDeviceLink({ params: { id } }));
  const exchanged = await createClient({ baseUrl: url }).exchangeDeviceLink({
    params: { id },
    body: { verifier },
  });
  return createClient({ baseUrl: url, deviceToken: done(exchanged).deviceToken });
}

async function newReport({ person, device }: Account, name: string) {
  const [personal] = done(await person.listWorkspaces({})).workspaces;
  const workspaceId = personal?.workspaceId ?? '';
  const bindingPublicId = randomBytes(12).toString('base64url');
  const { projectId } = done(await person.createProject({ body: { workspaceId, name, bindingPublicId } }));
  const body: CreateReportBody = {
    workspaceId,
    projectId,
    localReportId: randomBytes(12).toString('base64url'),
    effortRequested: 'high',
    effortResolved: 'high',
  };
  return { ...done(await device.createReport({ body })), localReportId: body.localReportId };
}

async function finishedReport(account: Account, report: CanonicalReport) {
  const { device } = account;
  const made = await newReport(account, report.project.name);
  const { reportId, localReportId } = made;
  const bytes = new TextEncoder().encode(JSON.stringify({ ...report, localReportId }));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const params = { id: reportId };
  const { uploadId } = done(
    await device.createUploadIntent({ params, body: { sha256, byteLength: bytes.length } }),
  );
  done(await device.uploadReport({ params: { uploadId }, bytes }));
  done(await device.finalizeReport({ params, body: { uploadId } }));
  return made;
}

async function runningScan(account: Account) {
  const made = await newReport(account, 'tallowmere-apps');
  const { reportId } = made;
  const begunMs = Date.now() - MINUTE_MS;
  const events = scanUnderWay.map(({ afterMs, ...event }): ProgressEvent => ({
    eventId: randomUUID(),
    reportId,
    occurredAt: new Date(begunMs + afterMs).toISOString(),
    ...event,
  }));
  done(await account.device.sendProgress({ params: { id: reportId }, body: { events } }));
  return made;
}

/** Moves all times of the report by the same amount. */
function recent(report: CanonicalReport): CanonicalReport {
  const byMs = Date.now() - SCANNED_AGO_MS - Date.parse(report.scan.finishedAt);
  const text = JSON.stringify(report).replaceAll(/"(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)"/g, (_, time: string) =>
    JSON.stringify(new Date(Date.parse(time) + byMs)),
  );
  return JSON.parse(text) as CanonicalReport;
}
