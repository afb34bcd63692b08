/**
 * What is open, as a plain model: a few maps by name, without snapshots, digests, overlays or counters. Lists, trends,
 * gates and exports are checked against it.
 *
 * A name stands for a fingerprint. A report has each name once.
 *
 * - A finding is present until a report without it shows that its tool has looked again.
 * - A decision about it is the project's, and in the newest report with that name it gets the status too.
 * - A later report takes over the decision unless the finding is more severe than the decision.
 *
 * - A report can give an earlier name of a finding. If exactly one such name is known, everything known about it passes
 *   to the new name: since when, the status, and the reports that have it. Of two decisions the later one counts.
 * - When a report is deleted, a finding gets the name that it has in the newest remaining report. A report that is
 *   newer than the deleted one prevents that. The status stays known under the name that the finding loses.
 *
 * Undoing decides again: the report, the newest report with that name and the project each get their previous status and
 * its end back.
 */
import {
  isSetAside,
  severities,
  type FindingStatus,
  type Severity,
  type SeverityCounts,
} from '@svc/contract';
import { ModelDays, noneOpen } from './open-model-days.ts';
import {
  heldWithout,
  merged,
  movesInto,
  type Present,
  type Remembered,
  type Renamed,
  type SyncedReport,
  type Uploaded,
} from './open-model-names.ts';

export type { SyncedReport, Uploaded };

/** A finding as its report shows it. */
export interface Shown {
  readonly name: string;
  readonly severity: Severity;
  readonly since: number | null;
  status: FindingStatus;
  isCarried: boolean;
  isLapsed: boolean;
  /** When the decision lapses; null if never, undefined if no person decided. */
  until: number | null | undefined;
  readonly actions: string[];
}

interface Counted {
  readonly id: string;
  readonly report: SyncedReport;
  readonly at: number;
}

interface KnownReport {
  readonly shown: Shown[];
  readonly at: number;
  isReadable: boolean;
}

type KnownStatus = Pick<Shown, 'status' | 'severity' | 'until'>;

/** What a finding of a report was before a decision. */
type Before = KnownStatus & Pick<Shown, 'actions'>;

/** A decision about a finding of the project that can be undone. */
interface Undoable {
  readonly name: string;
  /** What the project knew before. */
  readonly remembered: Remembered | undefined;
  readonly decided: Shown;
  /** The findings of reports that got the status, as they were before. */
  readonly before: ReadonlyMap<Shown, Before>;
}

const AGENT = 'agent';
const ALLOWED: Readonly<Record<string, string>> = {
  'open fix_suggested': 'suggested',
  'fix_suggested fix_applied': 'applied',
  'fix_applied fixed_verified': 'verified',
  'fix_applied open': 'reverted',
};
const hasRisen = (before: Severity, now: Severity) => severities.indexOf(now) < severities.indexOf(before);
const isClosed = (status: FindingStatus) => status === 'fixed_verified' || isSetAside(status);

export class OpenModel {
  readonly reports = new Map<string, KnownReport>();
  readonly memory = new Map<string, Remembered>();
  readonly present = new Map<string, Present>();
  readonly days = new ModelDays();
  /** What was open of each tool, and of the agent. */
  readonly toolDays = new Map<string, ModelDays>();
  readonly #undoable = new Map<string, Undoable[]>();
  /** The call that decided about each name last. */
  readonly #decidedBy = new Map<string, string>();
  readonly #counted: Counted[] = [];
  /** The names that a report said to have been another, or to be another now. */
  readonly #renamed = new Set<string>();
  wasSynced = false;

  /** Reopens the findings whose decisions have lapsed by this time. */
  lapse(now: number): void {
    for (const { shown } of this.reports.values()) {
      for (const finding of shown) {
        if (typeof finding.until !== 'number' || finding.until > now) continue;
        Object.assign(finding, { status: 'open', isCarried: false, isLapsed: true, until: undefined });
      }
    }
    const due = [...this.memory.values()].flatMap((known) =>
      known.until !== null && known.until <= now ? [{ known, until: known.until }] : [],
    );
    for (const { known, until } of due.toSorted((one, other) => one.until - other.until))
      this.#change(until, () => Object.assign(known, { status: 'open', decidedAt: null, until: null }));
  }

