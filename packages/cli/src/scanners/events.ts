/** The events of a scan while it runs, in the contract's enum values, for the caller to show and to record. */
import type { ProgressPhase, ProgressType, SafeCode } from '@svc/contract';

export interface ScanEvent {
  readonly type: ProgressType;
  readonly phase: ProgressPhase;
  readonly safeCode?: SafeCode;
  /** The tool of an event; for people only, since recorded events have no field for it. */
  readonly tool?: string;
  /** How many files of `total` are done; set in `phase_progressed` only. */
  readonly done?: number;
  readonly total?: number;
}

export type OnScanEvent = (event: ScanEvent) => void;

/** Runs a phase between its events; `work` returns the code with which it is completed. */
export async function inPhase<Result>(
  phase: ProgressPhase,
  onEvent: OnScanEvent,
  work: () => Promise<readonly [result: Result, safeCode: SafeCode]>,
): Promise<Result> {
  onEvent({ type: 'phase_started', phase });
  const [result, safeCode] = await work();
  onEvent({ type: 'phase_completed', phase, safeCode });
  return result;
}

/** At most a hundred steps, however many files: the service accepts ten events a second. */
export function stepsOf(phase: ProgressPhase, total: number, onEvent: OnScanEvent): (done: number) => void {
  const step = Math.max(1, Math.ceil(total / 100));
  return (done) => {
    if (done % step === 0 || done === total) onEvent({ type: 'phase_progressed', phase, done, total });
  };
}
