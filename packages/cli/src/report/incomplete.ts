/**
 * What a report lacks because a scanner failed or did not run, and how the command then ends. With a gate it ends with a
 * special exit code, because a gate passes only what was scanned.
 */
import type { SarifImport } from '@svc/report';
import { incompleteTools, type Area } from '@svc/report/reading/coverage';
import { CliError } from '../errors.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { PART_AREA } from './scanned-part.ts';

/**
 * `failed`: it ended with an error, or reported one. `partial`: it ran, and reported that it left something out.
 * `not_run`: it was requested by name, and did not run. `truncated`: the log ends too early, so its tools are unknown.
 */
export type IncompleteReason = 'failed' | 'partial' | 'not_run' | 'truncated';

export interface Incomplete {
  /** Null when the tool is unknown. */
  readonly tool: string | null;
  /** The given log; null for a scanner that was run, and for a tool of a report. */
  readonly file: string | null;
  readonly reason: IncompleteReason;
  /** What happened; may be followed by what to do. */
  readonly message: string;
}

const SHOWN = 20;

/** Undefined when the command may succeed. A truncated log is an error even without a gate. */
export function incompleteFailure(
  incomplete: readonly Incomplete[],
  { isGated, isAllowed }: { readonly isGated: boolean; readonly isAllowed: boolean },
): CliError | undefined {
  const counted = isGated ? incomplete : incomplete.filter(({ reason }) => reason === 'truncated');
  if (isAllowed || counted.length === 0) return undefined;
  const names = [...new Set(counted.map(({ tool, file }) => safeLine(tool ?? file ?? 'a scanner')))];
  const more = counted.length - SHOWN;
  const message = isGated
    ? `The scan is not complete, so the gate cannot pass: ${namesOf(names)}.`
    : `The report lacks the results of ${namesOf(names)}.`;
  return new CliError(isGated ? 'incomplete' : 'rejected', message, {
    details: [
      ...counted.slice(0, SHOWN).map((each) => safeLine(each.message)),
      ...(more > 0 ? [`and ${more} more`] : []),
    ],
    hint: 'Fix the cause and scan again, or accept the gap with --allow-failed-scanners.',
  });
}

const NAMES_SHOWN = 5;

function namesOf(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return [...names.slice(0, NAMES_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** The gaps that a finished report names in the areas of its tools. A scan of only a part does not count as a gap. */
export function incompleteInAreas(areas: readonly Area[]): Incomplete[] {
  const part = areas.find(({ id }) => id === PART_AREA);
  const isLimitedAlone = ({ status, note = '' }: Area) =>
    status === 'partial' && part?.note !== undefined && note.endsWith(part.note);
  const gaps = incompleteTools(areas).filter((area) => !isLimitedAlone(area));
  return gaps.map(({ name, status, note }) => ({
    tool: name,
    file: null,
    reason: status === 'partial' ? 'partial' : 'failed',
    message: note ?? `${name} did not finish.`,
  }));
}

/**
 * The gaps that a log itself states.
 * @param file for messages
 */
export function incompleteInLog({ failure, toolRuns }: SarifImport, file: string): Incomplete[] {
  return [
    ...(failure === undefined
      ? []
      : [{ tool: null, file, reason: 'failed' as const, message: `${file}: ${failure.sentence}` }]),
    ...toolRuns.flatMap(({ tool, own, failure: ofRun }) => [
      ...incompleteInAreas(own?.areas ?? [])
        // A gap of the whole run is reported once.
        .filter(({ message }) => message !== ofRun?.sentence)
        .map((gap) => ({ ...gap, file, message: `${file}: ${gap.message}` })),
      ...(ofRun === undefined
        ? []
        : [
            {
              tool,
              file,
              reason: ofRun.isPartial ? ('partial' as const) : ('failed' as const),
              message: `${file}: ${ofRun.sentence}`,
            },
          ]),
    ]),
  ];
}