  /** Returns the names that changed. */
  sync(id: string, report: SyncedReport, now: number): readonly Renamed[] {
    this.wasSynced = true;
    const moves = movesInto(report, this.memory);
    const before = new Map([
      ...this.memory,
      ...moves.map(({ from, to }) => [to, this.#merged(from, to)] as const),
    ]);
    const shown = report.findings.map((finding) => shownWith(finding, before.get(finding.name)));
    this.reports.set(id, { shown, at: now, isReadable: true });
    for (const { from, to } of moves) this.#renamed.add(from).add(to);
    if (report.isOfOtherBranch) {
      this.#endAt(now);
      return [];
    }
    const counted = { id, report, at: now };
    this.#counted.push(counted);
    this.#change(
      now,
      () => {
        for (const move of moves) this.#rename(move, now);
        const names = new Set([...this.present.keys(), ...report.findings.map(({ name }) => name)]);
        for (const name of names) this.#count(name, counted);
      },
      moves,
    );
    return moves;
  }

  /** What is known of both names. */
  #merged(from: string, to: string): Remembered {
    const [source, target] = [this.memory.get(from), this.memory.get(to)];
    if (!source) throw new Error('Only a known finding is renamed.');
    return target ? merged(source, target) : { ...source };
  }

  #rename({ from, to }: Renamed, now: number): void {
    this.memory.set(to, this.#merged(from, to));
    this.memory.delete(from);
    const [source, target] = [this.present.get(from), this.present.get(to)];
    if (!source) return;
    const holders = source.holders.map((each) => (each.until === null ? { ...each, until: now } : each));
    this.present.set(to, {
      ...source,
      holders: [...holders, ...(target?.holders ?? [])],
      isHeld: source.isHeld || target?.isHeld === true,
    });
    this.present.delete(from);
  }

