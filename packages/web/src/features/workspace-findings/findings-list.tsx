/** Findings of several projects, one row each, with a link to the newest report that has them. */
import type { WorkspaceFinding } from '@svc/contract';
import { enumLabels } from '@svc/report/reading/labels';
import { visibleLine } from '@svc/report/reading/visible-text';
import { SeverityMark } from '../../ui/severity.tsx';
import { Time } from '../../ui/time.tsx';
import { CodeLocation } from '../reading/code-location.tsx';

export function FindingsList({ findings }: { readonly findings: readonly WorkspaceFinding[] }) {
  return (
    <ol aria-label="Findings" className="border-t border-line">
      {findings.map((finding) => (
        <FindingRow key={finding.findingKey} finding={finding} />
      ))}
    </ol>
  );
}

function FindingRow({ finding }: { readonly finding: WorkspaceFinding }) {
  const { findingKey, projectId, projectName, title, severity, status, until, firstSeenAt } = finding;
  return (
    <li className="relative grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 gap-y-0.5 border-b border-line py-2 hover:bg-hover sm:px-2 lg:grid-cols-[5.5rem_minmax(0,1fr)_8rem_7rem]">
      <SeverityMark severity={severity} />
      <div className="flex min-w-0 flex-col gap-0.5">
        <a
          href={`/projects/${projectId}/findings/${findingKey}`}
          dir="auto"
          className={`truncate after:absolute after:inset-0 hover:underline ${status === 'open' ? 'font-strong' : 'text-quiet'}`}
        >
          {visibleLine(title)}
        </a>
        <span className="flex min-w-0 flex-wrap gap-x-3 text-small text-quiet">
          <bdi className="truncate">{visibleLine(projectName)}</bdi>
          <CodeLocation place={placeOf(finding)} />
        </span>
      </div>
      <span className="col-start-2 text-small text-quiet lg:col-start-3">
        {enumLabels[status]}
        {until === undefined ? null : (
          <span className="block">
            until <Time at={until} />
          </span>
        )}
      </span>
      <span className="col-start-2 text-small text-quiet lg:col-start-4 lg:text-right">
        <span className="sr-only lg:hidden">first seen </span>
        <Time at={firstSeenAt} />
      </span>
    </li>
  );
}

function placeOf({ file, lineStart, component }: WorkspaceFinding): string {
  if (file === undefined) return visibleLine(component);
  return visibleLine(lineStart === undefined ? file : `${file}:${lineStart}`);
}
