/** Summarizes the events of a scan: phases, counts, and the lines of the feed. */
import type { ProgressEvent, ProgressPhase } from '@svc/contract';
import { codeLabels, phaseLabels, typeLabels } from '@svc/contract/progress-labels';

export interface PhaseProgress {
  readonly phase: ProgressPhase;
  readonly isDone: boolean;
  /** The label of the phase's code, if it is not `ok`; otherwise empty. */
  readonly how: string;
}

export interface FeedLine {
  /** The id of its first event. */
  readonly key: string;
  /** The time of its last event. */
  readonly at: string;
  readonly text: string;
  /** The number of consecutive equal events. */
  readonly times: number;
  readonly isTrouble: boolean;
}

export interface ScanProgress {
  /** The phases in order of their start. */
  readonly phases: readonly PhaseProgress[];
  /** The phase that changed last. */
  readonly newest: PhaseProgress | null;
  readonly counts: {
    readonly findings: number;
    readonly candidates: number;
    readonly merged: number;
    readonly dismissed: number;
  };
  readonly lines: readonly FeedLine[];
  /** Set once the scan has ended; its report may not be uploaded yet. */
  readonly outcome: 'scan_completed' | 'scan_failed' | 'scan_cancelled' | null;
}

export function progressOf(events: readonly ProgressEvent[]): ScanProgress {
  const phases = new Map<ProgressPhase, PhaseProgress>();
  const lines: FeedLine[] = [];
  const counts = { findings: 0, candidates: 0, merged: 0, dismissed: 0 };
  let outcome: ScanProgress['outcome'] = null;
  let newest: PhaseProgress | null = null;
  for (const event of events) {
    const { type, phase } = event;
    if (phase) {
      const before = phases.get(phase);
      const after = phaseAfter(before, event, phase);
      if (after.isDone !== before?.isDone) newest = after;
      phases.set(phase, after);
    }
    if (type === 'finding_recorded') counts.findings += 1;
    if (type === 'candidate_found') counts.candidates += 1;
    if (type === 'finding_merged') counts.merged += 1;
    if (type === 'finding_dismissed') counts.dismissed += 1;
    if (type === 'scan_started') outcome = null;
    if (type === 'scan_completed' || type === 'scan_failed' || type === 'scan_cancelled') outcome = type;
    addLine(lines, event);
  }
  return { phases: [...phases.values()], newest, counts, lines, outcome };
}

/** Only `phase_started` restarts a completed phase; any other event of the phase arrived late. */
function phaseAfter(
  before: PhaseProgress | undefined,
  { type, safeCode }: ProgressEvent,
  phase: ProgressPhase,
): PhaseProgress {
  if (type === 'phase_completed')
    return { phase, isDone: true, how: safeCode === undefined ? '' : codeLabels[safeCode] };
  if (before?.isDone === true && type !== 'phase_started') return before;
  return { phase, isDone: false, how: '' };
}

function addLine(lines: FeedLine[], { type, phase, safeCode, occurredAt, eventId }: ProgressEvent): void {
  const what = typeLabels[type];
  if (what === null) return;
  const how = safeCode === undefined ? '' : codeLabels[safeCode];
  const where = phase ? phaseLabels[phase] : '';
  const parts = type.startsWith('phase_') ? [where, what.toLowerCase(), how] : [what, where, how];
  const text = parts.filter((part) => part !== '').join(' · ');
  const last = lines.at(-1);
  if (last?.text === text) lines[lines.length - 1] = { ...last, at: occurredAt, times: last.times + 1 };
  else {
    const isTrouble = how !== '' || type === 'warning' || type === 'scan_failed' || type === 'scan_cancelled';
    lines.push({ key: eventId, at: occurredAt, text, times: 1, isTrouble });
  }
}
