/** Findings of several projects, one row each, with a link to the newest report that has them. */
import type { WorkspaceFinding } from '@svc/contract';
import { enumLabels } from '@svc/report/reading/labels';
import { visibleLine } from '@svc/report/reading/visible-text';
import { memo } from 'react';
import { InlineCheckbox } from '../../ui/inline-checkbox.tsx';
import { SeverityChip } from '../../ui/severity.tsx';
import { Time } from '../../ui/time.tsx';
import { CodeLocation } from '../reading/code-location.tsx';

export interface FindingsListProps {
  readonly label: string;
  readonly findings: readonly WorkspaceFinding[];
  /** The keys of the selected findings. `SelectableFindings` handles clicks on the boxes. */
  readonly selected: ReadonlySet<string>;
  /** An ISO timestamp: findings first seen after this time are marked. */
  readonly newSince: string | null;
  /** Omits the project's name from the rows. */
  readonly isOneProject: boolean;
}

export function FindingsList({ label, findings, selected, newSince, isOneProject }: FindingsListProps) {
  return (
    <ol aria-label={label}>
      {findings.map((finding) => (
        <FindingRow
          key={finding.findingKey}
          finding={finding}
          isSelected={selected.has(finding.findingKey)}
          isOneProject={isOneProject}
          isNew={newSince !== null && finding.firstSeenAt > newSince}
        />
      ))}
    </ol>
  );
}

interface FindingRowProps {
  readonly finding: WorkspaceFinding;
  readonly isSelected: boolean;
  readonly isNew: boolean;
  readonly isOneProject: boolean;
}

/** The columns, which the head of the list shares. */
export const columnsLook =
  'grid min-w-0 grow items-start grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 gap-y-0.5 pr-2 lg:grid-cols-[5.5rem_minmax(0,1fr)_9rem_8rem]';

const FindingRow = memo(function FindingRow(props: FindingRowProps) {
  const { finding, isSelected, isNew, isOneProject } = props;
  const { findingKey, projectId, projectName, title, severity, status, until, firstSeenAt } = finding;
  const shownTitle = visibleLine(title);
  return (
    <li
      className={`relative flex items-start border-b border-line ${isSelected ? 'bg-chosen' : 'hover:bg-hover'}`}
    >
      <span
        data-select={findingKey}
        className="relative z-1 flex w-9 shrink-0 cursor-pointer justify-center self-stretch py-2.5"
      >
        <InlineCheckbox
          label={`Select ${shownTitle}`}
          state={isSelected ? 'all' : 'none'}
          data={{ 'data-select': findingKey }}
        />
      </span>
      <div className={`${columnsLook} py-2`}>
        <span>
          <SeverityChip severity={severity} />
        </span>
        <div className="flex min-w-0 flex-col gap-0.5">
          <span className="flex min-w-0 items-baseline gap-2">
            <a
              href={`/projects/${projectId}/findings/${findingKey}`}
              data-key={findingKey}
              dir="auto"
              title={shownTitle}
              className={`line-clamp-3 min-w-0 after:absolute after:inset-0 hover:underline sm:line-clamp-1 ${status === 'open' ? 'font-strong' : 'text-quiet'}`}
            >
              {shownTitle}
            </a>
            {isNew ? <span className="chip border border-accent-text text-accent-text">New</span> : null}
          </span>
          <span className="flex min-w-0 flex-wrap gap-x-3 text-small text-quiet">
            {isOneProject ? null : <bdi className="truncate">{visibleLine(projectName)}</bdi>}
            <CodeLocation place={placeOf(finding)} />
          </span>
        </div>
        <div className="col-start-2 flex flex-wrap gap-x-3 text-small text-quiet lg:contents">
          <span className="lg:col-start-3 lg:pt-0.5">
            {enumLabels[status]}
            {until === undefined ? null : (
              <span className="lg:block">
                {' '}
                until <Time at={until} />
              </span>
            )}
          </span>
          <span className="lg:col-start-4 lg:pt-0.5 lg:text-right">
            <span className="lg:sr-only">First seen </span>
            <Time at={firstSeenAt} />
          </span>
        </div>
      </div>
    </li>
  );
});

function placeOf({ file, lineStart, component }: WorkspaceFinding): string {
  if (file === undefined) return visibleLine(component);
  return visibleLine(lineStart === undefined ? file : `${file}:${lineStart}`);
}
