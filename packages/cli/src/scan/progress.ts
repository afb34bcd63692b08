/** `svc progress`: one step of a scan, as enum values. It contains no free text. */
import { randomUUID } from 'node:crypto';
import type { ProgressPhase, ProgressType, SafeCode } from '@svc/contract';
import type { Run } from '../command.ts';
import { openReport, withStore } from '../report/picked.ts';
import { definedOnly } from '@svc/report/making/texts';
import { appendEvents } from '../store/events.ts';
import { afterEvent } from '../sync/after.ts';

export const run: Run = async (invocation, terminal) => {
  // The parser accepts only the contract's values.
  const type = invocation.arguments[0] as ProgressType;
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
