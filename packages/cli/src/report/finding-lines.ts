/** Findings as lines for people. Their text is untrusted, so each piece is made safe and kept on one line. */
import { severities, type Finding, type Severity } from '@svc/contract';
import { statusOf } from '@svc/report';
import type { Colours } from '../terminal/colours.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { cut, cutAtFront } from '@svc/report/making/texts';

const TITLE_LENGTH_MAX = 70;
const PLACE_LENGTH_MAX = 60;
/** Shorter text is useless, however narrow the terminal is. */
const TEXT_LENGTH_MIN = 16;
const GAP = '  ';
const SEVERITY_LENGTH = Math.max(...severities.map(({ length }) => length));

/** The fields of a finding that a line shows. */
export interface ShownFinding extends Pick<Finding, 'severity' | 'status' | 'title' | 'affected'> {
  /** Null for a finding from a file without ids. */
  readonly id: string | null;
}

/** Findings of one severity keep their order. */
export function worstFirst<Given extends Pick<Finding, 'severity'>>(findings: readonly Given[]): Given[] {
  return findings.toSorted(
    (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
  );
}

export function severityText(severity: Severity, colours: Colours): string {
  const paint = {
    critical: colours.magenta,
    high: colours.red,
    medium: colours.yellow,
    low: colours.blue,
    info: colours.gray,
  }[severity];
  return paint(severity.padEnd(SEVERITY_LENGTH));
}

export function locationOf({ affected }: Pick<Finding, 'affected'>): string {
  const { file, lineStart, route, origin, component } = affected;
  if (file) return lineStart === undefined ? file : `${file}:${lineStart}`;
  return route || origin || component;
}

/** @param columns of the terminal; undefined for other output, where only long titles and locations are cut. */
export function findingLines(
  findings: readonly ShownFinding[],
  colours: Colours,
  columns?: number,
): string[] {
  const idLength = Math.max(...findings.map(({ id }) => (id ?? '').length));
  const statusLength = Math.max(...findings.map((finding) => statusOf(finding).length));
  return findings.map((finding) => {
    const known = [
      ...(idLength === 0 ? [] : [(finding.id ?? '').padEnd(idLength)]),
      severityText(finding.severity, colours),
      colours.dim(statusOf(finding).padEnd(statusLength)),
    ];
    const knownLength = idLength + SEVERITY_LENGTH + statusLength + (known.length + 1) * GAP.length;
    const room = columns === undefined ? Infinity : columns - knownLength - GAP.length;
    const place = cutAtFront(safeLine(locationOf(finding)), bounded(room / 2, PLACE_LENGTH_MAX));
    const title = cut(safeLine(finding.title), bounded(room - place.length, TITLE_LENGTH_MAX));
    return [...known, title, colours.dim(place)].join(GAP);
  });
}

function bounded(length: number, lengthMax: number): number {
  return Math.max(TEXT_LENGTH_MIN, Math.min(lengthMax, Math.floor(length)));
}
