/** A report, for its owner and the members of its workspace. */
import { fileAddress } from '@svc/client';
import type { ExportFormat, ProjectedFinding, ReportProjection, ReportRead } from '@svc/contract';
import { timeLabelOf } from '@svc/contract/labels';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { LiveReport } from '../features/live/live-report.tsx';
import { rememberRead } from '../features/overview/read-before.ts';
import { ReportReading } from '../features/reading/report-reading.tsx';
import type { Triage } from '../features/reading/triage.ts';
import { ShareButton } from '../features/shares/share-button.tsx';
import { ask, isRefusal, query, queryKey } from '../lib/api.ts';
import { NotFound } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';

export function ReportPage() {
  const { id } = useParams({ from: '/signed-in/reports/$id' });
  const { data } = useSuspenseQuery(reportQuery(id));
  if (data === 'NOT_FOUND') return <NotFound />;
  if (data === 'REPORT_EXPIRED') return <Expired />;
  return data.report === null ? <Live read={data} /> : <Final read={data} report={data.report} />;
}

/** A final report changes by what its readers do, and is large: it is not compared with itself, nor asked for at every turn. */
export function reportQuery(reportId: string) {
  return {
    ...query('getReport', { params: { id: reportId } }),
    async queryFn({ signal }: { signal: AbortSignal }): Promise<ReportRead | 'NOT_FOUND' | 'REPORT_EXPIRED'> {
      try {
        return await ask('getReport', { params: { id: reportId } }, signal);
      } catch (error) {
        if (isRefusal(error, 'NOT_FOUND')) return 'NOT_FOUND';
        if (isRefusal(error, 'REPORT_EXPIRED')) return 'REPORT_EXPIRED';
        throw error;
      }
    },
    structuralSharing: false,
    refetchOnWindowFocus: false,
  } as const;
}

function Expired() {
  return (
    <Page title="This report has expired" width="narrow">
      <p>Its time was over, or it was deleted. What it held is gone.</p>
      <p>
        <a href="/" className="text-accent-text underline">
          Go to your reports
        </a>
      </p>
    </Page>
  );
}

function Live({ read: { reportId, projectName, createdAt } }: { readonly read: ReportRead }) {
  return (
    <Page title={`${projectName}: scan`} heading={<bdi>{projectName}</bdi>} width="wide">
      <p className="text-quiet">
        Begun <Time at={createdAt} />
      </p>
      <LiveReport key={reportId} reportId={reportId} />
    </Page>
  );
}

function Final({ read, report }: { readonly read: ReportRead; readonly report: ReportProjection }) {
  const { reportId, projectName, expiresAt, supportAccesses } = read;
  const triage = useTriage(reportId);
  useEffect(rememberRead, []);
  return (
    <ReportReading
      report={report}
      isWhole
      documentTitle={`${projectName}: report`}
      expiresAt={expiresAt}
      exports={exportsOf(reportId)}
      triage={triage}
      actions={<ShareButton reportId={reportId} report={report} />}
      notes={
        supportAccesses.length > 0 ? (
          <ul aria-label="Read by support" className="text-quiet">
            {supportAccesses.map(({ at, reason }) => (
              <li key={at}>
                Read by support {timeLabelOf(at)}: {reason}
              </li>
            ))}
          </ul>
        ) : null
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

function useTriage(id: string): Triage {
  const queries = useQueryClient();
  return useMemo(
    () => ({
      async move(findingId, status) {
        const { finding } = await ask('changeFindingStatus', { params: { id, findingId }, body: { status } });
        return finding;
      },
      keep(moved) {
        queries.setQueryData<ReportRead>(queryKey('getReport', { params: { id } }), (read) =>
          withFindings(read, moved),
        );
      },
    }),
    [id, queries],
  );
}

function withFindings(
  read: ReportRead | undefined,
  moved: readonly ProjectedFinding[],
): ReportRead | undefined {
  if (!read?.report?.findings) return read;
  const byId = new Map(moved.map((finding) => [finding.id, finding]));
  const findings = read.report.findings.map((finding) => byId.get(finding.id) ?? finding);
  return { ...read, report: { ...read.report, findings } };
}
