/** Links to reports. */
import type { CreateShareBody, ShareCreated, SharePolicy } from '@svc/contract';
import type { SessionActor } from './actors.ts';
import { bodyOf } from './outcomes.ts';

/** Lets all of a report through. */
export const wholePolicy: SharePolicy = {
  version: 1,
  sections: { mode: 'allow_all' },
  findings: { mode: 'allow_all' },
  fields: { evidence: true, code: true, reproduction: true, remediation: true, metadata: true },
};

/** A link to a report of the owner's; open to everybody and showing everything unless the test says otherwise. */
export async function shareOf(
  owner: Pick<SessionActor, 'api'>,
  reportId: string,
  given: Partial<CreateShareBody> = {},
): Promise<ShareCreated> {
  const body = { defaultPolicy: wholePolicy, anonymousAllowed: true, ...given };
  return bodyOf(await owner.api.createShare({ params: { id: reportId }, body }));
}
