/** The newest report of each agent of a project, in one line. */
import type { ListedReport } from '@svc/contract';
import { Link } from '@tanstack/react-router';
import { Time } from '../../ui/time.tsx';
import { lastScansOf } from '../overview/scans.ts';

export function LastScanLine({ reports }: { readonly reports: readonly ListedReport[] }) {
  const scans = lastScansOf(reports);
  if (scans.length === 0) return null;
  return (
    <ul aria-label="Last scans" className="-mt-3 flex flex-wrap gap-x-6 gap-y-1 text-quiet">
      {scans.map(({ name, report: { reportId, finalizedAt, createdAt } }) => (
        <li key={name ?? ''}>
          {name === null ? 'Last scan' : <bdi>{name}</bdi>}{' '}
          <Link
            to="/reports/$id"
            params={{ id: reportId }}
            className="text-accent-text underline-offset-2 hover:underline"
          >
            <Time at={finalizedAt ?? createdAt} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
