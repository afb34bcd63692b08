/**
 * The last check of an imported finding: what a report could not hold is dropped, shortened or renamed, and counted.
 */
import { closed, Finding } from '@svc/contract';
import type { Arrival } from '../intake/deduplication.ts';
import { redactDeep } from '../secrets/redact.ts';
import { repaired } from '../intake/schema-repair.ts';
import type { Losses } from './losses.ts';

type Draft = Omit<Arrival, 'fingerprint'>;

const { id: _id, fingerprint: _fingerprint, ...properties } = Finding.properties;
/** What an import makes of a result. */
export const ImportedFinding = closed(properties);

export function validFinding(draft: Draft, losses: Losses): Draft {
  const { value, repairs } = repaired<Draft>(ImportedFinding, draft);
  if (repairs.length === 0 || value === undefined) return draft;
  losses.count('fields', repairs.length);
  // Cutting can make a text look like a secret.
  return redactDeep(value).value;
}
