/**
 * What is open, as a plain model: a few maps by names, without snapshots, digests, overlays or counters. Lists, trends, gates
 * and exports are checked against it.
 */
import {
  isSetAside,
  severities,
  type FindingStatus,
  type Severity,
  type SeverityCounts,
} from '@svc/contract';
import { ModelDays, noneOpen, type ModelEvent } from './open-model-days.ts';

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
}

/** A finding as its report shows it. */
export interface Shown {
  readonly name: string;
  readonly severity: Severity;
  readonly since: number | null;
  status: FindingStatus;
  isCarried: boolean;
  isLapsed: boolean;
  /** When the decision lapses; undefined where no person decided. */
  until: number | null | undefined;
  readonly actions: string[];
}

export interface Remembered {
  readonly since: number;
  status: FindingStatus;
  severity: Severity;
  /** When a person decided; null when a report said so. */
  decidedAt: number | null;
  until: number | null;
}

/** The facts of a present finding in a report that contains it. */
interface Holding {
  readonly tool: string;
  readonly severity: Severity;
}

export interface Present {
  tool: string;
  severity: Severity;
  /** The finding's facts in each report that contains it, by the id of the report, oldest first. */
  readonly holders: Map<string, Holding>;
}

interface KnownReport {
  readonly shown: Shown[];
  readonly at: number;
  isReadable: boolean;
}

/** A decision that can be undone. */
interface Undoable {
  readonly name: string;
  readonly at: number;
  readonly remembered: Remembered | undefined;
  readonly decided: Remembered;
  readonly shown: readonly { readonly finding: Shown; readonly before: Shown }[];
  readonly events: readonly ModelEvent[];
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
  readonly #undoable = new Map<string, Undoable[]>();
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

