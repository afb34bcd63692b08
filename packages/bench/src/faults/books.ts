/** Holds what a running service tells against what it has acknowledged. */
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { bodyOf, type Actors } from '@svc/testkit';
import { browserOf, deviceOf, type Known, type Person } from './people.ts';

/** In words, each thing that is not as it was acknowledged. */
export async function auditPerson(actors: Actors, person: Person): Promise<string[]> {
  const { reports } = bodyOf(await deviceOf(actors, person).api.listReports());
  const listed = reports.filter((report) => 'localReportId' in report);
  const problems = person.reports.flatMap((known) => {
    const found = listed.filter(({ localReportId }) => localReportId === known.localReportId);
    return auditReport(known, found);
  });
  const ours = new Set(person.reports.map(({ localReportId }) => localReportId));
  for (const { localReportId } of listed) {
    if (!ours.has(localReportId)) problems.push(`report ${localReportId} was made by nobody`);
  }
  const quota = bodyOf(await browserOf(actors, person).api.getSyncQuota());
  // What was spent stays spent when its report is deleted; what was only reserved is given back.
  const listedIds = new Set<string>(listed.map(({ reportId }) => reportId));
  const spentAndGone = person.reports.filter(
    ({ finalized, reportId }) => finalized && !listedIds.has(reportId ?? ''),
  );
  const expected = listed.length + spentAndGone.length;
  if (quota.weekly.used !== expected)
    problems.push(`${quota.weekly.used} units are used, for ${expected} reports that hold one`);
  for (const token of person.exchanged) {
    const { ok } = await actors.withDeviceToken(token).api.getCurrentDevice();
    if (!ok) problems.push('a device token that was given out is not known');
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
  if (others.length > 0) return [`${name} was made ${found.length} times`];
  if (first === undefined) {
    const mayBeGone = known.reportId === null || known.deleted || known.pending === 'delete';
    return mayBeGone ? [] : [`${name} was acknowledged and is gone`];
  }
  if (known.deleted) return [`${name} was deleted and is ${first.state}`];
  if (known.reportId !== null && first.reportId !== known.reportId)
    return [`${name} became ${first.reportId}`];
  if (known.finalized && first.state !== 'finalized') return [`${name} was final and is ${first.state}`];
  if (first.state === 'finalized' && !known.finalized && known.pending !== 'finalize')
    return [`${name} is final, and nobody asked for it`];
  return [];
}

/** Looks through a second connection, as another program would. */
export function auditDatabaseFile(dataDir: string): string[] {
  const reader = new DatabaseSync(join(dataDir, 'svc.db'), { readOnly: true });
  try {
    const [first] = reader.prepare('PRAGMA integrity_check').all();
    const broken = reader.prepare('PRAGMA foreign_key_check').all();
    return [
      ...(first?.['integrity_check'] === 'ok' ? [] : [`the database: ${JSON.stringify(first)}`]),
      ...(broken.length === 0 ? [] : [`${broken.length} rows refer to what is not there`]),
    ];
  } finally {
    reader.close();
  }
}
