/** The header of a report: identity, verdict, severities, verification and status, and scope. */
import type { ReportProjection } from '@svc/contract';
import { findingStatuses, verifications } from '@svc/contract/enums';
import { duration, labelOf, enumLabels } from '@svc/report/reading/labels';
import { gapsOf, isToolArea, subjectsOf } from '@svc/report/reading/coverage';
import { countsOf, verdictOf } from '@svc/report/reading/verdict';
import type { ReactNode } from 'react';
import { counted } from '../../lib/format.ts';
import { InOrder } from '../../ui/in-order.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SeverityBar } from '../../ui/severity-bar.tsx';
import { Expiry, Time } from '../../ui/time.tsx';
import type { Counts } from './view.ts';

export interface ReportHeaderProps {
  readonly report: ReportProjection;
  /** The counts of all findings. */
  readonly counts: Counts;
  /** When the report expires, if the viewer may know. */
  readonly expiresAt?: string | undefined;
  /** Rendered at the bottom, such as support accesses. */
  readonly children?: ReactNode;
}

export function ReportHeader({ report, counts, expiresAt, children }: ReportHeaderProps) {
  const bySeverity = countsOf(report)?.bySeverity;
  const verdict = verdictOf(report);
  return (
    <div className="flex flex-col gap-3">
      <Identity report={report} expiresAt={expiresAt} />
      {verdict === undefined ? null : <p className="text-lead">{verdict}</p>}
      <IncompleteScan report={report} />
      {bySeverity ? <SeverityBar counts={bySeverity} /> : null}
      <Standing report={report} counts={counts} />
      {report.redactionNotice === undefined ? null : (
        <p dir="auto" className="text-quiet">
          {report.redactionNotice}
        </p>
      )}
      {children}
    </div>
  );
}

/** Shown before the counts, since the counts miss what a failed tool would have found. */
function IncompleteScan({ report: { coverageAreas } }: Pick<ReportHeaderProps, 'report'>) {
  const gaps = gapsOf(coverageAreas);
  if (gaps === undefined) return null;
  return (
    <section aria-label="Incomplete scan">
      <Notice tone="warn" title={gaps.title}>
        <ul className="mt-1 list-disc pl-6">
          <InOrder of={gaps.lines}>{(line) => <li dir="auto">{line}</li>}</InOrder>
        </ul>
      </Notice>
    </section>
  );
}

function Identity({ report, expiresAt }: Pick<ReportHeaderProps, 'report' | 'expiresAt'>) {
  const { scan, project } = report;
  const { commit, branch, agent } = scan ?? {};
  const took = scan && duration(scan.startedAt, scan.finishedAt);
  const about = agent && [agent.name, agent.version, agent.model].filter(Boolean).join(' ');
  if (!scan && !project?.repositoryUrl && expiresAt === undefined) return null;
  return (
    <ul aria-label="About this report" className="flex flex-wrap gap-x-4 gap-y-1 text-quiet">
      {project?.repositoryUrl ? (
        <li>
          <code>{project.repositoryUrl}</code>
        </li>
      ) : null}
      {commit || branch ? (
        <li>
          <Commit commit={commit} branch={branch} />
        </li>
      ) : null}
      {about ? <li dir="auto">{about}</li> : null}
      {scan ? <li>{effortOf(scan)}</li> : null}
      {scan ? (
        <li>
          scanned <Time at={scan.finishedAt} />
        </li>
      ) : null}
      {took === undefined ? null : <li>took {took}</li>}
      {expiresAt === undefined ? null : (
        <li>
          <Expiry at={expiresAt} />
        </li>
      )}
    </ul>
  );
}

function Commit({
  commit,
  branch,
}: {
  readonly commit: string | undefined;
  readonly branch: string | undefined;
}) {
  return (
    <>
      {commit ? <code title={commit}>{commit.slice(0, 12)}</code> : null}
      {commit && branch ? ' on ' : null}
      {branch ? <code>{branch}</code> : null}
    </>
  );
}

function effortOf({ effortRequested, effortResolved }: NonNullable<ReportProjection['scan']>): string {
  return effortRequested === effortResolved
    ? `${effortResolved} effort`
    : `${effortResolved} effort, requested as ${effortRequested}`;
}

