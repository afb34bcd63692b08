/**
 * What is left of a finding once its texts are no longer needed: the fields from which the records of a report are made,
 * its snapshots, facts and list texts. It is a small part of a finding, so a large report can be checked finding by
 * finding without keeping all of it in memory.
 */
import type { Finding } from '@svc/contract';

type Optional = 'tags' | 'fingerprint' | 'status' | 'fixedAt' | 'firstSeenAt' | 'fixHistory';

export type RecordedFinding = Pick<
  Finding,
  'id' | 'title' | 'severity' | 'verification' | 'category' | 'affected'
> & { readonly [Name in Optional]?: Finding[Name] | undefined };

export function recordedFinding(finding: Finding): RecordedFinding {
  const { id, title, severity, verification, category, affected } = finding;
  const { tags, fingerprint, status, fixedAt, firstSeenAt, fixHistory } = finding;
  return {
    id,
    title,
    severity,
    verification,
    category,
    affected,
    tags,
    fingerprint,
    status,
    fixedAt,
    firstSeenAt,
    fixHistory,
  };
}
