/** Follows the findings of a project from report to report, counts what is open, and keeps triage decisions. */
import type { Feature } from '#feature';
import type { Clock } from '#platform/clock';
import { createAppearances, type AppearancesPorts } from './appearances-service.ts';
import { createDecidingService, type DecidingPorts } from './deciding-service.ts';
import { createDecisionsReading, type DecisionsReading } from './decisions-service.ts';
import { createLapses, type Lapses } from './lapses-service.ts';
import { createNotes, type NotesPorts } from './notes.ts';
import { createPresence, type PresencePorts, type PresenceService } from './presence-service.ts';
import { createFindingRecords, type FindingRecords, type RecordsPorts } from './records-service.ts';
import { findingRoutes } from './routes.ts';
import { createFindingService, type FindingPorts, type FindingService } from './service.ts';
import { createUndo } from './undo-service.ts';
import type { Bus } from '#platform/bus/bus';

export { setAsideOf, type SetAside } from './set-aside.ts';
export { openNote } from './notes.ts';
export type { PresenceService } from './presence-service.ts';
export type { Lapses } from './lapses-service.ts';

export interface FindingsFeature extends Feature {
  readonly baselineOf: FindingService['baselineOf'];
  readonly decisionsOf: DecisionsReading['ofReport'];
}

/** What other features need of findings before the feature itself can be created. */
export interface FindingsBase {
  readonly records: FindingRecords;
  readonly lapses: Lapses;
  readonly presence: PresenceService;
}

export function createFindingsBase(
  ports: RecordsPorts & PresencePorts & { readonly bus: Bus; readonly clock: Clock },
): FindingsBase {
  return {
    records: createFindingRecords(ports),
    lapses: createLapses(ports),
    presence: createPresence(ports),
  };
}

export function createFindings(
  ports: FindingPorts & NotesPorts & AppearancesPorts & Omit<DecidingPorts, 'notes'>,
  { records, lapses }: Pick<FindingsBase, 'records' | 'lapses'>,
): FindingsFeature {
  const notes = createNotes(ports);
  const findings = createFindingService(ports, records);
  const decisions = createDecisionsReading({ ...ports, notes }, ports.reports);
  const deciding = createDecidingService({ ...ports, notes });
  return {
    routes: findingRoutes({
      findings,
      deciding,
      decisions,
      undo: createUndo({ ...ports, notes }),
      appearances: createAppearances(ports),
    }),
    jobs: [records.job, lapses.job, notes.job],
    baselineOf: findings.baselineOf,
    decisionsOf: decisions.ofReport,
  };
}
