/** `svc finding status`: one step in a finding's life; of a finished report the bytes to be sent are made anew. */
import { findingStatuses } from '@svc/contract';
import { redactText } from '@svc/report';
import type { Run } from '../command.ts';
import { CliError } from '../errors.ts';
import { moveFinding } from '../report/finish.ts';
import { anyReport, withStore } from '../report/picked.ts';

/** What was given up has no life to go on with. One that was sent is refused by name, and no older one taken for it. */
const STANDING = ['scanning', 'finished', 'synced'] as const;

export const run: Run = async (invocation, terminal) => {
  const [findingId, given] = invocation.arguments;
  const { note } = invocation.options;
  const to = findingStatuses.find((status) => status === given);
  if (to === undefined) {
    throw new CliError('usage', 'There is no such status.', {
      hint: `It is one of: ${findingStatuses.join(', ')}.`,
    });
  }
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
