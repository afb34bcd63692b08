/** Compares two reports of a project. */
import { useSuspenseQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ListedReport, ProjectedFinding } from '@svc/contract';
import { Suspense, useMemo, useState } from 'react';
import { query } from '../../lib/api.ts';
import { exactTime } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { severityLooks, SeverityMark } from '../../ui/severity.tsx';
import { Skeleton, SkeletonLine } from '../../ui/skeleton.tsx';
import { changesOf, caveatsOf, type Changes } from './changes.ts';

const SHOWN_AT_FIRST = 20;
const SKELETON_ROWS = 8;

export interface Choice {
  /** The newer report; default: the newest. */
  readonly report?: string;
  /** The older report; by default the one before `report`. */
  readonly base?: string;
}

export interface ComparisonProps extends Choice {
  /** At least two final reports, newest first. */
  readonly reports: readonly ListedReport[];
  readonly onChoose: (choice: Choice) => void;
}

export function Comparison({ reports, report, base, onChoose }: ComparisonProps) {
  const at = Math.max(
    0,
    reports.slice(0, -1).findIndex(({ reportId }) => reportId === report),
  );
  const older = reports.slice(at + 1);
  const newer = reports[at]?.reportId ?? '';
  const chosen = older.find(({ reportId }) => reportId === base) ?? older[0];
  return (
    <section aria-labelledby="comparison" className="flex flex-col gap-4">
      <h2 id="comparison" className="text-lead font-strong">
        Changes
      </h2>
      <div className="grid gap-4 sm:grid-cols-2">
        <ReportSelect
          label="From"
          name="base"
          reports={older}
          value={chosen?.reportId ?? ''}
          onChoose={(id) => onChoose({ report: newer, base: id })}
        />
        <ReportSelect
          label="To"
          name="report"
          reports={reports.slice(0, -1)}
          value={newer}
          onChoose={(id) => onChoose({ report: id })}
        />
      </div>
      <Suspense fallback={<ChangesSkeleton />}>
        {chosen ? <ChangesBetween base={chosen.reportId} report={newer} /> : null}
      </Suspense>
    </section>
  );
}

interface ReportSelectProps {
  readonly label: string;
  readonly name: string;
  readonly reports: readonly ListedReport[];
  readonly value: string;
  readonly onChoose: (reportId: string) => void;
}

function ReportSelect({ label, name, reports, value, onChoose }: ReportSelectProps) {
  const isSameEffort = new Set(reports.map(({ effortResolved }) => effortResolved)).size < 2;
  return (
    <SelectField
      label={label}
      name={name}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {reports.map(({ reportId, createdAt, effortResolved }) => (
        <option key={reportId} value={reportId}>
          {exactTime(new Date(createdAt))}
          {isSameEffort ? '' : `, effort ${effortResolved}`}
        </option>
      ))}
    </SelectField>
  );
}

function ChangesBetween({ base, report }: { readonly base: string; readonly report: string }) {
  const [{ data: comparison }, { data: before }, { data: now }] = useSuspenseQueries({
    queries: [
      query('compareReports', { params: { id: report }, query: { with: base } }),
      query('getReport', { params: { id: base } }),
      query('getReport', { params: { id: report } }),
    ],
  });
  const compared = useMemo(
    () => (before.report && now.report ? { comparison, base: before.report, current: now.report } : null),
    [comparison, before, now],
  );
  const changes = useMemo(() => compared && changesOf(compared), [compared]);
  if (!compared || !changes) return null;
  const caveats = caveatsOf(compared);
  return (
    <div className="flex flex-col gap-4">
      {caveats.length > 0 ? (
        <Notice tone="warn" title="These reports are not directly comparable">
          {caveats.map((caveat) => (
            <p key={caveat}>{caveat}</p>
          ))}
        </Notice>
      ) : null}
      <ChangeGroups changes={changes} base={base} report={report} />
    </div>
  );
}

