/**
 * The findings of one scan, one for each root cause. Whatever arrives with a fingerprint that is known already is merged:
 * evidence not seen before becomes corroboration of the finding that was first, and nothing else of that finding changes.
 * So the same arrivals again change nothing, and no order of arrival changes which findings and which evidence there are.
 */
import { limits, type Finding, type FindingEvidence } from '@svc/contract';
import { seenAgain } from './status.ts';

export interface FindingSet {
  readonly findings: readonly Finding[];
  /** The highest number that was ever given; ids are not used twice, also when a finding goes. */
  readonly lastNumber: number;
}

export const noFindings: FindingSet = { findings: [], lastNumber: 0 };

/** A finding that has no id yet. */
export type Arrival = Omit<Finding, 'id' | 'fingerprint'> & { readonly fingerprint: string };

export type ArrivalOutcome =
  | { readonly action: 'created'; readonly findingId: string }
  | {
      readonly action: 'merged';
      readonly findingId: string;
      /** New evidence, and how much of it found no room. */
      readonly added: number;
      readonly leftOut: number;
    }
  /** The report holds as many findings as it can. */
  | { readonly action: 'refused' };

export interface Deduplication {
  readonly set: FindingSet;
  /** One for each arrival, in their order. */
  readonly outcomes: readonly ArrivalOutcome[];
}

/** @param at RFC 3339, UTC: when new findings are first seen, and fixed ones seen again. */
export function addFindings(set: FindingSet, arrivals: readonly Arrival[], at: string): Deduplication {
  const findings = [...set.findings];
  let { lastNumber } = set;
  const places = new Map(
    findings.flatMap(({ fingerprint }, index) => (fingerprint ? [[fingerprint, index]] : [])),
  );
  const evidenceSeen = new Map<number, Set<string>>();
  const outcomes = arrivals.map((arrival): ArrivalOutcome => {
    const place = places.get(arrival.fingerprint) ?? -1;
    const known = findings[place];
    if (known !== undefined) {
      const seen = evidenceSeen.get(place) ?? evidenceKeys(known);
      evidenceSeen.set(place, seen);
      const { finding, added, leftOut } = merged(known, arrival, seen, at);
      findings[place] = finding;
      return { action: 'merged', findingId: finding.id, added, leftOut };
    }
    if (findings.length >= limits.report.findingsMax) return { action: 'refused' };
    lastNumber += 1;
    const id = `F-${lastNumber}`;
    places.set(arrival.fingerprint, findings.length);
    findings.push({ id, status: 'open', firstSeenAt: at, ...arrival });
    return { action: 'created', findingId: id };
  });
  return { set: { findings, lastNumber }, outcomes };
}

/** @param seen the evidence of the known finding; what is added to it is added here too. */
function merged(known: Finding, { evidence, corroboration = [] }: Arrival, seen: Set<string>, at: string) {
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

function evidenceKeys({ evidence, corroboration = [] }: Finding): Set<string> {
  return new Set([...evidence, ...corroboration].map(evidenceKey));
}

/** Evidence is the same in any spacing. */
function evidenceKey({ kind, description, snippet = '', location = '' }: FindingEvidence): string {
  const parts = [description, snippet, location].map((part) => part.trim().replaceAll(/\s+/g, ' '));
  return JSON.stringify([kind, ...parts]);
}
