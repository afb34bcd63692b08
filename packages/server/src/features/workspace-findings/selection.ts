/** Which findings a page of the list has: filters, counts, and the first findings after a position. */
import {
  findingStatuses,
  severities,
  type FindingSort,
  type FindingStatus,
  type Severity,
  type SeverityCounts,
  type StatusCounts,
  type Verification,
} from '@svc/contract';
import type { ListedFinding } from './listed.ts';
import { comparePositions, positionOf, type Position } from './order.ts';

export interface Wanted {
  /** Case-folded; each must occur. */
  readonly terms: readonly string[];
  /** Null means all. */
  readonly severity: ReadonlySet<Severity> | null;
  readonly status: ReadonlySet<FindingStatus> | null;
  readonly verification: ReadonlySet<Verification> | null;
  readonly category: ReadonlySet<string> | null;
  readonly projectId: ReadonlySet<string> | null;
  /** In hexadecimal digits. */
  readonly identity: string | null;
  readonly findingId: string | null;
  /** Milliseconds since 1970. */
  readonly firstSeenAfter: number | null;
  readonly sort: FindingSort;
  readonly limit: number;
  /** The last finding of the previous page. */
  readonly after: Position | null;
}

export interface Selection {
  readonly page: readonly ListedFinding[];
  readonly total: number;
  readonly counts: { readonly severity: SeverityCounts; readonly status: StatusCounts };
  /** The position of the last finding of the page; null on the last page. */
  readonly last: Position | null;
}

export function selected(findings: Iterable<ListedFinding>, wanted: Wanted): Selection {
  const severity = zerosOf(severities);
  const status = zerosOf(findingStatuses);
  const first = createFirst(wanted.limit + 1);
  let total = 0;
  for (const finding of findings) {
    if (!passesOthers(finding, wanted)) continue;
    const hasSeverity = wanted.severity === null || wanted.severity.has(finding.severity);
    const hasStatus = wanted.status === null || wanted.status.has(finding.status);
    if (hasStatus) severity[finding.severity] += 1;
    if (hasSeverity) status[finding.status] += 1;
    if (!hasSeverity || !hasStatus) continue;
    total += 1;
    const position = positionOf(wanted.sort, finding);
    if (wanted.after === null || comparePositions(wanted.after, position) < 0) first.add(position, finding);
  }
  const page = first.all();
  const last = page.length > wanted.limit ? page[wanted.limit - 1] : undefined;
  return {
    page: page.slice(0, wanted.limit).map(({ finding }) => finding),
    total,
    counts: { severity, status },
    last: last?.position ?? null,
  };
}

/** Applies all filters except those of severity and status. */
function passesOthers(finding: ListedFinding, wanted: Wanted): boolean {
  return (
    (wanted.projectId === null || wanted.projectId.has(finding.projectId)) &&
    (wanted.identity === null || wanted.identity === finding.identity) &&
    (wanted.findingId === null || wanted.findingId === finding.findingId) &&
    (wanted.firstSeenAfter === null || finding.firstSeenAt > wanted.firstSeenAfter) &&
    (wanted.verification === null || wanted.verification.has(finding.verification)) &&
    (wanted.category === null || wanted.category.has(finding.category)) &&
    wanted.terms.every((term) => finding.searchText.includes(term))
  );
}

interface Placed {
  readonly position: Position;
  readonly finding: ListedFinding;
}

/** Keeps the findings that come first by position, in whatever order they are added. */
function createFirst(most: number) {
  const kept: Placed[] = [];
  return {
    add(position: Position, finding: ListedFinding): void {
      const last = kept.at(-1);
      if (kept.length === most && last && comparePositions(last.position, position) <= 0) return;
      let low = 0;
      for (let high = kept.length; low < high;) {
        const middle = (low + high) >>> 1;
        const there = kept[middle];
        if (there && comparePositions(there.position, position) < 0) low = middle + 1;
        else high = middle;
      }
      kept.splice(low, 0, { position, finding });
      if (kept.length > most) kept.pop();
    },
    all: (): readonly Placed[] => kept,
  };
}

function zerosOf<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
