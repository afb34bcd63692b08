/**
 * Checks the contents of a data folder after all periodic jobs have run. The service's own code opens it, with a clock
 * so far ahead that no upload counts as in progress.
 */
import { HOUR_MS } from '@svc/contract/durations';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { compose, type Service } from '@svc/server/compose';
import { readConfig } from '@svc/server/config';
import { createLog, type Blobs } from '@svc/server/ports';
import { APP_ORIGIN } from '@svc/testkit';
import type { Known, Person } from './people.ts';

/** Longer than an upload intent, shorter than a reservation. */
const AHEAD_MS = 2 * HOUR_MS;

/** @param dataDir of a service that is not running. */
export async function auditContents(
  dataDir: string,
  people: readonly Person[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const config = { ...readConfig({ APP_BASE_URL: APP_ORIGIN, DATA_DIR: dataDir, ...environment }), port: 0 };
  const log = createLog('error', { write: () => undefined });
  const bucket: { blobs?: Blobs } = {};
  const wrapBlobs = (blobs: Blobs) => (bucket.blobs = blobs);
  const service = await compose(config, { clock: { now: () => Date.now() + AHEAD_MS }, log, wrapBlobs });
  try {
    for (const job of service.app.jobs) await job.run();
    const there = config.bucket === null ? filesOf(dataDir) : await namesIn(bucket.blobs);
    return [...(await auditBlobs(service, there)), ...(await auditTexts(service, people))];
  } finally {
    await service.close(0);
  }
}

async function namesIn(blobs: Blobs | undefined): Promise<string[]> {
  const names: string[] = [];
  for await (const name of blobs?.list(Number.MAX_SAFE_INTEGER) ?? []) names.push(name);
  return names;
}

/** All files in the folder of blobs except its mark, whether or not they are blobs. */
function filesOf(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'blobs'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name !== '.deployment')
    .map(({ name }) => name);
}

/** Every blob has a row, and every row has its blob. */
async function auditBlobs({ database }: Service, there: readonly string[]): Promise<string[]> {
  const rows = await database.read
    .selectFrom('uploads')
    .select('blobName')
    .where('blobName', 'is not', null)
    .execute();
  const prepared = await database.read
    .selectFrom('preparedProjections')
    .select('blobName')
    .where('blobName', 'is not', null)
    .execute();
  const wanted = new Set([...rows, ...prepared].map(({ blobName }) => String(blobName)));
  return [
    ...there.filter((name) => !wanted.has(name)).map((name) => `the blob ${name} has no row after a sweep`),
    ...[...wanted].filter((name) => !there.includes(name)).map((name) => `the blob ${name} is missing`),
  ];
}

async function auditTexts(service: Service, people: readonly Person[]): Promise<string[]> {
  const problems: string[] = [];
  for (const report of people.flatMap(({ reports }) => reports)) {
    if (report.finalized && !report.deleted) problems.push(...(await auditText(service, report)));
  }
  return problems;
}

async function auditText({ app, database }: Service, report: Known): Promise<string[]> {
  const row = await database.read
    .selectFrom('reports')
    .select(['id', 'wrappedKey', 'uploadId'])
    .where('id', '=', report.reportId ?? '')
    .executeTakeFirst();
  if (!row) return [`${report.reportId} has no row`];
  try {
    const bytes = await app.uploads.readBytes(row);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return sha256 === report.sha256 ? [] : [`the body of ${row.id} is not the one that was uploaded`];
  } catch (error) {
    return [`the report body of ${row.id} cannot be read: ${String(error)}`];
  }
}
