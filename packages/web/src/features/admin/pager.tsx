/** Links to the older page of a list and back to the newest. Each page has its own URL. */
import { Link } from '@tanstack/react-router';

export interface PagerProps {
  readonly to: '/admin/workspaces' | '/admin/audit';
  /** The search parameters other than the position. */
  readonly search: Readonly<Record<string, string>>;
  readonly isNewest: boolean;
  /** The id of the oldest listed item, if earlier ones may exist. */
  readonly oldest: string | undefined;
}

const look = 'text-accent-text underline-offset-2 hover:underline';

export function Pager({ to, search, isNewest, oldest }: PagerProps) {
  if (isNewest && oldest === undefined) return null;
  return (
    <nav aria-label="Pages of the list" className="flex gap-6 border-t border-line pt-3">
      {isNewest ? null : (
        <Link to={to} search={search} className={look}>
          Newest
        </Link>
      )}
      {oldest === undefined ? null : (
        <Link to={to} search={{ ...search, before: oldest }} className={look}>
          Show earlier
        </Link>
      )}
    </nav>
  );
}