function ChangeGroups({
  changes,
  base,
  report,
}: {
  readonly changes: Changes;
  readonly base: string;
  readonly report: string;
}) {
  const { added, reopened, severityChanged, unchanged, fixed, notSeen } = changes;
  const reasons = new Map(notSeen.map(({ finding, reason }) => [finding.id, reason]));
  const was = new Map(severityChanged.map((pair) => [pair.now.id, pair.before]));
  return (
    <div className="card flex flex-col px-4 py-3 [&>:last-child]:border-b-0">
      <p className="border-b border-line pb-3">{sentenceOf(changes)}</p>
      <Group title="New" findings={added} reportId={report} isOpen />
      <Group title="Reopened" findings={reopened} reportId={report} isOpen />
      <Group
        title="Severity changed"
        findings={severityChanged.map((pair) => pair.now)}
        reportId={report}
        noteOf={({ id }) => {
          const before = was.get(id);
          return before ? `was ${severityLooks[before.severity].word.toLowerCase()}` : '';
        }}
        isOpen
      />
      <Group title="Fixed" findings={fixed} reportId={base} isOpen />
      <Group
        title="Not seen"
        about="may not be fixed"
        findings={notSeen.map(({ finding }) => finding)}
        reportId={base}
        noteOf={({ id }) => reasons.get(id) ?? ''}
        isOpen
      />
      <Group title="Recurring" findings={unchanged} reportId={report} />
    </div>
  );
}

function sentenceOf({ added, reopened, severityChanged, unchanged, fixed, notSeen }: Changes): string {
  const counts = [
    [added, 'new'],
    [fixed, 'fixed'],
    [notSeen, 'not seen'],
    [reopened, 'reopened'],
    [severityChanged, 'severity changed'],
    [unchanged, 'recurring'],
  ] as const;
  return counts.map(([{ length }, word]) => `${length.toLocaleString('en')} ${word}`).join(', ');
}

/** The sentence and one open group. */
function ChangesSkeleton() {
  return (
    <Skeleton what="the two reports">
      <div className="card flex flex-col px-4 py-3">
        <div className="border-b border-line pb-3">
          <SkeletonLine className="h-5 w-96 max-w-full" />
        </div>
        <div className="pt-2">
          <SkeletonLine className="h-5 w-16" />
        </div>
        <div className="pt-1">
          {Array.from({ length: SKELETON_ROWS }, (_, at) => (
            <div key={at} className="flex min-h-8 items-center gap-2 pl-4 pointer-coarse:min-h-11">
              <SkeletonLine className="h-4 w-20" />
              <SkeletonLine className="h-4 w-1/2" />
            </div>
          ))}
        </div>
      </div>
    </Skeleton>
  );
}

interface GroupProps {
  readonly title: string;
  readonly about?: string;
  readonly findings: readonly ProjectedFinding[];
  /** The report that contains these findings. */
  readonly reportId: string;
  readonly noteOf?: (finding: ProjectedFinding) => string;
  readonly isOpen?: boolean;
}

function Group({ title, about, findings, reportId, noteOf, isOpen = false }: GroupProps) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? findings : findings.slice(0, SHOWN_AT_FIRST);
  const heading = (
    <h3 className="inline font-strong">
      {title} <span className="font-normal text-quiet nums">{findings.length.toLocaleString('en')}</span>
      {about === undefined ? null : <span className="font-normal text-quiet"> · {about}</span>}
    </h3>
  );
  if (findings.length === 0) return null;
  return (
    <details open={isOpen} className="border-b border-line py-2">
      <summary>{heading}</summary>
      <ul className="pt-1">
        {shown.map((finding) => (
          <li
            key={finding.id}
            className="group relative flex min-h-8 pointer-coarse:min-h-11 gap-2 py-1 pl-4 lg:items-center"
          >
            <span className="w-20 shrink-0">
              <SeverityMark severity={finding.severity} />
            </span>
            {/* Title, note and location are stacked where they do not fit side by side. */}
            <div className="flex min-w-0 grow flex-col gap-x-2 lg:flex-row lg:items-center">
              <Link
                to="/reports/$id"
                params={{ id: reportId }}
                search={{ finding: finding.id }}
                className="line-clamp-2 min-w-0 group-hover:underline after:absolute after:inset-0 lg:line-clamp-1"
              >
                {finding.title}
              </Link>
              <span className="shrink-0 text-quiet">{noteOf?.(finding)}</span>
              <span className="truncate font-mono text-small text-quiet lg:ml-auto lg:max-w-[40%]">
                {finding.affected.file ?? finding.affected.route ?? finding.affected.component}
              </span>
            </div>
          </li>
        ))}
      </ul>
      {shown.length < findings.length ? (
        <Button look="quiet" onClick={() => setIsWhole(true)}>
          Show all {findings.length.toLocaleString('en')}
        </Button>
      ) : null}
    </details>
  );
}
