/** The entries of a list of principals: accounts and workspaces by their ids, and email addresses. */
import { isEmail, normalizeEmail, type Issue, type SharePrincipalGiven } from '@svc/contract';
import type { PrincipalNamed } from './policy.ts';

export interface Principal {
  readonly type: PrincipalNamed;
  /** The id, or the normalized address. */
  readonly value: string;
  readonly label: string | null;
  readonly policy: SharePrincipalGiven['policy'];
}

export type Principals =
  | { readonly principals: readonly Principal[]; readonly issues: null }
  | { readonly principals: null; readonly issues: readonly Issue[] };

/** Whether a text has the form of an id of that kind. */
export type IsRecordId = (prefix: 'usr' | 'ws', text: string) => boolean;

/**
 * Reads the list as its owner wrote it. It does not check whether an id exists, because the result would reveal that.
 */
export function readPrincipals(given: readonly SharePrincipalGiven[], isRecordId: IsRecordId): Principals {
  const issues: Issue[] = [];
  const byName = new Map<string, Principal>();
  for (const [at, { principalValue, label, policy }] of given.entries()) {
    const path = `/principals/${at}/principalValue`;
    const named = namedBy(principalValue, isRecordId);
    const name = named && `${named.type} ${named.value}`;
    if (!named)
      issues.push({ path, message: 'must be an email address, or the id of a user or a workspace' });
    else if (byName.has(name ?? '')) issues.push({ path, message: 'is already in the list' });
    else byName.set(name ?? '', { ...named, label: label?.trim() ?? null, policy });
  }
  return issues.length > 0
    ? { principals: null, issues }
    : { principals: [...byName.values()], issues: null };
}

function namedBy(text: string, isRecordId: IsRecordId): Pick<Principal, 'type' | 'value'> | null {
  if (isRecordId('usr', text)) return { type: 'user', value: text };
  if (isRecordId('ws', text)) return { type: 'workspace', value: text };
  return isEmail(text) ? { type: 'email', value: normalizeEmail(text) } : null;
}
