/**
 * What a data folder holds once everything that runs now and then has run: opened by the service's own code, with a clock
 * far enough ahead that nothing counts as being under way any more.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { compose, type Service } from '@svc/server/compose';
import { readConfig } from '@svc/server/config';
import { createLog } from '@svc/server/ports';
import { APP_ORIGIN } from '@svc/testkit';
import type { Known, Person } from './people.ts';

/** More than an upload may take, less than a reservation lasts. */
const AHEAD_MS = 2 * 3_600_000;

/** @param dataDir of a service that is not running. */
export async function auditContents(
  dataDir: string,
  people: readonly Person[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const config = { ...readConfig({ APP_BASE_URL: APP_ORIGIN, DATA_DIR: dataDir, ...environment }), port: 0 };
  const log = createLog('error', { write: () => undefined });
  const service = await compose(config, { clock: { now: () => Date.now() + AHEAD_MS }, log });
  try {
    for (const job of service.app.jobs) await job.run();
    return [...(await auditFiles(service, dataDir)), ...(await auditTexts(service, people))];
  } finally {
    await service.close(0);
  }
}

/** Every file is somebody's, and everybody has their file. */
async function auditFiles({ database }: Service, dataDir: string): Promise<string[]> {
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
  const there = readdirSync(join(dataDir, 'blobs'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  return [
    ...there.filter((name) => !wanted.has(name)).map((name) => `the file ${name} is nobody's after a sweep`),
    ...[...wanted].filter((name) => !there.includes(name)).map((name) => `the file ${name} is missing`),
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
    return sha256 === report.sha256 ? [] : [`the text of ${row.id} is another`];
  } catch (error) {
    return [`the text of ${row.id} can not be read: ${String(error)}`];
  }
}
