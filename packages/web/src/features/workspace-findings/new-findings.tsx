/** How many findings of the search are new since the previous visit, as a button that shows only those. */
import { useQuery } from '@tanstack/react-query';
import { query } from '../../lib/api.ts';
import { counted } from '../../lib/format.ts';
import { Time } from '../../ui/time.tsx';
import type { ApiFilters } from './search.ts';

export interface NewFindingsProps {
  readonly workspaceId: string;
  readonly filters: ApiFilters;
  /** The end of the previous visit, an ISO timestamp. */
  readonly since: string;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}

export function NewFindings({ workspaceId, filters, since, isOn, onToggle }: NewFindingsProps) {
  const { data } = useQuery({
    ...query('listWorkspaceFindings', {
      params: { id: workspaceId },
      query: { ...filters, firstSeenAfter: since, limit: '1' },
    }),
    throwOnError: false,
  });
  // A filter that is on can always be turned off.
  if ((data?.total ?? 0) === 0 && !isOn) return null;
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onToggle}
      className="min-h-8 pointer-coarse:min-h-11 rounded border border-edge px-3 hover:bg-hover aria-pressed:border-accent-text aria-pressed:bg-chosen aria-pressed:font-strong"
    >
      {counted(data?.total ?? 0, 'new finding')} since your visit <Time at={since} />
    </button>
  );
}
