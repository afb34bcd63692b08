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

export interface Uploaded {
  readonly name: string;
  readonly severity: Severity;
  readonly status: FindingStatus;
}

export interface SyncedReport {
  /** The tool of all its findings; null for the agent. The agent runs in every report. */
  readonly tool: string | null;
  readonly isComplete: boolean;
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

interface Remembered {
  readonly since: number;
  status: FindingStatus;
  severity: Severity;
  isDecided: boolean;
  until: number | null;
}

interface Present {
  readonly tool: string;
  severity: Severity;
  /** The reports that made it present, oldest first. */
  readonly holders: Set<string>;
}

interface KnownReport {
  readonly shown: Shown[];
  readonly isCounted: boolean;
  readonly at: number;
  isReadable: boolean;
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
  wasSynced = false;

  /** Time has passed: decisions lapse. */
  lapse(now: number): void {
    for (const { shown } of this.reports.values()) {
      for (const finding of shown) {
        if (typeof finding.until !== 'number' || finding.until > now) continue;
        Object.assign(finding, { status: 'open', isCarried: false, isLapsed: true, until: undefined });
      }
    }
    for (const known of this.memory.values()) {
      if (known.until !== null && known.until <= now)
        Object.assign(known, { status: 'open', isDecided: false, until: null });
    }
  }

  sync(id: string, report: SyncedReport, now: number): void {
    const isCounted = !report.isOfOtherBranch;
    this.wasSynced = true;
    const shown = report.findings.map((finding) => this.#follow(finding, isCounted, now));
    this.reports.set(id, { shown, isCounted, at: now, isReadable: true });
    if (!isCounted) return;
    const names = new Set(report.findings.map(({ name }) => name));
    const ran = new Set([AGENT, ...(report.tool !== null && report.isComplete ? [report.tool] : [])]);
    for (const [name, { tool }] of this.present) {
      if (ran.has(tool) && !names.has(name)) this.present.delete(name);
    }
    for (const { name, severity } of report.findings) {
      const holders = this.present.get(name)?.holders ?? new Set<string>();
      this.present.set(name, { tool: report.tool ?? AGENT, severity, holders: holders.add(id) });
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
      const until = before.isDecided ? before.until : undefined;
      return { ...shown, status: before.status, isCarried: true, until };
    }
    if (before?.status === 'fixed_verified' && status === 'open') shown.actions.push('reverted');
    const isKept = isAside
      ? !hasRisen(before.severity, severity)
      : before?.status !== 'fixed_verified' && status !== 'fixed_verified';
    if (isCounted && !(before?.isDecided && isKept))
      this.memory.set(name, { since: since ?? now, status, severity, isDecided: false, until: null });
    return shown;
  }

  /** False when that change of status is not allowed. */
  decide(id: string, index: number, to: FindingStatus, until: number | null): boolean {
    const shown = this.reports.get(id)?.shown ?? [];
    const finding = shown[index];
    if (!finding) return false;
    const from = finding.status;
    if (from === to && !finding.isLapsed && (finding.until ?? null) === until) return true;
    const action = ALLOWED[`${from} ${to}`];
    if (from !== to && action === undefined && !isSetAside(from) && !isSetAside(to)) return false;
    const { name } = finding;
    const ids = [...this.reports.keys()];
    const newer = ids.slice(ids.indexOf(id) + 1).toReversed();
    const newest = newer.find((other) => {
      const report = this.reports.get(other);
      return report?.isReadable && report.shown.some((each) => each.name === name);
    });
    const copies = this.reports.get(newest ?? '')?.shown.filter((each) => each.name === name) ?? [];
    const isStep = !isSetAside(from) && !isSetAside(to);
    for (const each of [finding, ...copies]) {
      // A report's history follows its own status: what was set aside there takes no step of a fix.
      const isStepThere = !isSetAside(each.status) && !isSetAside(to);
      const step = (isStep ? action : undefined) ?? ALLOWED[`${each.status} ${to}`];
      Object.assign(each, { status: to, isCarried: false, isLapsed: false, until });
      if (step !== undefined && isStepThere) each.actions.push(step);
    }
    const since = this.memory.get(name)?.since ?? finding.since ?? this.reports.get(id)?.at ?? 0;
    this.memory.set(name, { since, status: to, severity: finding.severity, isDecided: true, until });
    return true;
  }

  delete(id: string): void {
    const ids = new Set([...this.reports.keys()].filter((other) => this.reports.get(other)?.isReadable));
    this.reports.delete(id);
    for (const [name, present] of this.present) {
      if (!present.holders.has(id)) continue;
      const held = [...present.holders];
      present.holders.delete(id);
      if (present.holders.size === 0) this.present.delete(name);
      const newest = held.findLast((other) => other !== id && ids.has(other));
      const wasNewest = newest !== undefined && held.indexOf(newest) < held.indexOf(id);
      const other = this.reports.get(newest ?? '')?.shown.find((each) => each.name === name);
      if (wasNewest && other) present.severity = other.severity;
    }
  }

  expire(id: string): void {
    const report = this.reports.get(id);
    if (report) report.isReadable = false;
  }

  forgetTool(tool: string): void {
    for (const [name, present] of this.present) {
      if (present.tool === tool) this.present.delete(name);
    }
  }

  readable(): string[] {
    return [...this.reports].flatMap(([id, { isReadable }]) => (isReadable ? id : []));
  }

  openOfReport(id: string): SeverityCounts {
    const open = this.reports.get(id)?.shown.filter(({ status }) => !isClosed(status)) ?? [];
    return countsOf(open.map(({ severity }) => severity));
  }

  /** Null before the first report. */
  openOfProject(): SeverityCounts {
    const open = [...this.present].filter(([name]) => !isClosed(this.memory.get(name)?.status ?? 'open'));
    return countsOf(open.map(([, { severity }]) => severity));
  }
}

function countsOf(open: readonly Severity[]): SeverityCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const severity of open) counts[severity] += 1;
  return counts;
}