/** Counts by verification, and by status if any finding is not open. */
function Standing({ report, counts }: Pick<ReportHeaderProps, 'report' | 'counts'>) {
  const sure = new Map<string, number>(
    report.summary ? Object.entries(report.summary.verificationCounts) : counts.verification,
  );
  const isMoved = findingStatuses.some((status) => status !== 'open' && counts.status.has(status));
  const parts = [
    ...verifications.map((word) => [word, sure.get(word) ?? 0] as const),
    ...(isMoved ? findingStatuses.map((word) => [word, counts.status.get(word) ?? 0] as const) : []),
  ].filter(([, count]) => count > 0);
  if (parts.length === 0) return null;
  return (
    <ul aria-label="Verification and status" className="flex flex-wrap gap-x-4 gap-y-1 text-quiet">
      {parts.map(([word, count]) => (
        <li key={word}>
          <span className="nums">{count.toLocaleString('en')}</span> {enumLabels[word].toLowerCase()}
        </li>
      ))}
    </ul>
  );
}

/** Areas that the scan did not fully cover, limitations, and the covered areas, folded. */
export function Scope({ report }: { readonly report: ReportProjection }) {
  const { coverageAreas = [], coverage = [], limitations = [], authorization } = report;
  const subjects = subjectsOf(coverageAreas);
  // The header lists incomplete tools. If it cannot list all of them, they are listed here too.
  const isShown = gapsOf(coverageAreas)?.isWhole ?? true;
  const left = coverageAreas.filter((area) => area.status !== 'covered' && !(isToolArea(area) && isShown));
  const areas = subjects.length;
  const covered = subjects.filter(({ status }) => status === 'covered');
  if (areas + coverage.length + limitations.length === 0 && !authorization) return null;
  return (
    <section aria-label="Scope" className="flex flex-col gap-2 border-t border-line pt-3">
      {areas > 0 ? (
        <p>
          {covered.length} of {counted(areas, 'area')} fully covered.{' '}
        </p>
      ) : null}
      {left.length > 0 ? (
        <ul aria-label="Areas not fully covered" className="flex flex-col gap-1">
          {left.map(({ id, name, status, note }) => (
            <li key={id} dir="auto">
              <span className="font-strong">{name}</span>{' '}
              <span className="text-quiet">{status === 'partial' ? 'partially covered' : 'not covered'}</span>
              {note ? `. ${note}` : ''}
            </li>
          ))}
        </ul>
      ) : null}
      {limitations.length > 0 ? (
        <Texts label="Limitations" texts={limitations} isOpen={limitations.length < 4} />
      ) : null}
      <Covered areas={covered.filter((area) => !isToolArea(area))} coverage={coverage} />
      {authorization ? (
        <p className="text-quiet" dir="auto">
          Authorized: {labelOf(authorization.basis).toLowerCase()}
          {authorization.scope.length > 0 ? `, ${authorization.scope.join('; ')}` : ''}
          {authorization.grantedBy ? `, granted by ${authorization.grantedBy}` : ''}
        </p>
      ) : null}
    </section>
  );
}

interface CoveredProps {
  readonly areas: NonNullable<ReportProjection['coverageAreas']>;
  readonly coverage: readonly string[];
}

function Covered({ areas, coverage }: CoveredProps) {
  const texts = [...areas.map(({ name, note }) => (note ? `${name}: ${note}` : name)), ...coverage];
  return texts.length === 0 ? null : <Texts label="Covered" texts={texts} />;
}

interface TextsProps {
  readonly label: string;
  readonly texts: readonly string[];
  readonly isOpen?: boolean;
}

function Texts({ label, texts, isOpen = false }: TextsProps) {
  return (
    <details open={isOpen}>
      <summary>
        {label} <span className="text-quiet nums">{texts.length}</span>
      </summary>
      <ul className="mt-1 flex list-disc flex-col gap-1 pl-6">
        <InOrder of={texts}>{(text) => <li dir="auto">{text}</li>}</InOrder>
      </ul>
    </details>
  );
}
