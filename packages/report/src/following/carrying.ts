/**
 * When a decision about a finding holds for a later report. The service, the scan and the gates of the CLI
 * all use this rule, so that a decision holds everywhere or nowhere.
 */
import type { Finding, MovedIdentity, SetAsideStatus } from '@svc/contract';
import { isSetAside } from '@svc/contract';
import { isCarried, ratedAs, type Rated } from '../model/status.ts';
import { isWeak } from '../reading/tags.ts';
import { earlierIdentities, predecessorAmong } from './moved-identities.ts';

/**
 * The status that a finding of a later report takes over. Undefined if no decision sets the finding aside, or if the
 * finding is now more severe than when the decision was made. Also undefined for a weak identity: the decision may be
 * about another finding.
 */
export function statusCarriedOver(
  decided: Rated | undefined,
  now: Rated & { readonly isWeak: boolean },
): SetAsideStatus | undefined {
  if (decided === undefined || now.isWeak || !isCarried(decided, now)) return undefined;
  return isSetAside(decided.status) ? decided.status : undefined;
}

/** A finding that decisions may set aside. */
export interface Decidable extends Pick<Finding, 'severity' | 'status' | 'fingerprint'> {
  readonly tags?: readonly string[];
}

/** Decisions that set findings aside, by fingerprint. */
export type DecisionsByFingerprint = ReadonlyMap<string, Rated>;

/** The fingerprints, current and earlier, under which decisions about these findings may be known. */
export function fingerprintsToAsk(findings: readonly Decidable[], moves: readonly MovedIdentity[]): string[] {
  const earlier = earlierIdentities(presentIn(findings), moves);
  const asked = findings.flatMap(({ fingerprint, tags, status = 'open' }) =>
    fingerprint === undefined || status !== 'open' || isWeak(tags)
      ? []
      : [fingerprint, ...(earlier.get(fingerprint) ?? [])],
  );
  return [...new Set(asked)];
}

/** The status that each finding takes over from the decisions; undefined for a finding whose status does not change. */
export function statusesDecided(
  findings: readonly Decidable[],
  decisions: DecisionsByFingerprint,
  moves: readonly MovedIdentity[],
): (SetAsideStatus | undefined)[] {
  const earlier = earlierIdentities(presentIn(findings), moves);
  return findings.map((finding) => {
    const { fingerprint = '', tags } = finding;
    const predecessor = predecessorAmong(earlier.get(fingerprint) ?? [], (each) => decisions.has(each));
    const decided = decisions.get(predecessor ?? fingerprint);
    return statusCarriedOver(decided, { ...ratedAs(finding), isWeak: isWeak(tags) });
  });
}

function presentIn(findings: readonly Decidable[]): Set<string> {
  return new Set(findings.flatMap(({ fingerprint }) => fingerprint ?? []));
}
