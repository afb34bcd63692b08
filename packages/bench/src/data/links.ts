/** Links to reports, as their owners make them. */
import type { SharePolicy } from '@svc/contract';
import { shareOf, wholePolicy } from '@svc/testkit';
import type { SentRequest } from '../harness/sender.ts';
import type { SyncingDevice } from './devices.ts';

/** Leaves out the worst and whose report it is; most findings stay, under new ids, and each text is gone through. */
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

/** A new link for everybody. */
export async function makeLink(
  { owner }: Pick<SyncingDevice, 'owner'>,
  reportId: string,
  { policy = wholePolicy, password }: LinkTerms = {},
): Promise<Link> {
  const given = { defaultPolicy: policy, ...(password === undefined ? {} : { password }) };
  const { slug } = await shareOf(owner, reportId, given);
  return { slug, password };
}

/** What a viewer asks for: the report, or a file. */
export function throughLink({ slug, password }: Link, wanted = 'report'): SentRequest {
  const headers = password === undefined ? {} : { 'x-svc-share-password': password };
  return { path: `/api/v1/shares/slug/${slug}/${wanted}`, headers };
}
