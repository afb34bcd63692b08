/**
 * Where report bodies are stored, what happens when storage fails or a process dies, and that they are deleted
 * permanently.
 */
import { readFileSync, rmSync, truncateSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  declareUpload,
  filesHolding,
  blobFilesIn,
  findingBody,
  reportBytes,
  reportBytesOfSize,
  reportRow,
  syncReport,
  upload,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Blobs } from '#platform/blobs/blobs';

const CANARY = 'the canary of the contents suite';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const clock = createFakeClock();
/** The next faults; each occurs once. */
const faults: { put?: 'before' | 'after'; delete?: true } = {};
let person: SessionActor;
let device: DeviceActor;

function diskFull(): Error {
  return Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
}

function failing(blobs: Blobs): Blobs {
  return {
    ...blobs,
    async put(name, parts) {
      const fault = faults.put;
      delete faults.put;
      if (fault === 'before') throw diskFull();
      await blobs.put(name, parts);
      // Simulates a process that ends after the blob was stored and before its transaction.
      if (fault === 'after') throw diskFull();
    },
    async delete(name) {
      const fault = faults.delete;
      delete faults.delete;
      if (fault) throw Object.assign(new Error('input/output error'), { code: 'EIO' });
      await blobs.delete(name);
    },
  };
}

// The tests look at the files.
const server = sharedServer({ clock, wrapBlobs: failing, config: { bucket: null } });
beforeEach(async () => {
  person = await server.signUp();
  device = await server.linkDevice(person);
});
afterEach(async () => {
  await server.runJob('blobs pending deletion');
  if (Object.keys(faults).length > 0) throw new Error('a fault did not happen');
});

test.each([
  ['missing', (file: string) => rmSync(file)],
  ['damaged', (file: string) => truncateSync(file, 100)],
  ['damaged', (file: string) => truncateSync(file, 0)],
])('a body that is %s is named in the log with its report, and others can be read', async (what, harm) => {
  const whole = await syncReport(device);
  const before = blobFiles();
  const { reportId } = await syncReport(device);
  const file = blobFiles().find((one) => !before.includes(one)) ?? '';
  harm(file);
  expect(codeOf(await person.api.getReport({ params: { id: reportId } }))).toBe('INTERNAL');
  const reason = `the body of report ${reportId} is ${what} (${basename(file)})`;
  expect(server.logLines.some((line) => line.includes(reason))).toBe(true);
  expect(codeOf(await person.api.getReport({ params: { id: whole.reportId } }))).toBe('ok');
});

const blobFiles = () => blobFilesIn(server.dataDir);

/** Every file of the data folder and every line of the log that contains a text. */
function placesOf(text: string): string[] {
  const files = filesHolding(server.dataDir, [text]);
  return [...files, ...server.logLines.filter((line) => line.includes(text))];
}

/** Resolves once the deletions after commits are done. */
const settled = () => server.service.app.uploads.settled();

const withCanary = { findings: [{ ...findingBody(1), title: CANARY }] };
const used = async () => bodyOf(await device.api.getSyncQuota()).daily.used;

async function ready() {
  const shell = await createShell(device);
  const bytes = reportBytes({ ...withCanary, localReportId: shell.localReportId });
  return { ...shell, bytes, uploadId: await declareUpload(device, shell.reportId, bytes) };
}

const rowOf = (reportId: string) => reportRow(server, reportId);

describe('a stored report body', () => {
  test('[D6] is in one file, and none of its text is in any other file or in the log', async () => {
    const before = blobFiles().length;
    await syncReport(device, { body: withCanary });
    expect(blobFiles()).toHaveLength(before + 1);
    expect(placesOf(CANARY)).toEqual([]);
    // Proves that an existing text is found.
    const keyFile = join(server.dataDir, 'master.key');
    expect(placesOf(readFileSync(keyFile, 'utf8'))).toEqual([keyFile]);
  });

  test('[D6] of one report cannot replace that of another', async () => {
    const [one, other] = [await syncReport(device), await syncReport(device)];
    const { read } = server.service.database;
    const rows = await read.selectFrom('uploads').select(['id', 'blobName']).execute();
    const nameOf = (uploadId: string) => rows.find(({ id }) => id === uploadId)?.blobName ?? '';
    const setName = (blobName: string) =>
      read.updateTable('uploads').set({ blobName }).where('id', '=', one.uploadId).execute();
    await setName(nameOf(other.uploadId));
    await expect(server.service.app.uploads.readBytes(await rowOf(one.reportId))).rejects.toThrow(
      'belongs to something else',
    );
    await setName(nameOf(one.uploadId));
  });
});

