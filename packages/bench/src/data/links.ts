/** Shares of reports, as their owners create them. */
import type { SharePolicy } from '@svc/contract';
import { shareOf, wholePolicy } from '@svc/testkit';
import type { SentRequest } from '../harness/sender.ts';
import type { SyncingDevice } from './devices.ts';

/** Hides the worst findings and all names; most findings stay, with new ids, and every text is scanned. */
export const narrowPolicy: SharePolicy = {
  version: 1,
  sections: { mode: 'allow_all' },
  findings: { mode: 'allow_all', maxSeverity: 'high' },
  fields: { evidence: true, code: true, reproduction: true, remediation: true, metadata: true },
  anonymize: true,
};

export interface Link {
  readonly slug: string;
  readonly password?: string | undefined;
}

export interface LinkTerms {
  readonly policy?: SharePolicy;
  readonly password?: string;
}

/** A new share for anyone with the link. */
export async function makeLink(
  { owner }: Pick<SyncingDevice, 'owner'>,
  reportId: string,
  { policy = wholePolicy, password }: LinkTerms = {},
): Promise<Link> {
  const given = { defaultPolicy: policy, ...(password === undefined ? {} : { password }) };
  const { slug } = await shareOf(owner, reportId, given);
  return { slug, password };
}

/** The request of a viewer: the report, or an export. */
export function throughLink({ slug, password }: Link, wanted = 'report'): SentRequest {
  const headers = password === undefined ? {} : { 'x-svc-share-password': password };
  return { path: `/api/v1/shares/slug/${slug}/${wanted}`, headers };
}
