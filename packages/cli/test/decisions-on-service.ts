/** What a person decides about a finding, on the page of its newest report. */
import type { ChangeFindingBody, OwnReport } from '@svc/contract';
import { bodyOf } from '@svc/testkit/outcomes';
import type { Syncing } from './syncing.ts';

type Decider = Pick<Syncing, 'owner' | 'reports'>;

/** @param file of the finding */
export async function decideOnService(
  by: Decider,
  file: string,
  body: ChangeFindingBody = { status: 'accepted_risk' },
): Promise<void> {
  const { reportId: id } = await newestReport(by);
  const { report } = bodyOf(await by.owner.api.getReport({ params: { id } }));
  const finding = report?.findings?.find(({ affected }) => affected.file === file);
  const params = { id, findingId: finding?.id ?? '' };
  bodyOf(await by.owner.api.changeFindingStatus({ params, body }));
}

async function newestReport({ reports }: Decider): Promise<OwnReport> {
  const newest = (await reports()).toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1))[0];
  if (newest === undefined) throw new Error('There is no report.');
  return newest;
}
