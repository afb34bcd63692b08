/** What the events of a scan come to: its phases, what was found, and the lines of the feed. */
import type { ProgressEvent, ProgressPhase } from '@svc/contract';
import { codeWords, phaseWords, typeWords } from '@svc/contract/progress-words';

export interface PhaseProgress {
  readonly phase: ProgressPhase;
  readonly isDone: boolean;
  /** How it went, where there is something to say; else empty. */
  readonly how: string;
}

export interface FeedLine {
  /** Of its first event. */
  readonly key: string;
  /** Of its last event. */
  readonly at: string;
  readonly text: string;
  /** How many events in a row said the same. */
  readonly times: number;
  readonly isTrouble: boolean;
}

export interface ScanProgress {
  /** In the order in which they began. */
  readonly phases: readonly PhaseProgress[];
  /** The one that changed last. */
  readonly newest: PhaseProgress | null;
  readonly counts: {
    readonly findings: number;
    readonly candidates: number;
    readonly merged: number;
    readonly dismissed: number;
  };
  readonly lines: readonly FeedLine[];
  /** The scan itself is over, though its report may still be on its way. */
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

/** A phase that is done begins anew only when it says so: what it still sent before is late. */
function phaseAfter(
  before: PhaseProgress | undefined,
  { type, safeCode }: ProgressEvent,
  phase: ProgressPhase,
): PhaseProgress {
  if (type === 'phase_completed')
    return { phase, isDone: true, how: safeCode === undefined ? '' : codeWords[safeCode] };
  if (before?.isDone === true && type !== 'phase_started') return before;
  return { phase, isDone: false, how: '' };
}

function addLine(lines: FeedLine[], { type, phase, safeCode, occurredAt, eventId }: ProgressEvent): void {
  const what = typeWords[type];
  if (what === null) return;
  const how = safeCode === undefined ? '' : codeWords[safeCode];
  const where = phase ? phaseWords[phase] : '';
  const parts = type.startsWith('phase_') ? [where, what.toLowerCase(), how] : [what, where, how];
  const text = parts.filter((part) => part !== '').join(' · ');
  const last = lines.at(-1);
  if (last?.text === text) lines[lines.length - 1] = { ...last, at: occurredAt, times: last.times + 1 };
  else {
    const isTrouble = how !== '' || type === 'warning' || type === 'scan_failed' || type === 'scan_cancelled';
    lines.push({ key: eventId, at: occurredAt, text, times: 1, isTrouble });
  }
}
