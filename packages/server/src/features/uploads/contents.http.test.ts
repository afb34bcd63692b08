/** Where the text of reports is kept, what becomes of it when storage fails or a process dies, and that it goes for good. */
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  declareUpload,
  findingBody,
  reportBytes,
  reportBytesOfSize,
  startServer,
  syncReport,
  upload,
  type DeviceActor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Blobs } from '#platform/blobs/blobs';

const CANARY = 'the canary of the contents suite';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const clock = createFakeClock();
/** What goes wrong next; each is over once it has happened. */
const faults: { put?: 'before' | 'after'; delete?: true } = {};
let server: TestServer;
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
      // As if the process ended between the blob and the transaction: neither goes on.
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

beforeAll(async () => {
  server = await startServer({ clock, wrapBlobs: failing });
});
afterAll(() => server.close());
beforeEach(async () => {
  person = await server.signUp();
  device = await server.linkDevice(person);
});
afterEach(async () => {
  await sweep('doomed blobs');
  if (Object.keys(faults).length > 0) throw new Error('a fault did not happen');
});

test.each([
  ['missing', (file: string) => rmSync(file)],
  ['damaged', (file: string) => truncateSync(file, 100)],
  ['damaged', (file: string) => truncateSync(file, 0)],
])('a text that is %s is named in the log with its report, and others are read', async (what, harm) => {
  const whole = await syncReport(device);
  const before = blobFiles();
  const { reportId } = await syncReport(device);
  const file = blobFiles().find((one) => !before.includes(one)) ?? '';
  harm(file);
  expect(codeOf(await person.api.getReport({ params: { id: reportId } }))).toBe('INTERNAL');
  const told = `the text of report ${reportId} is ${what} (${basename(file)})`;
  expect(server.logLines.some((line) => line.includes(told))).toBe(true);
  expect(codeOf(await person.api.getReport({ params: { id: whole.reportId } }))).toBe('ok');
});

async function sweep(name: string): Promise<void> {
  await server.service.app.jobs.find((job) => job.name === name)?.run();
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile());
}
const blobFiles = () => filesIn(join(server.dataDir, 'blobs'));

/** Where in the data folder a text stands, in any file, and in the log. */
function placesOf(text: string): string[] {
  const files = filesIn(server.dataDir).filter((file) => readFileSync(file).includes(text));
  return [...files, ...server.logLines.filter((line) => line.includes(text))];
}

/** Resolves once what follows commits is done. */
const settled = () => server.service.app.uploads.settled();

const withCanary = { findings: [{ ...findingBody(1), title: CANARY }] };
const used = async () => bodyOf(await device.api.getSyncQuota()).daily.used;

async function ready() {
  const shell = await createShell(device);
  const bytes = reportBytes({ ...withCanary, localReportId: shell.localReportId });
  return { ...shell, bytes, uploadId: await declareUpload(device, shell.reportId, bytes) };
}

async function rowOf(reportId: string) {
  const { read } = server.service.database;
  return read.selectFrom('reports').selectAll().where('id', '=', reportId).executeTakeFirstOrThrow();
}

describe('while it is kept', () => {
  test('[D6] one file holds it, and no word of it is in any file or in the log', async () => {
    const before = blobFiles().length;
    await syncReport(device, { body: withCanary });
    expect(blobFiles()).toHaveLength(before + 1);
    expect(placesOf(CANARY)).toEqual([]);
    // Shows that a text that is there is found.
    const keyFile = join(server.dataDir, 'master.key');
    expect(placesOf(readFileSync(keyFile, 'utf8'))).toEqual([keyFile]);
  });

  test('[D6] the file of one report can not stand in for that of another', async () => {
    const [one, other] = [await syncReport(device), await syncReport(device)];
    const { read } = server.service.database;
    const rows = await read.selectFrom('uploads').select(['id', 'blobName']).execute();
    const nameOf = (uploadId: string) => rows.find(({ id }) => id === uploadId)?.blobName ?? '';
    await read
      .updateTable('uploads')
      .set({ blobName: nameOf(other.uploadId) })
      .where('id', '=', one.uploadId)
      .execute();
    await expect(server.service.app.uploads.readBytes(await rowOf(one.reportId))).rejects.toThrow(
      'not what it is taken for',
    );
    await read
      .updateTable('uploads')
      .set({ blobName: nameOf(one.uploadId) })
      .where('id', '=', one.uploadId)
      .execute();
  });
});

