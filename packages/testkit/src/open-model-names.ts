/** How a plain model follows findings whose name changes, and gives them back earlier names. */
import type { FindingStatus, Severity } from '@svc/contract';

export interface Uploaded {
  readonly name: string;
  readonly severity: Severity;
  readonly status: FindingStatus;
  /** Null for the agent. */
  readonly tool: string | null;
}

export interface SyncedReport {
  /** The tools that ran beside the agent. */
  readonly tools: readonly { readonly name: string; readonly isComplete: boolean }[];
  readonly isOfOtherBranch: boolean;
  readonly findings: readonly Uploaded[];
  /** The earlier names of findings. */
  readonly previous: readonly Renamed[];
}

export interface Remembered {
  readonly since: number;
  status: FindingStatus;
  severity: Severity;
  /** When a person decided; null if the status comes from a report. */
  decidedAt: number | null;
  until: number | null;
}

export interface Renamed {
  readonly from: string;
  readonly to: string;
}

/** The facts of a present finding in a report that contains it. */
interface Holding {
  readonly tool: string;
  readonly severity: Severity;
}

/** A finding in a counted report. */
interface Holder extends Holding {
  readonly id: string;
  readonly name: string;
  readonly at: number;
  /** When a report changed the name; null while it has not changed. */
  readonly until: number | null;
}

export interface Present extends Holding {
  readonly holders: readonly Holder[];
  /** Whether a report that contained the finding has expired. */
  readonly isHeld: boolean;
}

/** The changes of names that a report brings about. */
export function movesInto(
  { findings, previous }: SyncedReport,
  known: ReadonlyMap<string, unknown>,
): Renamed[] {
  const names = new Set(findings.map(({ name }) => name));
  const taken = new Set(names);
  const possible = previous.filter(({ from, to }) => {
    const isPossible = names.has(to) && !taken.has(from);
    if (isPossible) taken.add(from);
    return isPossible;
  });
  const moves = Map.groupBy(
    possible.filter(({ from }) => known.has(from)),
    ({ to }) => to,
  );
  return [...moves.values()].flatMap((some) => (some.length === 1 ? some : []));
}

/** What is known about the first, or about the other if a person decided about that one later. */
export function merged(first: Remembered, other: Remembered): Remembered {
  const isLater = other.decidedAt !== null && (first.decidedAt === null || other.decidedAt > first.decidedAt);
  return { ...(isLater ? other : first), since: Math.min(first.since, other.since) };
}

/** What remains of a present finding when one of its reports is deleted: under its name, and under earlier names. */
export function heldWithout(
  name: string,
  present: Present,
  deleted: { readonly id: string; readonly at: number },
  isReadable: (id: string) => boolean,
): { readonly own: Present | undefined; readonly earlier: readonly (readonly [string, Present])[] } {
  const holders = present.holders.filter(({ id }) => id !== deleted.id);
  const newest = Math.max(0, ...holders.map(({ id, at }) => (isReadable(id) ? at : 0)));
  if (newest > deleted.at || (newest === 0 && present.isHeld))
    return { own: { ...present, holders }, earlier: [] };
  const held = holders.filter(({ at }) => at === newest);
  const lost = held.filter((each) => each.name !== name);
  const isSame = (one: Holder) => (other: Holder) => one.name === other.name && one.until === other.until;
  const others = holders.filter((each) => !lost.some(isSame(each)));
  const own = held.find((each) => each.name === name);
  return {
    own: own && { ...present, ...factsOf(own), holders: others },
    earlier: lost.map((each) => {
      const kept = holders.filter(isSame(each));
      return [each.name, { ...present, ...factsOf(each), holders: [...others, ...kept] }];
    }),
  };
}

function factsOf({ tool, severity }: Holding): Holding {
  return { tool, severity };
}
