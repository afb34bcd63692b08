/** How a link's policy, its viewer and its report become the terms of a projection. */
import type { ReportProjection, SharePolicy } from '@svc/contract';
import type { Projecting } from '#features/exports';

export interface Terms {
  readonly reportId: string;
  readonly principalType: ReportProjection['projectedFor']['principalType'];
  readonly label: string | null;
  readonly policy: SharePolicy;
  /** All that the service calls the project. */
  readonly projectNames: readonly string[];
  readonly fingerprintKey: Uint8Array;
}

export type SharedProjecting = Projecting & { readonly sharing: NonNullable<Projecting['sharing']> };

export function projectingOf({ reportId, principalType, label, ...sharing }: Terms): SharedProjecting {
  return { reportId, projectedFor: { principalType, ...(label === null ? {} : { label }) }, sharing };
}
