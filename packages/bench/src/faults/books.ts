/** Compares the data that a running service returns with what it has acknowledged. */
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { bodyOf, type Actors } from '@svc/testkit';
import { browserOf, deviceOf, type Known, type Person } from './people.ts';

/** Describes each difference from what was acknowledged. */
export async function auditPerson(actors: Actors, person: Person): Promise<string[]> {
  const { reports } = bodyOf(await deviceOf(actors, person).api.listReports());
  const listed = reports.filter((report) => 'localReportId' in report);
  const problems = person.reports.flatMap((known) => {
    const found = listed.filter(({ localReportId }) => localReportId === known.localReportId);
    return auditReport(known, found);
  });
  const ours = new Set(person.reports.map(({ localReportId }) => localReportId));
  for (const { localReportId } of listed) {
    if (!ours.has(localReportId))
      problems.push(`report ${localReportId} is listed, but its owner did not create it`);
  }
  const quota = bodyOf(await browserOf(actors, person).api.getSyncQuota());
  // A used unit stays used when its report is deleted; a reserved unit is returned.
  const listedIds = new Set<string>(listed.map(({ reportId }) => reportId));
  const spentAndGone = person.reports.filter(
    ({ finalized, reportId }) => finalized && !listedIds.has(reportId ?? ''),
  );
  const expected = listed.length + spentAndGone.length;
  if (quota.weekly.used !== expected)
    problems.push(`${quota.weekly.used} units are used, for ${expected} reports with a unit`);
  for (const token of person.exchanged) {
    const { ok } = await actors.withDeviceToken(token).api.getCurrentDevice();
    if (!ok) problems.push('an issued device token is not accepted');
  }
  return problems;
}

interface Listed {
  readonly reportId: string;
  readonly state: string;
}

function auditReport(known: Known, found: readonly Listed[]): string[] {
  const name = known.reportId ?? known.localReportId;
  const [first, ...others] = found;
  if (others.length > 0) return [`${name} exists ${found.length} times`];
  if (first === undefined) {
    const mayBeGone = known.reportId === null || known.deleted || known.pending === 'delete';
    return mayBeGone ? [] : [`${name} was acknowledged and is gone`];
  }
  if (known.deleted) return [`${name} was deleted and is ${first.state}`];
  if (known.reportId !== null && first.reportId !== known.reportId)
    return [`${name} became ${first.reportId}`];
  if (known.finalized && first.state !== 'finalized') return [`${name} was final and is ${first.state}`];
  if (first.state === 'finalized' && !known.finalized && known.pending !== 'finalize')
    return [`${name} is final, but was not finalized`];
  return [];
}

/** Reads through a second connection, as another program would. */
export function auditDatabaseFile(dataDir: string): string[] {
  const reader = new DatabaseSync(join(dataDir, 'svc.db'), { readOnly: true });
  try {
    const [first] = reader.prepare('PRAGMA integrity_check').all();
    const broken = reader.prepare('PRAGMA foreign_key_check').all();
    return [
      ...(first?.['integrity_check'] === 'ok' ? [] : [`the database: ${JSON.stringify(first)}`]),
      ...(broken.length === 0 ? [] : [`${broken.length} rows have dangling references`]),
    ];
  } finally {
    reader.close();
  }
}
