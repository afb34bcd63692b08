/**
 * SIGTERM during uploads and open streams: the service becomes unready first, finishes active uploads, aborts a
 * stalled one, ends streams cleanly and exits with 0. All data exists after the next start.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectRaw, watchEvents, type RawConnection, type ServiceProcess, type Watch } from '@svc/testkit';
import { auditDatabaseFile, auditPerson } from './books.ts';
import { auditContents } from './contents.ts';
import type { Fault, FaultOptions } from './fault.ts';
import { createPerson, newReport, type Known, type Person } from './people.ts';
import { mustTake, stepsLeft } from './steps.ts';
import { until } from './until.ts';
import { endServices, startService } from './service.ts';

const UPLOADS = 6;
const STREAMS = 3;
/** A user may have many concurrent uploads of this size. */
const BODY_BYTES = 200_000;
const NOT_READY_WITHIN_MS = 900;
/** The delay between parts of an upload; the last parts arrive well after the service became unready. */
const PAUSE_MS = 700;
const PARTS = 4;
/** The grace period of a stop, plus some time to exit. */
const ENDED_WITHIN_MS = 12_500;

export const stopFault: Fault = {
  name: 'stop',
  async run(options) {
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-faults-stop-'));
    try {
      return await stopAmidUploads(dataDir, options);
    } finally {
      await endServices();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function stopAmidUploads(dataDir: string, { program, short }: FaultOptions) {
  const start = () => startService({ dataDir, program });
  const problems: string[] = [];
  const service = await start();
  const person = await createPerson(service);
  const uploads: Upload[] = [];
  for (let number = 0; number < UPLOADS; number += 1) uploads.push(await beginUpload(service, person));
  const watches = await watchOver(service, person);
  // A stop waits the whole grace period for a stalled upload.
  if (!short) await beginUpload(service, person);

  const began = performance.now();
  service.signal('SIGTERM');
  const isUnready = async () => (await service.anonymous.api.getReady()).status === 503;
  if ((await until(NOT_READY_WITHIN_MS, isUnready)) === null) problems.push('the service stays ready');
  const statuses = await Promise.all(uploads.map(goOn));
  for (const [index, status] of statuses.entries()) {
    const { report } = uploads[index] ?? {};
    if (status === 200 && report) report.received = true;
    else problems.push(`an upload under way was answered with ${status}`);
  }
  const ending = await Promise.race([service.ended, pause(ENDED_WITHIN_MS)]);
  const tookMs = performance.now() - began;
  if (!ending || tookMs > ENDED_WITHIN_MS)
    problems.push(`the service had not ended after ${tookMs.toFixed(0)} ms`);
  else if (ending.code !== 0)
    problems.push(`the service ended with code ${ending.code}, by ${ending.signal}`);
  if (service.alive()) service.signal('SIGKILL');
  for (const watch of watches) {
    await watch.untilOver();
    if (watch.ending() !== 'ended') problems.push(`a stream was ${watch.ending()}`);
  }
  await service.ended;

  const again = await start();
  problems.push(...(await auditPerson(again, person)), ...auditDatabaseFile(dataDir));
  for (const report of person.reports) await mustTake(stepsLeft(report), { actors: again, person, report });
  problems.push(...(await auditPerson(again, person)));
  await again.stop();
  problems.push(...(await auditContents(dataDir, [person])));
  return {
    checked: `SIGTERM with ${UPLOADS} uploads under way${short ? '' : ', one that stalls'} and ${STREAMS} streams open: not ready first, each upload is finished and exists after the next start, the streams end, code 0`,
    problems,
    details: { tookMs: Math.round(tookMs) },
  };
}

/** Streams of a report that is being uploaded, each of which has delivered an event. */
async function watchOver(service: ServiceProcess, { cookie, reports }: Person): Promise<Watch[]> {
  const watches: Watch[] = [];
  for (let number = 0; number < STREAMS; number += 1) {
    const watch = await watchEvents(service.url, reports[0]?.reportId ?? '', { cookie });
    await watch.until(() => watch.events.length > 0);
    watches.push(watch);
  }
  return watches;
}

interface Upload {
  readonly report: Known;
  readonly connection: RawConnection;
}

/** Begins an upload and sends the first part of its body. */
async function beginUpload(service: ServiceProcess, person: Person): Promise<Upload> {
  const report = newReport(person, BODY_BYTES);
  await mustTake(['create', 'intent'], { actors: service, person, report });
  const connection = await connectRaw(service.port);
  await connection.send(
    [
      `PUT /api/v1/uploads/${report.uploadId} HTTP/1.1`,
      `Host: 127.0.0.1:${service.port}`,
      `Authorization: Bearer ${person.deviceToken}`,
      'Content-Type: application/json',
      `Content-Length: ${report.bytes.length}`,
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  );
  await connection.until(1, 'continues');
  await connection.send(partOf(report.bytes, 0));
  return { report, connection };
}

/** Sends the other parts of the body. Resolves to the status; 0 without a response. */
async function goOn({ report, connection }: Upload): Promise<number> {
  try {
    for (let part = 1; part < PARTS; part += 1) {
      await pause(PAUSE_MS);
      await connection.send(partOf(report.bytes, part));
    }
    const { answers } = await connection.untilClosed();
    return answers[0]?.status ?? 0;
  } catch {
    return 0;
  }
}

function partOf(bytes: Uint8Array, part: number): Uint8Array {
  const at = (index: number) => Math.floor((bytes.length * index) / PARTS);
  return bytes.subarray(at(part), at(part + 1));
}
