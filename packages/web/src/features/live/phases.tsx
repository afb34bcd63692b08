/** The phases of a scan in order of their start. Only phases are announced to screen readers automatically. */
import { phaseLabels } from '@svc/contract/progress-labels';
import type { PhaseProgress } from './progress.ts';

export interface PhasesProps {
  readonly phases: readonly PhaseProgress[];
  /** The phase that changed last. */
  readonly newest: PhaseProgress | null;
  /** The scan has ended, so no phase is in progress. */
  readonly isEnded: boolean;
}

export function Phases({ phases, newest, isEnded }: PhasesProps) {
  const stateOf = ({ isDone, how }: PhaseProgress) =>
    isDone ? how || 'done' : isEnded ? 'stopped' : 'in progress';
  return (
    <section aria-labelledby="live-phases" className="flex flex-col gap-2">
      <h2 id="live-phases" className="text-lead font-strong">
        Phases
      </h2>
      {phases.length === 0 ? <p className="text-quiet">No phases yet.</p> : null}
      <p role="status" className="sr-only">
        {newest ? `${phaseLabels[newest.phase]}: ${stateOf(newest)}` : ''}
      </p>
      <ol className="flex flex-col">
        {phases.map((progress) => (
          <li key={progress.phase} className="flex min-h-7 items-center gap-2">
            <PhaseGlyph
              isDone={progress.isDone || isEnded}
              hasTrouble={progress.how !== '' || !progress.isDone}
            />
            <span className={progress.isDone || isEnded ? '' : 'font-strong'}>
              {phaseLabels[progress.phase]}
              <span className="sr-only">: </span>
            </span>
            <span className="text-quiet">{stateOf(progress)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function PhaseGlyph({ isDone, hasTrouble }: { readonly isDone: boolean; readonly hasTrouble: boolean }) {
  if (!isDone)
    return (
      <svg viewBox="0 0 12 12" aria-hidden="true" className="size-3 shrink-0 text-accent-text">
        <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <circle cx="6" cy="6" r="2" fill="currentColor" className="animate-pulse" />
      </svg>
    );
  return (
    <svg
      viewBox="0 0 12 12"
      aria-hidden="true"
      className={`size-3 shrink-0 fill-none stroke-current ${hasTrouble ? 'text-medium' : 'text-quiet'}`}
    >
      <path d={hasTrouble ? 'M6 1.5v5.5M6 9v1.5' : 'M1.5 6.5 4.5 9.5 10.5 2.5'} strokeWidth="1.5" />
    </svg>
  );
}
