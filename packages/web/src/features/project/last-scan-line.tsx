/** The last scan of each tool of a project, in one line. */
import { Link } from '@tanstack/react-router';
import { Time } from '../../ui/time.tsx';
import { scansByReport } from '../overview/scans.ts';
import { useToolScans } from './tool-scans.ts';

export interface LastScanLineProps {
  readonly workspaceId: string;
  readonly projectId: string;
}

export function LastScanLine({ workspaceId, projectId }: LastScanLineProps) {
  const scans = useToolScans(workspaceId, projectId);
  // The line keeps its place while it is loading.
  if (scans?.length === 0) return null;
  return (
    <ul aria-label="Last scans" className="-mt-3 flex min-h-5 flex-wrap gap-x-6 gap-y-1 text-quiet">
      {scansByReport(scans ?? []).map(({ reportId, finalizedAt, tools }) => (
        <li key={reportId}>
          <bdi>{tools.join(', ')}</bdi>{' '}
          <Link
            to="/reports/$id"
            params={{ id: reportId }}
            className="text-accent-text underline-offset-2 hover:underline"
          >
            <Time at={finalizedAt} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
