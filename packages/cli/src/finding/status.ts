/** `svc finding status`: changes the status of a finding. For a finished report, the body to send is written again. */
import type { FindingStatus } from '@svc/contract';
import { redactText } from '@svc/report';
import type { Run } from '../command.ts';
import { moveFinding } from '../report/finish.ts';
import { anyReport, withStore } from '../report/picked.ts';

/**
 * Which reports may be picked. A synced report cannot change, but it is picked so that the error names it; otherwise an
 * older report would be changed. An aborted report is never picked.
 */
const STANDING = ['scanning', 'finished', 'synced'] as const;

export const run: Run = async (invocation, terminal) => {
  const [findingId, given] = invocation.arguments;
  const { note } = invocation.options;
  // The parser accepts only the contract's values.
  const to = given as FindingStatus;
  await withStore(invocation, async (store) => {
    const { localReportId, sync } = await anyReport(store, invocation, STANDING);
    const move = {
      findingId: String(findingId),
      to,
      ...(typeof note === 'string' && { note: redactText(note).text }),
    };
    const { from, finding } = moveFinding(store, localReportId, move, { at: new Date().toISOString() });
    invocation.happened('finding_status_changed', { sync });
    terminal.result({ localReportId, from, finding }, () => [
      `${terminal.colours.green('✓')} ${finding.id}: ${from} → ${to}`,
    ]);
  });
};
