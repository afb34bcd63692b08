/** `svc progress`: one step of a scan, in words from fixed lists. Nothing a person wrote can be among them. */
import { randomUUID } from 'node:crypto';
import { progressTypes, type ProgressPhase, type SafeCode } from '@svc/contract';
import type { Run } from '../command.ts';
import { CliError } from '../errors.ts';
import { openReport, withStore } from '../report/picked.ts';
import { definedOnly } from '../report/texts.ts';
import { appendEvents } from '../store/events.ts';
import { afterEvent } from '../sync/after.ts';

export const run: Run = async (invocation, terminal) => {
  const [given] = invocation.arguments;
  const type = progressTypes.find((known) => known === given);
  if (type === undefined) {
    throw new CliError('usage', 'There is no progress of that type.', {
      hint: `It is one of: ${progressTypes.join(', ')}.`,
    });
  }
  // The parser lets nothing through but what the contract lists.
  const phase = invocation.options['phase'] as ProgressPhase | undefined;
  const safeCode = invocation.options['code'] as SafeCode | undefined;
  await withStore(invocation, async (store) => {
    const { localReportId } = await openReport(store, invocation);
    const event = definedOnly({
      eventId: randomUUID(),
      type,
      occurredAt: new Date().toISOString(),
      phase,
      safeCode,
    });
    appendEvents(store, localReportId, [event]);
    terminal.result({ localReportId, event }, () => [`${terminal.colours.green('✓')} ${type}`]);
    await afterEvent(localReportId, { store, invocation, terminal });
  });
};
