/**
 * The findings of a project's view, in few large strings and arrays. Tens of thousands of objects would take several times
 * the memory, and creating them most of the time of the first list after a start.
 */
import {
  findingStatuses,
  severities,
  verifications,
  type FindingStatus,
  type Severity,
  type Verification,
} from '@svc/contract';
import { IDENTITY_BYTES, searchTextsOf, type FindingText, type SearchTexts } from '@svc/report';
import { writeCrockford } from '#platform/encoding';
import type { ListedFinding } from './listed.ts';

const FINDING_KEY_LENGTH = 26;
const SHOWN_PARTS = 5;
/** What a finding takes beside its text: its key, and its place in each array. */
const FINDING_BYTES = 100;

export interface FindingToPack {
  readonly present: {
    /** In hexadecimal digits. */
    readonly identity: string;
    readonly severity: Severity;
    readonly status: FindingStatus;
    /** Milliseconds since 1970; null when the status has no end. */
    readonly until: number | null;
    readonly firstSeenAt: number;
  };
  readonly report: { readonly id: string; readonly ownerId: string };
  readonly text: FindingText;
}

export class PackedFindings {
  readonly project: { readonly id: string; readonly name: string };
  readonly length: number;
  readonly reports: readonly FindingToPack['report'][];
  readonly reportAt: Uint32Array;
  /** The indexes of the values in their enums. */
  readonly severity: Uint8Array;
  readonly status: Uint8Array;
  readonly verification: Uint8Array;
  /** NaN for none. */
  readonly until: Float64Array;
  readonly firstSeenAt: Float64Array;
  /** 0 for none. */
  readonly lineStart: Uint32Array;
  readonly keys: string;
  /** Of each finding the id, title, category, component and file, one after the other. */
  readonly shown: string;
  readonly shownEnds: Uint32Array;
  readonly searched: SearchTexts;

  constructor(project: { readonly id: string; readonly name: string }, findings: readonly FindingToPack[]) {
    const { length } = findings;
    this.project = project;
    this.length = length;
    const places = new Map<FindingToPack['report'], number>();
    this.reportAt = new Uint32Array(length);
    this.severity = new Uint8Array(length);
    this.status = new Uint8Array(length);
    this.verification = new Uint8Array(length);
    this.until = new Float64Array(length);
    this.firstSeenAt = new Float64Array(length);
    this.lineStart = new Uint32Array(length);
    this.shownEnds = new Uint32Array(length * SHOWN_PARTS);
    const parts: string[] = [];
    let at = 0;
    let end = 0;
    for (const { present, report, text } of findings) {
      let place = places.get(report);
      if (place === undefined) places.set(report, (place = places.size));
      this.reportAt[at] = place;
      this.severity[at] = severities.indexOf(present.severity);
      this.status[at] = findingStatuses.indexOf(present.status);
      this.verification[at] = verifications.indexOf(text.verification);
      this.until[at] = present.until ?? Number.NaN;
      this.firstSeenAt[at] = present.firstSeenAt;
      this.lineStart[at] = text.lineStart ?? 0;
      at += 1;
      let part =
        parts.push(text.id, text.title, text.category, text.component, text.file ?? '') - SHOWN_PARTS;
      for (; part < parts.length; part += 1) this.shownEnds[part] = end += parts[part]?.length ?? 0;
    }
    this.reports = [...places.keys()];
    this.keys = keysOf(findings);
    this.shown = parts.join('');
    this.searched = searchTextsOf(findings.map(({ text }) => text));
  }

  /** About the memory that they take. Text is counted as two bytes a character. */
  get sizeBytes(): number {
    return this.length * FINDING_BYTES + 2 * (this.shown.length + this.searched.text.length);
  }

  *[Symbol.iterator](): Generator<ListedFinding> {
    for (let at = 0; at < this.length; at += 1) yield new PackedFinding(this, at);
  }
}

/** Reads a field when it is asked for. */
class PackedFinding implements ListedFinding {
  readonly of: PackedFindings;
  readonly at: number;
  constructor(of: PackedFindings, at: number) {
    this.of = of;
    this.at = at;
  }
  get findingKey(): string {
    return this.of.keys.slice(this.at * FINDING_KEY_LENGTH, (this.at + 1) * FINDING_KEY_LENGTH);
  }
  get projectId(): string {
    return this.of.project.id;
  }
  get projectName(): string {
    return this.of.project.name;
  }
  get reportId(): string {
    return this.#report.id;
  }
  get ownerId(): string {
    return this.#report.ownerId;
  }
  get findingId(): string {
    return this.#shown(0);
  }
  get title(): string {
    return this.#shown(1);
  }
  get category(): string {
    return this.#shown(2);
  }
  get component(): string {
    return this.#shown(3);
  }
  get file(): string | undefined {
    const file = this.#shown(4);
    return file === '' ? undefined : file;
  }
  get lineStart(): number | undefined {
    const line = this.of.lineStart[this.at];
    return line === 0 ? undefined : line;
  }
  get severity(): Severity {
    return severities[this.of.severity[this.at] ?? 0] ?? severities[0];
  }
  get status(): FindingStatus {
    return findingStatuses[this.of.status[this.at] ?? 0] ?? findingStatuses[0];
  }
  get verification(): Verification {
    return verifications[this.of.verification[this.at] ?? 0] ?? verifications[0];
  }
  get firstSeenAt(): number {
    return this.of.firstSeenAt[this.at] ?? 0;
  }
  get until(): number | null {
    const until = this.of.until[this.at] ?? Number.NaN;
    return Number.isNaN(until) ? null : until;
  }
  get searchText(): string {
    const { text, ends } = this.of.searched;
    return text.slice(this.at === 0 ? 0 : (ends[this.at - 1] ?? 0) + 1, ends[this.at]);
  }
  get #report(): FindingToPack['report'] {
    const report = this.of.reports[this.of.reportAt[this.at] ?? 0];
    if (report === undefined) throw new RangeError('A finding is in a report.');
    return report;
  }
  #shown(part: number): string {
    const { shown, shownEnds } = this.of;
    const place = this.at * SHOWN_PARTS + part;
    return shown.slice(place === 0 ? 0 : shownEnds[place - 1], shownEnds[place]);
  }
}

/** The keys of the findings, one after the other. */
function keysOf(findings: readonly FindingToPack[]): string {
  const identities = Buffer.from(findings.map(({ present }) => present.identity).join(''), 'hex');
  const digits = Buffer.allocUnsafe(findings.length * FINDING_KEY_LENGTH);
  for (let at = 0; at < findings.length; at += 1)
    writeCrockford(
      digits,
      at * FINDING_KEY_LENGTH,
      identities.subarray(at * IDENTITY_BYTES, (at + 1) * IDENTITY_BYTES),
      FINDING_KEY_LENGTH,
    );
  return digits.toString('latin1').toLowerCase();
}