describe('when storage fails', () => {
  test.each([
    ['small', 1000],
    ['large', 2_000_000],
  ])(
    '[D6] a full disk answers 503 to a %s body, spends nothing and leaves nothing; sent again, it is kept',
    async (_size, sizeBytes) => {
      const { reportId, localReportId } = await createShell(device);
      const bytes = reportBytesOfSize(localReportId, sizeBytes);
      const uploadId = await declareUpload(device, reportId, bytes);
      const before = blobFiles();
      faults.put = 'before';
      const refused = await device.api.uploadReport({ params: { uploadId }, bytes });
      expect(refused).toMatchObject({ status: 503, error: { code: 'INTERNAL' } });
      expect(codeOf(await device.api.finalizeReport({ params: { id: reportId }, body: { uploadId } }))).toBe(
        'CONFLICT',
      );
      expect(blobFiles()).toEqual(before);
      expect(await used()).toBe(1);
      expect(codeOf(await device.api.uploadReport({ params: { uploadId }, bytes }))).toBe('ok');
      expect(codeOf(await device.api.finalizeReport({ params: { id: reportId }, body: { uploadId } }))).toBe(
        'ok',
      );
      expect(await used()).toBe(1);
    },
  );

  test('[D6] what an end between blob and transaction leaves is an orphan, which the sweep removes once it is old', async () => {
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
    await sweep('orphan blobs');
    expect(blobFiles()).toEqual(expect.arrayContaining(orphans));
    makeOld(HOUR_MS + 1000);
    await sweep('orphan blobs');
    expect(blobFiles().toSorted()).toEqual(kept.toSorted());
  });

  test('[D6] what can not be deleted at once is deleted by the sweep', async () => {
    const { reportId } = await syncReport(device);
    const before = blobFiles().length;
    faults.delete = true;
    bodyOf(await person.api.deleteReport({ params: { id: reportId } }));
    await settled();
    expect(blobFiles()).toHaveLength(before);
    await sweep('doomed blobs');
    expect(blobFiles()).toHaveLength(before - 1);
    const { read } = server.service.database;
    expect(await read.selectFrom('doomedBlobs').selectAll().execute()).toEqual([]);
  });
});

describe('when it goes', () => {
  /** All that is left of a report's contents. */
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

  test('[T24] a deleted report leaves no file, no key and no word', async () => {
    const { reportId, files } = await synced();
    expect(files).toHaveLength(1);
    bodyOf(await person.api.deleteReport({ params: { id: reportId } }));
    expect(await remainsOf(reportId, files)).toEqual(nothing);
  });

  test('[T24] nor does one that a device gave up after its upload', async () => {
    const { reportId, localReportId } = await createShell(device);
    const before = blobFiles();
    await upload(device, reportId, reportBytes({ ...withCanary, localReportId }));
    const files = blobFiles().filter((file) => !before.includes(file));
    bodyOf(await device.api.deleteReport({ params: { id: reportId } }));
    expect(await remainsOf(reportId, files)).toEqual(nothing);
    expect(await used()).toBe(0);
  });

  test('[T24] nor does one that a newer declaration replaces', async () => {
    const { reportId, bytes, uploadId } = await ready();
    const before = blobFiles();
    bodyOf(await device.api.uploadReport({ params: { uploadId }, bytes }));
    await declareUpload(device, reportId, bytes);
    await settled();
    expect(blobFiles()).toEqual(before);
    expect((await rowOf(reportId)).wrappedKey).toBeNull();
  });

  test('[T24] nor does one whose time is over', async () => {
    const { reportId, files } = await synced();
    clock.advance(21 * DAY_MS);
    await sweep('expired reports');
    expect(await remainsOf(reportId, files)).toEqual(nothing);
  });
});