  /** What a report changes about one name. */
  #count(name: string, { id, report, at }: Counted): void {
    const finding = report.findings.find((each) => each.name === name);
    const present = this.present.get(name);
    if (!finding) {
      const complete = report.tools.filter(({ isComplete }) => isComplete).map((tool) => tool.name);
      if (present && [AGENT, ...complete].includes(present.tool)) this.present.delete(name);
      return;
    }
    const holding = { tool: finding.tool ?? AGENT, severity: finding.severity };
    const holders = [...(present?.holders ?? []), { ...holding, id, name, at, until: null }];
    this.present.set(name, { ...holding, holders, isHeld: present?.isHeld ?? false });
    this.#remember(finding, this.#findingIn(id, name)?.since ?? at);
  }

  /** @param since when the report says that it was first seen */
  #remember(finding: Uploaded, since: number): void {
    const { name } = finding;
    const before = this.memory.get(name);
    const { status, severity, isCarried } = shownWith(finding, before);
    const isByPerson = before?.decidedAt !== null;
    if (before && (isCarried || (isByPerson && isKept(before, status, severity)))) return;
    this.memory.set(name, { since: before?.since ?? since, status, severity, decidedAt: null, until: null });
  }

  /** Returns false, and changes nothing, if one of the findings cannot get that status. */
  decideAll(
    id: string,
    indexes: readonly number[],
    to: FindingStatus,
    { until, undoId, now }: { readonly until: number | null; readonly undoId: string; readonly now: number },
  ): boolean {
    const shown = this.reports.get(id)?.shown ?? [];
    const findings = indexes.flatMap((index) => shown[index] ?? []);
    const changed = findings.filter(
      ({ status, isLapsed, until: before = null }) => status !== to || isLapsed || before !== until,
    );
    if (changed.some((finding) => !mayBecome(finding, to))) return false;
    this.#undoable.set(
      undoId,
      changed.map((finding) => this.#decide(id, finding, to, until, { undoId, now })),
    );
    return true;
  }

  #decide(
    id: string,
    decided: Shown,
    to: FindingStatus,
    until: number | null,
    { undoId, now }: { readonly undoId: string; readonly now: number },
  ): Undoable {
    const { name, severity, since: shownSince } = decided;
    const { finding: newest } = this.#newestWith(name, id);
    const affected = newest ? [decided, newest] : [decided];
    const before = new Map(affected.map((each) => [each, { ...each, actions: [...each.actions] }]));
    const ownStep = ALLOWED[`${decided.status} ${to}`];
    for (const each of affected) {
      // A report's history follows the status in that report: no step of a fix is added to what was set aside there.
      const isStepThere = !isSetAside(each.status) && !isSetAside(to);
      const step = ALLOWED[`${each.status} ${to}`] ?? ownStep;
      Object.assign(each, { status: to, isCarried: false, isLapsed: false, until });
      if (step !== undefined && isStepThere) each.actions.push(step);
    }
    const remembered = this.memory.get(name);
    const since = remembered?.since ?? shownSince ?? this.reports.get(id)?.at ?? 0;
    const decision = { since, status: to, severity, decidedAt: now, until };
    this.#change(now, () => this.memory.set(name, decision));
    this.#decidedBy.set(name, undoId);
    return { name, remembered, decided, before };
  }

  /** The finding with the name in the newest readable report after this one that has it. */
  #newestWith(
    name: string,
    id: string,
  ): { readonly finding: Shown | undefined; readonly isCounted: boolean } {
    const ids = [...this.reports.keys()];
    const newest = ids.slice(ids.indexOf(id) + 1).findLast((other) => {
      const report = this.reports.get(other);
      return report?.isReadable && report.shown.some((each) => each.name === name);
    });
    const isCounted = this.#counted.some((counted) => counted.id === newest);
    return { finding: this.#findingIn(newest, name), isCounted };
  }

  #findingIn(id: string | undefined, name: string): Shown | undefined {
    return this.reports.get(id ?? '')?.shown.find((each) => each.name === name);
  }

  /** Decides again, unless a later call decided about the finding. */
  undo(id: string, undoId: string, now: number): void {
    for (const { name, remembered, decided, before } of this.#undoable.get(undoId) ?? []) {
      if (this.#decidedBy.get(name) !== undoId) continue;
      const firstSeen = this.memory.get(name)?.since ?? now;
      // What the project did not know before is decided as the report had it.
      const known = remembered ?? before.get(decided);
      if (!known) continue;
      const { finding: newest, isCounted } = this.#newestWith(name, id);
      const isSince = newest !== undefined && !before.has(newest);
      const there = newest && isSince ? seenSince(known, newest) : known;
      giveBack(decided, before.get(decided) ?? { ...known, actions: decided.actions });
      if (newest) giveBack(newest, before.get(newest) ?? { ...there, actions: newest.actions });
      const { status, severity, until = null } = isCounted ? there : known;
      const isOver = until !== null && until <= now;
      const again = isOver
        ? { status: 'open' as const, decidedAt: null, until: null }
        : { status, decidedAt: now, until };
      this.#change(now, () => this.memory.set(name, { since: firstSeen, severity, ...again }));
      this.#decidedBy.set(name, '');
    }
    this.#undoable.delete(undoId);
    this.lapse(now);
  }

  delete(id: string, now: number): void {
    const at = this.reports.get(id)?.at ?? 0;
    this.reports.delete(id);
    const movedBack: { from: string; to: string; present: Present }[] = [];
    for (const [name, present] of this.present) {
      if (!present.holders.some((each) => each.id === id)) continue;
      const without = heldWithout(name, present, { id, at }, (other) => this.#isReadable(other));
      if (without.own) this.present.set(name, without.own);
      else this.present.delete(name);
      for (const [to, earlier] of without.earlier) movedBack.push({ from: name, to, present: earlier });
    }
    for (const { from, to, present } of movedBack) this.#moveBack(from, to, present);
    // A finding whose report is withdrawn does not count as fixed.
    this.#endAt(now);
  }

  #isReadable(id: string): boolean {
    return this.reports.get(id)?.isReadable === true;
  }

  #moveBack(from: string, to: string, present: Present): void {
    const [source, target, there] = [this.memory.get(from), this.memory.get(to), this.present.get(to)];
    if (!source) return;
    const pair = there && target ? merged(target, source) : target ? merged(source, target) : { ...source };
    this.memory.set(to, pair);
    this.present.set(to, {
      ...(there ?? present),
      holders: [...present.holders, ...(there?.holders ?? [])],
      isHeld: present.isHeld || there?.isHeld === true,
    });
  }

  expire(id: string): void {
    const report = this.reports.get(id);
    if (report) report.isReadable = false;
    for (const [name, present] of this.present) {
      if (present.holders.some((each) => each.id === id))
        this.present.set(name, { ...present, isHeld: true });
    }
  }

  forgetTool(forgotten: string, now: number): void {
    for (const [name, present] of this.present) {
      if (present.tool === forgotten) this.present.delete(name);
    }
    this.#endAt(now);
  }

  /**
   * Counts what a change opens and closes.
   * @param moves the names that change
   */
  #change(at: number, change: () => void, moves: readonly Renamed[] = []): void {
    const before = this.openNow();
    const since = new Map([...this.memory].map(([name, known]) => [name, known.since]));
    for (const { from, to } of moves) {
      since.set(to, this.#merged(from, to).since);
      const open = before.get(from) ?? before.get(to);
      if (open !== undefined) before.set(to, open);
      before.delete(from);
    }
    change();
    const after = this.openNow();
    for (const name of after.keys()) if (!before.has(name)) this.days.add({ kind: 'opened', name, at });
    for (const [name, severity] of before) {
      if (after.has(name)) continue;
      const isAside = this.present.has(name) && isSetAside(this.memory.get(name)?.status ?? 'open');
      if (isAside) this.days.add({ kind: 'setAside', name, at });
      else this.days.fix({ name, severity, tookMs: at - (since.get(name) ?? at), at });
    }
    this.#endAt(at);
  }

  /** The reports that a finding is seen in, newest first; null for a name that changed. */
  seenIn(name: string): string[] | null {
    if (this.#renamed.has(name)) return null;
    const counted = this.#counted.filter(({ id, report }) => {
      return this.#isReadable(id) && report.findings.some((finding) => finding.name === name);
    });
    return counted.map(({ id }) => id).toReversed();
  }

  readable(): string[] {
    return [...this.reports].flatMap(([id, { isReadable }]) => (isReadable ? id : []));
  }

  openOfReport(id: string): SeverityCounts {
    const shown = this.reports.get(id)?.shown ?? [];
    return countsOf(shown.filter(({ status }) => !isClosed(status)).map(({ severity }) => severity));
  }

  #endAt(at: number): void {
    this.days.endAt(at, this.openOfProject());
    for (const tool of [...this.toolDays.keys(), ...[...this.present.values()].map((each) => each.tool)]) {
      const days = this.toolDays.get(tool) ?? new ModelDays();
      this.toolDays.set(tool, days);
      days.endAt(at, this.#openOfTool(tool));
    }
  }

  #openOfTool(tool: string): SeverityCounts {
    const open = [...this.openNow()].filter(([name]) => this.present.get(name)?.tool === tool);
    return countsOf(open.map(([, severity]) => severity));
  }

  /** The severity of each open finding, by name. */
  openNow(): Map<string, Severity> {
    const open = [...this.present].filter(([name]) => !isClosed(this.memory.get(name)?.status ?? 'open'));
    return new Map(open.map(([name, { severity }]) => [name, severity]));
  }

  openOfProject(): SeverityCounts {
    return countsOf([...this.openNow().values()]);
  }
}