  sync(id: string, report: SyncedReport, now: number): void {
    this.wasSynced = true;
    this.#change(now, () => {
      const isCounted = !report.isOfOtherBranch;
      const shown = report.findings.map((finding) => this.#follow(finding, isCounted, now));
      this.reports.set(id, { shown, at: now, isReadable: true });
      if (isCounted) this.#count(id, report);
    });
  }

  #count(id: string, report: SyncedReport): void {
    const names = new Set(report.findings.map(({ name }) => name));
    const complete = report.tools.filter(({ isComplete }) => isComplete).map(({ name }) => name);
    const lookedAgain = new Set([AGENT, ...complete]);
    for (const [name, { tool }] of this.present) {
      if (lookedAgain.has(tool) && !names.has(name)) this.present.delete(name);
    }
    for (const { name, severity, tool: given } of report.findings) {
      const tool = given ?? AGENT;
      const holders = this.present.get(name)?.holders ?? new Map<string, Holding>();
      this.present.set(name, { tool, severity, holders: holders.set(id, { tool, severity }) });
    }
  }

  #follow({ name, severity, status }: Uploaded, isCounted: boolean, now: number): Shown {
    const before = this.memory.get(name);
    const since = before?.since ?? null;
    const shown: Shown = {
      name,
      severity,
      status,
      since,
      isCarried: false,
      isLapsed: false,
      until: undefined,
      actions: [],
    };
    const isAside = before !== undefined && isSetAside(before.status);
    if (isAside && status === 'open' && !hasRisen(before.severity, severity)) {
      const until = before.decidedAt === null ? undefined : before.until;
      return { ...shown, status: before.status, isCarried: true, until };
    }
    if (before?.status === 'fixed_verified' && status === 'open') shown.actions.push('reverted');
    const isKept = isAside
      ? !hasRisen(before.severity, severity)
      : before?.status !== 'fixed_verified' && status !== 'fixed_verified';
    if (isCounted && !(typeof before?.decidedAt === 'number' && isKept))
      this.memory.set(name, { since: since ?? now, status, severity, decidedAt: null, until: null });
    return shown;
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
      changed.map((finding) => this.#decide(id, finding, to, until, now)),
    );
    return true;
  }

  #decide(id: string, finding: Shown, to: FindingStatus, until: number | null, now: number): Undoable {
    const { name, status: from } = finding;
    const ids = [...this.reports.keys()];
    const newest = ids.slice(ids.indexOf(id) + 1).findLast((other) => {
      const report = this.reports.get(other);
      return report?.isReadable && report.shown.some((each) => each.name === name);
    });
    const copies = this.reports.get(newest ?? '')?.shown.filter((each) => each.name === name) ?? [];
    const affected = [finding, ...copies].map((each) => ({
      finding: each,
      before: { ...each, actions: [...each.actions] },
    }));
    const isStep = !isSetAside(from) && !isSetAside(to);
    for (const { finding: each } of affected) {
      // A report's history follows the status in that report: no step of a fix is added to what was set aside there.
      const isStepThere = !isSetAside(each.status) && !isSetAside(to);
      const step = (isStep ? ALLOWED[`${from} ${to}`] : undefined) ?? ALLOWED[`${each.status} ${to}`];
      Object.assign(each, { status: to, isCarried: false, isLapsed: false, until });
      if (step !== undefined && isStepThere) each.actions.push(step);
    }
    const remembered = this.memory.get(name);
    const since = remembered?.since ?? finding.since ?? this.reports.get(id)?.at ?? 0;
    const decided = { since, status: to, severity: finding.severity, decidedAt: now, until };
    const events = this.#change(now, () => this.memory.set(name, decided));
    return { name, at: now, remembered, decided, shown: affected, events };
  }

  /** Restores the earlier decision about each finding, unless a later decision was made about it. */
  undo(undoId: string, now: number): void {
    for (const { name, at, remembered, decided, shown, events } of this.#undoable.get(undoId) ?? []) {
      if (this.memory.get(name) !== decided) continue;
      for (const { finding, before } of shown)
        Object.assign(finding, before, { actions: [...before.actions] });
      if (remembered) this.memory.set(name, remembered);
      else this.memory.delete(name);
      for (const event of events) this.days.takeBack(event);
      this.days.endAt(at, this.openOfProject());
    }
    this.#undoable.delete(undoId);
    this.days.endAt(now, this.openOfProject());
    this.lapse(now);
  }

  delete(id: string, now: number): void {
    const readable = new Set(this.readable());
    this.reports.delete(id);
    for (const [name, present] of this.present) {
      if (!present.holders.has(id)) continue;
      const held = [...present.holders];
      present.holders.delete(id);
      if (present.holders.size === 0) this.present.delete(name);
      const newest = held.findLast(([other]) => other !== id && readable.has(other));
      const wasNewest = newest && held.indexOf(newest) < held.findIndex(([other]) => other === id);
      if (wasNewest) Object.assign(present, newest[1]);
    }
    // A finding whose report is withdrawn does not count as fixed.
    this.days.endAt(now, this.openOfProject());
  }

  expire(id: string): void {
    const report = this.reports.get(id);
    if (report) report.isReadable = false;
  }

  forgetTool(tool: string, now: number): void {
    for (const [name, present] of this.present) {
      if (present.tool === tool) this.present.delete(name);
    }
    this.days.endAt(now, this.openOfProject());
  }

  /** Counts what a change opens and closes. */
  #change(at: number, change: () => void): ModelEvent[] {
    const before = this.openNow();
    const since = new Map([...this.memory].map(([name, known]) => [name, known.since]));
    change();
    const after = this.openNow();
    const events: ModelEvent[] = [];
    for (const name of after.keys()) if (!before.has(name)) events.push({ kind: 'opened', name, at });
    for (const [name, severity] of before) {
      if (after.has(name)) continue;
      const isAside = this.present.has(name) && isSetAside(this.memory.get(name)?.status ?? 'open');
      if (!isAside) this.days.fix({ name, severity, tookMs: at - (since.get(name) ?? at), at });
      events.push({ kind: isAside ? 'setAside' : 'fixed', name, at });
    }
    for (const event of events) if (event.kind !== 'fixed') this.days.add(event);
    this.days.endAt(at, this.openOfProject());
    return events;
  }

  readable(): string[] {
    return [...this.reports].flatMap(([id, { isReadable }]) => (isReadable ? id : []));
  }

  openOfReport(id: string): SeverityCounts {
    const open = this.reports.get(id)?.shown.filter(({ status }) => !isClosed(status)) ?? [];
    return countsOf(open.map(({ severity }) => severity));
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

function mayBecome({ status: from, isLapsed }: Shown, to: FindingStatus): boolean {
  if (from === to) return isSetAside(to) || isLapsed;
  return isSetAside(from) || isSetAside(to) || ALLOWED[`${from} ${to}`] !== undefined;
}

function countsOf(open: readonly Severity[]): SeverityCounts {
  const counts = noneOpen();
  for (const severity of open) counts[severity] += 1;
  return counts;
}
