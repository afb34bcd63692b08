/** Shares of reports. */
import type { CreateShareBody, ShareCreated, SharePolicy } from '@svc/contract';
import type { SessionActor } from './actors.ts';
import { bodyOf } from './outcomes.ts';

/** Allows everything. */
export const wholePolicy: SharePolicy = {
  version: 1,
  sections: { mode: 'allow_all' },
  findings: { mode: 'allow_all' },
  fields: { evidence: true, code: true, reproduction: true, remediation: true, metadata: true },
};

/** A share of the owner's report, by default for anyone with the link and with everything visible. */
export async function shareOf(
  owner: Pick<SessionActor, 'api'>,
  reportId: string,
  given: Partial<CreateShareBody> = {},
): Promise<ShareCreated> {
  const body = { defaultPolicy: wholePolicy, anonymousAllowed: true, ...given };
  return bodyOf(await owner.api.createShare({ params: { id: reportId }, body }));
}