/** What a finding is in a report that came after the undone decision. */
function seenSince(known: KnownStatus, { severity }: Shown): KnownStatus {
  const { status } = known;
  const isOpen = status === 'fixed_verified' || (isSetAside(status) && hasRisen(known.severity, severity));
  return isOpen ? { status: 'open', severity, until: null } : known;
}

/** Gives a finding of a report its before status. A step of a fix that is undone is recorded as reverted. */
function giveBack(finding: Shown, { status, until = null, actions }: Before): void {
  const wasStep = finding.actions.length > actions.length;
  const step = ALLOWED[`${finding.status} ${status}`] ?? (wasStep ? 'reverted' : undefined);
  if (step !== undefined && !isSetAside(finding.status) && !isSetAside(status)) finding.actions.push(step);
  Object.assign(finding, { status, isCarried: false, isLapsed: false, until });
}

/** A finding of a new report, with what its project knows. */
function shownWith({ name, severity, status }: Uploaded, before: Remembered | undefined): Shown {
  const fresh = { isCarried: false, isLapsed: false, until: undefined };
  const shown = { name, severity, status, since: before?.since ?? null, actions: [], ...fresh };
  if (!before || status !== 'open') return shown;
  if (before.status === 'fixed_verified') return { ...shown, actions: ['reverted'] };
  if (!isSetAside(before.status) || hasRisen(before.severity, severity)) return shown;
  const { until } = before;
  const decision = before.decidedAt === null ? {} : { until };
  return { ...shown, status: before.status, isCarried: true, ...decision };
}

/** Whether a person's decision counts more than what a later report says. */
function isKept(before: Remembered, status: FindingStatus, severity: Severity): boolean {
  if (isSetAside(before.status)) return !hasRisen(before.severity, severity);
  return before.status !== 'fixed_verified' && status !== 'fixed_verified';
}

function mayBecome({ status: from, isLapsed }: Shown, to: FindingStatus): boolean {
  if (from === to) return isSetAside(to) || isLapsed;
  return isSetAside(from) || isSetAside(to) || ALLOWED[`${from} ${to}`] !== undefined;
}

function countsOf(open: readonly Severity[]): SeverityCounts {
  const counts = noneOpen();
  for (const severity of open) counts[severity] += 1;
  return counts;
}