describe('a report body when storage fails', () => {
  test.each([
    ['small', 1000],
    ['large', 2_000_000],
  ])(
    '[D6] a %s body is rejected with 503 when the disk is full, spends nothing and leaves nothing behind; sent again, it is stored',
    async (_size, sizeBytes) => {
      const { reportId, localReportId } = await createShell(device);
      const bytes = reportBytesOfSize(localReportId, sizeBytes);
      const uploadId = await declareUpload(device, reportId, bytes);
      const before = blobFiles();
      faults.put = 'before';
      const send = () => device.api.uploadReport({ params: { uploadId }, bytes });
      const finalize = async () =>
        codeOf(await device.api.finalizeReport({ params: { id: reportId }, body: { uploadId } }));
      expect(await send()).toMatchObject({ status: 503, error: { code: 'INTERNAL' } });
      expect(await finalize()).toBe('CONFLICT');
      expect(blobFiles()).toEqual(before);
      expect(await used()).toBe(1);
      expect([codeOf(await send()), await finalize()]).toEqual(['ok', 'ok']);
      expect(await used()).toBe(1);
    },
  );

  test('[D6] a crash between blob and transaction leaves an orphan, which the sweep deletes once it is old', async () => {
    const { bytes, uploadId } = await ready();
    const before = blobFiles();
    faults.put = 'after';
    await device.api.uploadReport({ params: { uploadId }, bytes });
    const orphans = blobFiles().filter((file) => !before.includes(file));
    expect(orphans).toHaveLength(1);
    await syncReport(device);
    const kept = blobFiles().filter((file) => !orphans.includes(file));

    const makeOld = (ageMs: number) => {
      const writtenAt = (clock.now() - ageMs) / 1000;
      for (const file of blobFiles()) utimesSync(file, writtenAt, writtenAt);
    };
    makeOld(HOUR_MS - 1000);
    await server.runJob('orphan blobs');
    expect(blobFiles()).toEqual(expect.arrayContaining(orphans));
    makeOld(HOUR_MS + 1000);
    await server.runJob('orphan blobs');
    expect(blobFiles().toSorted()).toEqual(kept.toSorted());
  });

  test('[D6] a blob that cannot be deleted immediately is deleted by the sweep', async () => {
    const { reportId } = await syncReport(device);
    const before = blobFiles().length;
    faults.delete = true;
    bodyOf(await person.api.deleteReport({ params: { id: reportId } }));
    await settled();
    expect(blobFiles()).toHaveLength(before);
    await server.runJob('blobs pending deletion');
    expect(blobFiles()).toHaveLength(before - 1);
    const { read } = server.service.database;
    expect(await read.selectFrom('pendingDeletions').selectAll().execute()).toEqual([]);
  });
});

describe('a report body that is deleted', () => {
  /** Everything that remains of a report's body. */
  async function remainsOf(reportId: string, files: readonly string[]) {
    await settled();
    const { read } = server.service.database;
    const rows = await read.selectFrom('uploads').selectAll().where('reportId', '=', reportId).execute();
    const { state, wrappedKey, uploadId } = await rowOf(reportId);
    return {
      files: blobFiles().filter((file) => files.includes(file)),
      places: placesOf(CANARY),
      report: { state, wrappedKey, uploadId },
      uploads: rows.map(({ blobName, openFindings }) => ({ blobName, openFindings })),
    };
  }
  const nothing = {
    files: [],
    places: [],
    report: { state: 'expired', wrappedKey: null, uploadId: null },
    uploads: [{ blobName: null, openFindings: null }],
  };

  async function synced() {
    const before = blobFiles();
    const report = await syncReport(device, { body: withCanary });
    return { ...report, files: blobFiles().filter((file) => !before.includes(file)) };
  }

  test('[T24] with its report leaves no file, no key and no text behind', async () => {
    const { reportId, files } = await synced();
    expect(files).toHaveLength(1);
    bodyOf(await person.api.deleteReport({ params: { id: reportId } }));
    expect(await remainsOf(reportId, files)).toEqual(nothing);
  });

  test('[T24] because the device aborted after the upload leaves nothing behind either', async () => {
    const { reportId, localReportId } = await createShell(device);
    const before = blobFiles();
    await upload(device, reportId, reportBytes({ ...withCanary, localReportId }));
    const files = blobFiles().filter((file) => !before.includes(file));
    bodyOf(await device.api.deleteReport({ params: { id: reportId } }));
    expect(await remainsOf(reportId, files)).toEqual(nothing);
    expect(await used()).toBe(0);
  });

  test('[T24] because a newer declaration replaces it leaves nothing behind either', async () => {
    const { reportId, bytes, uploadId } = await ready();
    const before = blobFiles();
    bodyOf(await device.api.uploadReport({ params: { uploadId }, bytes }));
    await declareUpload(device, reportId, bytes);
    await settled();
    expect(blobFiles()).toEqual(before);
    expect((await rowOf(reportId)).wrappedKey).toBeNull();
  });

  test('[T24] because it expired leaves nothing behind either', async () => {
    const { reportId, files } = await synced();
    clock.advance(21 * DAY_MS);
    await server.runJob('expired reports');
    expect(await remainsOf(reportId, files)).toEqual(nothing);
  });
});
