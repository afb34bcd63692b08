/** What the scan covered, as one line that unfolds: incomplete areas, limitations and how the scan was made. */
import type { ReportProjection } from '@svc/contract';
import { gapsOf, isToolArea, subjectsOf } from '@svc/report/reading/coverage';
import { duration, labelOf } from '@svc/report/reading/labels';
import type { ReactNode } from 'react';
import { counted } from '../../lib/format.ts';
import { Facts } from '../../ui/facts.tsx';
import { InOrder } from '../../ui/in-order.tsx';
import { usePrinting } from '../../ui/use-printing.ts';

type Areas = NonNullable<ReportProjection['coverageAreas']>;

export function Scope({ report }: { readonly report: ReportProjection }) {
  const { coverageAreas = [], coverage = [], limitations = [], authorization } = report;
  const subjects = subjectsOf(coverageAreas);
  const facts = scanFactsOf(report);
  const isPrinting = usePrinting();
  if (coverageAreas.length + coverage.length + limitations.length + facts.length === 0 && !authorization)
    return null;
  const covered = subjects.filter((area) => area.status === 'covered' && !isToolArea(area));
  const left = incompleteAreas(coverageAreas);
  return (
    <section aria-label="Scope">
      <details {...(isPrinting || report.findings?.length === 0 ? { open: true } : {})}>
        <summary className="w-fit text-quiet hover:text-text">{lineOf(report)}</summary>
        <div className="card mt-2 flex flex-col gap-4 p-4 frame:max-h-[45dvh] frame:overflow-y-auto">
          {left.length > 0 ? (
            <Part title="Areas not fully covered">
              {left.map(({ id, name, status, note }) => (
                <li key={id} dir="auto" className="measure">
                  <span className="font-strong">{name}</span>{' '}
                  <span className="text-quiet">
                    {status === 'partial' ? 'partially covered' : 'not covered'}
                  </span>
                  {note ? `. ${note}` : ''}
                </li>
              ))}
            </Part>
          ) : null}
          <Texts title="Limitations" texts={limitations} />
          <Texts
            title="Covered"
            texts={[...covered.map(({ name, note }) => (note ? `${name}: ${note}` : name)), ...coverage]}
          />
          {authorization ? (
            <p className="measure text-quiet" dir="auto">
              Authorized: {labelOf(authorization.basis).toLowerCase()}
              {authorization.scope.length > 0 ? `, ${authorization.scope.join('; ')}` : ''}
              {authorization.grantedBy ? `, granted by ${authorization.grantedBy}` : ''}
            </p>
          ) : null}
          {facts.length > 0 ? <Facts facts={facts} /> : null}
        </div>
      </details>
    </section>
  );
}

/** The header lists incomplete tools. If it cannot list all of them, they are listed here too. */
function incompleteAreas(areas: Areas): Areas {
  const isShown = gapsOf(areas)?.isWhole ?? true;
  return areas.filter((area) => area.status !== 'covered' && !(isToolArea(area) && isShown));
}

function lineOf({ coverageAreas = [], limitations = [] }: ReportProjection): string {
  const subjects = subjectsOf(coverageAreas);
  const left = subjects.filter(({ status }) => status !== 'covered').length;
  const parts = [
    ...(subjects.length === 0
      ? []
      : left === 0
        ? [subjects.length === 1 ? '1 area fully covered' : `All ${subjects.length} areas fully covered`]
        : [`${left} of ${counted(subjects.length, 'area')} not fully covered`]),
    ...(limitations.length > 0 ? [counted(limitations.length, 'limitation')] : []),
  ];
  return parts.length === 0 ? 'About this scan' : parts.join(', ');
}

/** The facts about the scan that do not fit into the line of identity. */
function scanFactsOf({ scan, project }: ReportProjection): readonly (readonly [string, string])[] {
  if (!scan) return [];
  const { effortRequested, effortResolved } = scan;
  const took = duration(scan.startedAt, scan.finishedAt);
  return [
    ...(project?.name ? [['Project', project.name] as const] : []),
    ...(project?.repositoryUrl ? [['Repository', project.repositoryUrl] as const] : []),
    [
      'Effort',
      effortRequested === effortResolved
        ? effortResolved
        : `${effortResolved} (requested: ${effortRequested})`,
    ],
    ...(took === undefined ? [] : [['Duration', took] as const]),
  ];
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <h2 className="font-strong">{title}</h2>
      <ul aria-label={title} className="flex flex-col gap-1">
        {children}
      </ul>
    </div>
  );
}

function Texts({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <Part title={title}>
      <InOrder of={texts}>
        {(text) => (
          <li dir="auto" className="measure">
            {text}
          </li>
        )}
      </InOrder>
    </Part>
  );
}
