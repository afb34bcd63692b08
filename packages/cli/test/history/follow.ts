/**
 * Checks whether findings are followed correctly from report to report, by what the service sees: fingerprints, and how they
 * changed. The true identity of a finding is its tool, its rule and the id of its line.
 */
import type { MovedIdentity } from '@svc/contract';

export interface SeenFinding {
  readonly tool: string;
  readonly truth: string;
  /** The id of the finding's line. */
  readonly line: number;
  readonly fingerprint: string;
  /** The time in milliseconds, from the report. */
  readonly firstSeenAt: number;
}

export interface SeenReport {
  readonly title: string;
  /** The time in milliseconds. */
  readonly at: number;
  readonly findings: readonly SeenFinding[];
  readonly moves: readonly MovedIdentity[];
  /** Tools that ran to their end. */
  readonly complete: ReadonlySet<string>;
  /** The number of distinct results in the scanners' logs. */
  readonly resultCount: number;
}

export interface Figures {
  readonly scans: number;
  /** How often a finding was in a report and in the last complete run of its tool. */
  readonly followed: number;
  /** Findings that the service or the report itself confused with another one. */
  readonly merges: readonly string[];
  /** Known findings that counted as new. */
  readonly splits: readonly string[];
  /** Findings that were reported as fixed although their scanner did not run. */
  readonly wronglyFixed: readonly string[];
  /** Findings that got the identity of a different finding with an equal line, which had been gone for a while. */
  readonly revived: number;
}

interface Known {
  readonly truth: string;
  readonly report: number;
}

export class Follower {
  #scans = 0;
  #followed = 0;
  #revived = 0;
  readonly #merges: string[] = [];
  readonly #splits: string[] = [];
  readonly #wronglyFixed: string[] = [];
  #latest: readonly SeenFinding[] = [];
  /** What the service knows, by fingerprint. */
  readonly #known = new Map<string, Known>();
  /** The last complete run of each tool, and its findings then. */
  readonly #last = new Map<string, { readonly report: number; readonly truths: readonly string[] }>();
  readonly #firstSeen = new Map<string, number>();
  readonly #everSeen = new Set<string>();
  #takenAt = 0;

  /** @param fixed findings reported as fixed, by their fingerprint in the last accepted report */
  take(report: SeenReport, fixed: readonly string[] = []): void {
    this.#checkFixed(report, fixed);
    const { title, findings, complete, resultCount } = report;
    if (findings.length !== resultCount)
      this.#merges.push(`${title}: ${resultCount} results are ${findings.length} findings`);
    for (const [fingerprint, some] of Map.groupBy(findings, (finding) => finding.fingerprint)) {
      const truths = new Set(some.map(({ truth }) => truth));
      if (truths.size > 1) this.#merges.push(`${title}: ${fingerprint} is ${[...truths].join(' and ')}`);
    }
    const before = this.#predecessors(report);
    const matched: string[] = [];
    for (const finding of findings) {
      const known = before.get(finding.fingerprint);
      if (known === undefined) continue;
      if (known.truth === finding.truth) matched.push(finding.truth);
      else if (known.report < (this.#last.get(finding.tool)?.report ?? 0)) this.#revived += 1;
      else this.#merges.push(`${title}: ${finding.truth} is taken for ${known.truth}`);
    }
    for (const [tool, { truths }] of this.#last) {
      const present = findings.filter((finding) => finding.tool === tool).map(({ truth }) => truth);
      const shared = sharedOf(truths, present);
      this.#followed += shared.length;
      const isNew = without(shared, matched);
      this.#splits.push(...isNew.map((truth) => `${title}: ${truth} is new`));
      // A finding that counts as new gets a new date, which is not compared with the known one.
      for (const truth of isNew) this.#firstSeen.delete(truth);
      this.#compareDates(report, tool, without(shared, isNew));
    }
    this.#remember(report, complete);
  }

  figures(): Figures {
    return {
      scans: this.#scans,
      followed: this.#followed,
      merges: this.#merges,
      splits: this.#splits,
      wronglyFixed: this.#wronglyFixed,
      revived: this.#revived,
    };
  }

  #checkFixed({ title, complete }: SeenReport, fixed: readonly string[]): void {
    for (const fingerprint of fixed) {
      const gone = this.#latest.find((finding) => finding.fingerprint === fingerprint);
      if (gone && !complete.has(gone.tool)) this.#wronglyFixed.push(`${title}: ${gone.truth} is fixed`);
    }
  }

  /** The identity that the service assigns to each fingerprint of a report, as in `moved-identities.ts`. */
  #predecessors({ findings, moves }: SeenReport): Map<string, Known> {
    const present = new Set(findings.map(({ fingerprint }) => fingerprint));
    const used = new Set(present);
    const sources = new Map<string, string>();
    for (const { from, to } of moves) {
      if (!present.has(to) || sources.has(to) || used.has(from)) continue;
      used.add(from);
      sources.set(to, from);
    }
    const found = new Map<string, Known>();
    for (const fingerprint of present) {
      const known = this.#known.get(sources.get(fingerprint) ?? fingerprint) ?? this.#known.get(fingerprint);
      if (known !== undefined) found.set(fingerprint, known);
    }
    for (const source of sources.values()) this.#known.delete(source);
    return found;
  }

  /** Checks when the findings were first seen, according to the report itself. */
  #compareDates({ title, findings }: SeenReport, tool: string, shared: readonly string[]): void {
    const expected = new Set(shared);
    for (const { truth, firstSeenAt, tool: by } of findings) {
      if (by !== tool) continue;
      const since = this.#firstSeen.get(truth);
      // A finding that is restored may have its earlier date.
      if (since === undefined) {
        if (firstSeenAt <= this.#takenAt && !this.#everSeen.has(truth))
          this.#merges.push(`${title}: ${truth} is dated as another one`);
      } else if (expected.has(truth)) {
        if (firstSeenAt < since) this.#merges.push(`${title}: ${truth} is dated as another one`);
        if (firstSeenAt > since) this.#splits.push(`${title}: ${truth} is dated as a new one`);
        this.#firstSeen.set(truth, firstSeenAt);
      }
    }
  }

  #remember({ findings, at }: SeenReport, complete: ReadonlySet<string>): void {
    for (const { fingerprint, truth } of findings) {
      this.#known.set(fingerprint, { truth, report: this.#scans });
    }
    for (const tool of complete) {
      const truths = findings.filter((finding) => finding.tool === tool).map(({ truth }) => truth);
      const gone = without(this.#last.get(tool)?.truths ?? [], truths);
      for (const truth of gone) this.#firstSeen.delete(truth);
      this.#last.set(tool, { report: this.#scans, truths });
    }
    for (const { truth, firstSeenAt } of findings) {
      if (!this.#firstSeen.has(truth)) this.#firstSeen.set(truth, firstSeenAt);
      this.#everSeen.add(truth);
    }
    this.#takenAt = at;
    this.#latest = findings;
    this.#scans += 1;
  }
}

/** The items that both lists contain, each as often as in both. */
function sharedOf(some: readonly string[], others: readonly string[]): string[] {
  const left = countsOf(others);
  return some.filter((item) => takenFrom(left, item));
}

function without(some: readonly string[], others: readonly string[]): string[] {
  const left = countsOf(others);
  return some.filter((item) => !takenFrom(left, item));
}

function countsOf(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function takenFrom(counts: Map<string, number>, item: string): boolean {
  const count = counts.get(item) ?? 0;
  counts.set(item, count - 1);
  return count > 0;
}
