/** The sort orders for the shares of a workspace. The first one is the default. */
import type { WorkspaceShare } from '@svc/contract';
import { byName } from '../../lib/order.ts';

export const shareOrders = ['newest', 'ends', 'views', 'project', 'name'] as const;
export type ShareOrder = (typeof shareOrders)[number];

export const shareOrderLabels: Readonly<Record<ShareOrder, string>> = {
  newest: 'Newest',
  ends: 'Expires first',
  views: 'Most viewed',
  project: 'Project',
  name: 'Name',
};

/** A share that expires with its report comes last. */
const endOf = ({ expiresAt }: WorkspaceShare) => expiresAt ?? '9999';

/** Shares without a name come last. */
const nameOf = ({ label }: WorkspaceShare) => label ?? '\uFFFF';

/** @param shares oldest first, as the service lists them */
export function inShareOrder(
  shares: readonly WorkspaceShare[],
  order: ShareOrder,
): readonly WorkspaceShare[] {
  const newest = shares.toReversed();
  const compare: Readonly<Record<ShareOrder, (one: WorkspaceShare, other: WorkspaceShare) => number>> = {
    newest: () => 0,
    ends: (one, other) => endOf(one).localeCompare(endOf(other)),
    views: (one, other) => other.viewCount - one.viewCount,
    project: (one, other) => byName(one.projectName, other.projectName),
    name: (one, other) => byName(nameOf(one), nameOf(other)),
  };
  return newest.toSorted(compare[order]);
}
