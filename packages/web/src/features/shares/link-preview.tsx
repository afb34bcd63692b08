/** A preview of the projection for the selected viewer. The service computes it as it does for share links. */
import type { PreviewBody, ProjectedFinding, ReportProjection, Share, ShareCover } from '@svc/contract';
import { worstFirst } from '@svc/report/reading/labels';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useState } from 'react';
import { recordEvent } from '../../lib/analytics.ts';
import { query } from '../../lib/api.ts';
import { counted } from '../../lib/format.ts';
import { messageOf } from '../../ui/failure.tsx';
import { SeverityBar } from '../../ui/severity-bar.tsx';
import { SeverityMark } from '../../ui/severity.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { FindingArticle } from '../reading/finding-article.tsx';
import type { LinkDraft } from './draft.ts';
import { policyOf } from './policy.ts';
import { policyFor, principalTypeOf, type Viewer } from './viewer.ts';

/** Enough for a preview, and quick to render for a large report. */
const FINDINGS_SHOWN_MAX = 50;
const SETTLED_AFTER_MS = 250;

export interface LinkPreviewProps {
  /** The id of the section, for links to it. */
  readonly id: string;
  readonly reportId: string;
  readonly draft: LinkDraft;
  readonly share: Share | null;
  readonly viewer: Viewer;
}

export function LinkPreview({ id, reportId, draft, share, viewer }: LinkPreviewProps) {
  const body = useSettled(bodyOf(draft, share, viewer), SETTLED_AFTER_MS);
  const { data, error, isFetching } = useQuery({
    ...query('previewProjection', { params: { id: reportId }, query: { cover: '1' }, body }),
    placeholderData: keepPreviousData,
    structuralSharing: false,
    throwOnError: false,
    gcTime: 0,
  });
  const isShown = data !== undefined;
  useEffect(() => {
    if (isShown) recordEvent('share_previewed', { reportId });
  }, [isShown, reportId]);
  return (
    <section
      id={id}
      aria-label="Preview"
      aria-busy={isFetching}
      className="flex min-w-0 flex-col gap-3 border-line max-lg:border-t max-lg:pt-4 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto lg:border-l lg:pl-6"
    >
      <h3 className="font-strong">Preview for {viewer ?? viewerLabels[principalTypeOf(draft, viewer)]}</h3>
      {error && !isFetching ? <p role="alert">{messageOf(error)}</p> : null}
      {data?.share ? <Sender share={data.share} /> : null}
      {data ? <Projection report={data.report} /> : null}
    </section>
  );
}

const viewerLabels = {
  anonymous: 'anyone with the link',
  user: 'a signed-in user',
  workspace: 'a member of the workspace',
  email: 'an email address',
} as const;

function bodyOf(draft: LinkDraft, share: Share | null, viewer: Viewer): PreviewBody {
  const label = draft.people.find(({ value }) => value === viewer)?.label ?? null;
  return {
    policy: policyOf(policyFor(draft, viewer)),
    principalType: principalTypeOf(draft, viewer),
    ...(label === null ? {} : { label }),
    ...(share === null ? {} : { shareId: share.id }),
    ...(draft.message.trim() === '' ? {} : { message: draft.message }),
    showSender: draft.showSender,
  };
}

/** What viewers read above the report. */
function Sender({ share: { sender, message } }: { readonly share: ShareCover }) {
  if (sender === null && message === null) return null;
  return (
    <div className="flex flex-col gap-1 rounded bg-sunken px-3 py-2">
      {sender === null ? null : (
        <p className="font-strong">
          Prepared by <bdi>{sender}</bdi>
        </p>
      )}
      {message === null ? null : (
        <p dir="auto" className="wrap-anywhere whitespace-pre-line">
          {message}
        </p>
      )}
    </div>
  );
}

function Projection({ report }: { readonly report: ReportProjection }) {
  const { project, scan, summary, findings, coverageAreas, coverage, limitations, redactionNotice } = report;
  const parts = [
    ...(scan ? ['scan and times'] : []),
    ...(report.authorization ? ['authorization'] : []),
    ...(coverage || coverageAreas ? ['coverage'] : []),
    ...(limitations ? ['limitations'] : []),
  ];
  return (
    <>
      <p className="text-lead font-strong">
        <bdi>{project?.name ?? 'Security report'}</bdi>
      </p>
      {redactionNotice === undefined ? null : <p className="text-quiet">{redactionNotice}</p>}
      {summary ? (
        <>
          <p>{counted(summary.findingCount, 'finding')}</p>
          <SeverityBar counts={summary.severityCounts} />
        </>
      ) : null}
      {parts.length === 0 ? null : <p className="text-quiet">Also: {parts.join(', ')}.</p>}
      {findings ? <FindingsPreview findings={findings} /> : null}
    </>
  );
}

function FindingsPreview({ findings }: { readonly findings: readonly ProjectedFinding[] }) {
  const ordered = useMemo(() => worstFirst(findings), [findings]);
  if (findings.length === 0) return <p>This view has no findings.</p>;
  return (
    <>
      <ol aria-label="Findings in this view">
        {ordered.slice(0, FINDINGS_SHOWN_MAX).map((finding) => (
          <FindingPreview key={finding.id} finding={finding} />
        ))}
      </ol>
      {findings.length > FINDINGS_SHOWN_MAX ? (
        <p className="text-quiet">And {(findings.length - FINDINGS_SHOWN_MAX).toLocaleString('en')} more.</p>
      ) : null}
    </>
  );
}

function FindingPreview({ finding }: { readonly finding: ProjectedFinding }) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="border-t border-line">
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className="flex min-h-9 pointer-coarse:min-h-11 items-center gap-3 py-1">
          <span className="w-20 shrink-0">
            <SeverityMark severity={finding.severity} />
          </span>
          <span className="min-w-0" dir="auto">
            {finding.title}
          </span>
        </summary>
        <div className="pt-2 pb-4">{isOpen ? <FindingArticle finding={finding} headingId={id} /> : null}</div>
      </details>
    </li>
  );
}
