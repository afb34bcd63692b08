/** The order of a list, as its page keeps it in the URL. */
import type { SeverityCounts } from '@svc/contract';
import { severities } from '@svc/contract/enums';

/** The order that a URL names; undefined for an unknown one and for the default, which is the first. */
export function orderIn<Order extends string>(
  orders: readonly Order[],
  { sort }: Record<string, unknown>,
): { readonly sort?: Order } {
  const order = orders.find((each, at) => at > 0 && each === sort);
  return order === undefined ? {} : { sort: order };
}

/** Negative when `one` has more findings of the most severe level at which they differ. */
export function bySeverity(
  one: Partial<SeverityCounts> | null | undefined,
  other: Partial<SeverityCounts> | null | undefined,
): number {
  for (const severity of severities) {
    const difference = (other?.[severity] ?? 0) - (one?.[severity] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

export function byName(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
