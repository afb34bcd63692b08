/**
 * The findings of one scan, one for each root cause. A finding with a known fingerprint is merged: new evidence
 * becomes corroboration of the first finding, which is opened if it was verified as fixed. A submission changes nothing
 * else. Results of scanners also give the finding the highest of their severities, and open it if one of them is not
 * suppressed. So repeated arrivals change nothing, and the order of arrival changes neither the set of findings nor
 * their evidence.
 */
import { isSetAside, limits, severities, type Finding, type FindingEvidence } from '@svc/contract';
import { seenAgain, statusOf } from '../model/status.ts';

export interface FindingSet {
  readonly findings: readonly Finding[];
  /** The highest number ever given; an id is never reused, even after its finding is removed. */
  readonly lastNumber: number;
}

export const noFindings: FindingSet = { findings: [], lastNumber: 0 };

/** A finding without an id. */
export type Arrival = Omit<Finding, 'id' | 'fingerprint'> & { readonly fingerprint: string };

export type ArrivalOutcome =
  | { readonly action: 'created'; readonly findingId: string }
  | {
      readonly action: 'merged';
      readonly findingId: string;
      /** How many items of new evidence were added, and how many exceeded the limit. */
      readonly added: number;
      readonly leftOut: number;
    }
  /** The report has reached its limit of findings. */
  | { readonly action: 'rejected' };

export interface Deduplication {
  readonly set: FindingSet;
  /** One for each arrival, in order. */
  readonly outcomes: readonly ArrivalOutcome[];
}

/** Adds submitted findings. @param at RFC 3339, UTC: when new findings are first seen, and fixed ones seen again. */
export function addFindings(set: FindingSet, arrivals: readonly Arrival[], at: string): Deduplication {
  return deduplicated(set, arrivals, at, (known) => known);
}

/** Adds results of scanners. @param at as for submitted findings. */
export function addResults(set: FindingSet, arrivals: readonly Arrival[], at: string): Deduplication {
  return deduplicated(set, arrivals, at, atWorst);
}

function deduplicated(
  set: FindingSet,
  arrivals: readonly Arrival[],
  at: string,
  combined: (known: Finding, arrival: Arrival, isNew: boolean) => Finding,
): Deduplication {
  const findings = [...set.findings];
  let { lastNumber } = set;
  const indexes = new Map(
    findings.flatMap(({ fingerprint }, index) => (fingerprint ? [[fingerprint, index]] : [])),
  );
  const evidenceSeen = new Map<number, Set<string>>();
  const outcomes = arrivals.map((arrival): ArrivalOutcome => {
    const index = indexes.get(arrival.fingerprint) ?? -1;
    const known = findings[index];
    if (known !== undefined) {
      const seen = evidenceSeen.get(index) ?? evidenceKeys(known);
      evidenceSeen.set(index, seen);
      const { finding, ...evidence } = merged(known, arrival, seen, at);
      findings[index] = combined(finding, arrival, index >= set.findings.length);
      return { action: 'merged', findingId: finding.id, ...evidence };
    }
    if (findings.length >= limits.report.findingsMax) return { action: 'rejected' };
    lastNumber += 1;
    const id = `F-${lastNumber}`;
    indexes.set(arrival.fingerprint, findings.length);
    findings.push({ id, status: 'open', firstSeenAt: at, ...arrival });
    return { action: 'created', findingId: id };
  });
  return { set: { findings, lastNumber }, outcomes };
}

/** One finding of two that are the same, as if they had been imported one after the other. */
export function joined(known: Finding, other: Finding, at: string): Finding {
  return atWorst(merged(known, other, evidenceKeys(known), at).finding, other, true);
}

/** @param seen the known finding's evidence; new evidence is added to it. */
function merged(
  known: Finding,
  { evidence, corroboration = [] }: Pick<Finding, 'evidence' | 'corroboration'>,
  seen: Set<string>,
  at: string,
) {
  const fresh = new Map<string, FindingEvidence>();
  for (const item of [...evidence, ...corroboration]) {
    const key = evidenceKey(item);
    if (!seen.has(key) && !fresh.has(key)) fresh.set(key, item);
  }
  const present = known.corroboration ?? [];
  const kept = [...fresh].slice(0, Math.max(0, limits.finding.corroborationMax - present.length));
  for (const [key] of kept) seen.add(key);
  const finding = seenAgain(known, at);
  const added = kept.map(([, item]) => item);
  return {
    finding: added.length === 0 ? finding : { ...finding, corroboration: [...present, ...added] },
    added: added.length,
    leftOut: fresh.size - added.length,
  };
}

/** Begins the evidence of a result that its log suppresses. */
export const SUPPRESSED = 'Suppressed by the scan.';

/** Whether the finding was set aside by its scan and not by a person. */
export function isSuppressedByScan({ status, evidence }: Pick<Finding, 'status' | 'evidence'>): boolean {
  return (
    status !== undefined &&
    isSetAside(status) &&
    evidence.some(({ description }) => description.startsWith(SUPPRESSED))
  );
}

/**
 * The known finding at the higher severity, and open if one of the logs does not suppress it: two logs, or two runs of
 * one log, can disagree. A person's decision stays.
 *
 * @param isNew the known finding came with the same arrivals, so only a log can have set it aside
 */
function atWorst(known: Finding, arrival: Pick<Finding, 'severity' | 'status'>, isNew: boolean): Finding {
  const isWorse = severities.indexOf(arrival.severity) < severities.indexOf(known.severity);
  const isSetAsideByLog = isSuppressedByScan(known) || (isNew && isSetAside(statusOf(known)));
  const isOpen = isSetAsideByLog && !isSetAside(statusOf(arrival));
  if (!isWorse && !isOpen) return known;
  return {
    ...known,
    ...(isWorse && { severity: arrival.severity }),
    ...(isOpen && { status: 'open' as const }),
  };
}

function evidenceKeys({ evidence, corroboration = [] }: Finding): Set<string> {
  return new Set([...evidence, ...corroboration].map(evidenceKey));
}

/** Two items are equal if they differ only in the amount of white space, or in `redacted`. */
function evidenceKey({ kind, description, snippet = '', location = '' }: FindingEvidence): string {
  const parts = [description, snippet, location].map((part) => part.trim().replaceAll(/\s+/g, ' '));
  return JSON.stringify([kind, ...parts]);
}
