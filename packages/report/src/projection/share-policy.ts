/**
 * What a share's policy allows, computed from the policy alone or from one finding. Nothing here looks at a whole
 * report: the effect of a policy must not depend on whether there was anything to hide.
 */
import { sectionIds, severities, type Finding, type SectionId, type SharePolicy } from '@svc/contract';

type Selection = Pick<NonNullable<SharePolicy['sections']>, 'ids' | 'mode'>;

const fieldNames = ['evidence', 'code', 'reproduction', 'remediation', 'metadata'] as const;
export type FieldsLetThrough = Readonly<Record<(typeof fieldNames)[number], boolean>>;

/** A missing part of a policy allows nothing. */
function selects({ mode = 'allow_listed', ids = [] }: Selection = {}): (id: string) => boolean {
  if (mode === 'allow_all') return () => true;
  const listed = new Set<string>(ids);
  return mode === 'allow_listed' ? (id) => listed.has(id) : (id) => !listed.has(id);
}

export function sectionsOf({ sections }: SharePolicy): ReadonlySet<SectionId> {
  return new Set(sectionIds.filter(selects(sections)));
}

/** Which findings a policy allows. It can have thousands of ids, so call this once for a report. */
export function findingsOf({
  findings,
}: SharePolicy): (finding: Pick<Finding, 'id' | 'severity'>) => boolean {
  const isSelected = selects(findings);
  const mostSevere = severities.indexOf(findings?.maxSeverity ?? 'critical');
  const leastSevere = severities.indexOf(findings?.minSeverity ?? 'info');
  return ({ id, severity }) => {
    const rank = severities.indexOf(severity);
    return rank >= mostSevere && rank <= leastSevere && isSelected(id);
  };
}

export function fieldsOf({ fields = {} }: SharePolicy): FieldsLetThrough {
  const {
    evidence = false,
    code = false,
    reproduction = false,
    remediation = false,
    metadata = false,
  } = fields;
  return { evidence, code, reproduction, remediation, metadata };
}

/**
 * Whether a policy could leave findings out. It describes the policy, not whether this report has hidden findings.
 */
export function narrows({ findings }: SharePolicy): boolean {
  const { mode, maxSeverity, minSeverity } = findings ?? {};
  return mode !== 'allow_all' || maxSeverity !== undefined || minSeverity !== undefined;
}

/** Whether a policy hides nothing. Shares replace fingerprints by pseudonyms even then. */
export function isAllAllowing(policy: SharePolicy): boolean {
  const fields = fieldsOf(policy);
  return (
    sectionsOf(policy).size === sectionIds.length &&
    !narrows(policy) &&
    fieldNames.every((name) => fields[name]) &&
    policy.anonymize !== true
  );
}

/** The same text for policies that differ only in the order of keys and ids. */
export function canonicalPolicy(policy: SharePolicy): string {
  return JSON.stringify(policy, (_, value: unknown) => {
    if (Array.isArray(value)) return [...new Set<string>(value)].toSorted();
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}
