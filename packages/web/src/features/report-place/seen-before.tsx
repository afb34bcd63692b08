/** When a finding was first seen, and the same finding in the previous report. */
import type { ProjectedFinding } from '@svc/contract';
import { shortDay } from '../../lib/format.ts';
import { Time } from '../../ui/time.tsx';
import { useChangesSince } from './project-reports.ts';

export interface SeenBeforeProps {
  readonly finding: ProjectedFinding;
  readonly reportId: string;
  readonly projectId: string;
}

export function SeenBefore({ finding, reportId, projectId }: SeenBeforeProps) {
  const { id, firstSeenAt, fingerprint } = finding;
  const since = useChangesSince(reportId, projectId);
  const day = since && shortDay(new Date(since.before.createdAt));
  const isBoth = since?.comparison.unchanged.includes(id) === true;
  const isNew = firstSeenAt === undefined && since?.comparison.new.includes(id) === true;
  if (firstSeenAt === undefined && !isBoth && !isNew) return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-quiet">
      {firstSeenAt === undefined ? null : (
        <span>
          First seen <Time at={firstSeenAt} />
        </span>
      )}
      {isNew ? <span>New since the report of {day}</span> : null}
      {since && isBoth ? (
        <a
          // The same finding can have another id there, so the address has its fingerprint.
          href={`/reports/${since.before.reportId}${fingerprint === undefined ? '' : `?finding=${fingerprint}`}`}
          className="text-accent-text underline"
        >
          Also in the report of {day}
        </a>
      ) : null}
    </p>
  );
}
