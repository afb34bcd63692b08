/** A report, for its owner and the members of its workspace. */
import { fileAddress } from '@svc/client';
import type {
  ExportFormat,
  FindingTotals,
  OwnFirstScreen,
  ReportProjection,
  ReportRead,
} from '@svc/contract';
import { useParams } from '@tanstack/react-router';
import { useEffect, useMemo, type ReactNode } from 'react';
import { useUser } from '../features/auth/session.ts';
import { LiveReport } from '../features/live/live-report.tsx';
import { rememberRead } from '../features/overview/read-before.ts';
import { useCountedExports } from '../features/reading/counted-exports.ts';
import { useOwnReport, useTriage } from '../features/reading/own-report.ts';
import { ChangesSince } from '../features/report-place/changes-since.tsx';
import { ProjectName, ReportPath, ReportSwitcher } from '../features/report-place/report-path.tsx';
import { ReportSkeleton } from '../features/reading/report-skeleton.tsx';
import { ReportReading } from '../features/reading/report-reading.tsx';
import { RestMissing } from '../features/reading/rest-missing.tsx';
import { SupportAccesses } from '../features/reading/support-accesses.tsx';
import { ShareButton } from '../features/shares/share-button.tsx';
import { ShareSheet } from '../features/shares/share-sheet.tsx';
import { useInWorkspace } from '../features/workspaces/current.ts';
import { useSharing } from '../features/shares/sharing.ts';
import { recordEvent } from '../lib/analytics.ts';
import { NotFound } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';

/** The data of a report other than its body. */
type Known = OwnFirstScreen['read'];

export function ReportPage() {
  const { id } = useParams({ from: '/signed-in/reports/$id' });
  const { answer, first, isFailed, tryAgain } = useOwnReport(id);
  const sharing = useSharing(id);
  const known = typeof answer === 'string' ? undefined : (answer ?? first?.read);
  useInWorkspace(known?.workspaceId);
  if (answer === 'NOT_FOUND') return <NotFound />;
  if (answer === 'REPORT_EXPIRED') return <Expired />;
  if (!known) return <ReportSkeleton />;
  const report = answer ? answer.report : (first?.first.report ?? null);
  const actions = <ShareButton sharing={sharing} />;
  return (
    <>
      {report === null ? (
        <Live key={id} known={known} actions={actions} />
      ) : (
        <Final
          key={id}
          known={known}
          report={report}
          decisions={answer?.decisions ?? first?.read.decisions ?? []}
          isWhole={answer !== undefined}
          totals={first?.first.totals ?? null}
          actions={actions}
          notice={isFailed ? <RestMissing onRest={tryAgain} /> : null}
        />
      )}
      {/* The sheet is outside the page, so that its state survives when a live report becomes final. */}
      <ShareSheet
        key={`sharing ${id}`}
        sharing={sharing}
        findings={report === null ? null : answer?.report?.findings}
      />
    </>
  );
}

function Expired() {
  return (
    <Page title="Report expired" width="narrow">
      <p>This report has expired or was deleted. Its content can’t be recovered.</p>
      <p>
        <a href="/" className="text-accent-text underline">
          Go to your reports
        </a>
      </p>
    </Page>
  );
}

interface LiveProps {
  readonly known: Known;
  readonly actions: ReactNode;
}

function Live({ known, actions }: LiveProps) {
  const { reportId, projectName, createdAt, supportAccesses } = known;
  useEffect(() => recordEvent('report_watched', { reportId }), [reportId]);
  return (
    <Page
      title={`${projectName}: scan`}
      above={<ReportPath {...known} />}
      heading={<ProjectName {...known} />}
      width="wide"
      actions={actions}
    >
      <p className="text-quiet">
        Started <Time at={createdAt} />
      </p>
      <SupportAccesses accesses={supportAccesses} />
      <LiveReport reportId={reportId} createdAt={createdAt} />
    </Page>
  );
}

interface FinalProps extends LiveProps {
  readonly report: ReportProjection;
  readonly decisions: ReportRead['decisions'];
  readonly isWhole: boolean;
  readonly totals: FindingTotals | null;
  readonly notice: ReactNode;
}

function Final({ known, report, decisions, isWhole, totals, actions, notice }: FinalProps) {
  const { reportId, projectId, projectName, expiresAt, supportAccesses } = known;
  const triage = useTriage(reportId, projectId, decisions);
  const exports = useMemo(() => exportsOf(reportId), [reportId]);
  useCountedExports(reportId);
  useEffect(() => recordEvent('report_viewed', { reportId }), [reportId]);
  const userId = useUser()?.userId;
  useEffect(() => {
    if (userId !== undefined) rememberRead(userId);
  }, [userId]);
  return (
    <ReportReading
      report={report}
      isWhole={isWhole}
      totals={totals}
      documentTitle={`${projectName}: report`}
      expiresAt={expiresAt}
      exports={exports}
      triage={triage}
      actions={actions}
      breadcrumbs={<ReportPath {...known} />}
      heading={<ProjectName {...known} />}
      switcher={<ReportSwitcher {...known} />}
      renderChanges={(open) => <ChangesSince reportId={reportId} projectId={projectId} open={open} />}
      notes={
        <>
          <SupportAccesses accesses={supportAccesses} />
          {notice}
        </>
      }
    />
  );
}

const formats = [
  ['HTML', 'html'],
  ['JSON', 'json'],
  ['Markdown', 'markdown'],
  ['SARIF', 'sarif'],
] as const;

function exportsOf(id: string) {
  const address = (format: ExportFormat, profile?: 'github') =>
    fileAddress({}, 'exportReport', {
      params: { id, format },
      ...(profile === undefined ? {} : { query: { profile } }),
    });
  return [
    ...formats.map(([name, format]) => ({ name, address: address(format) })),
    { name: 'SARIF for GitHub', address: address('sarif', 'github') },
  ];
}
