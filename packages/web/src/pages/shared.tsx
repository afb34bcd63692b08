/**
 * The share page: the cover and the projection for its viewer, or why they are not available. It shows nothing else of
 * the owner or the report.
 */
import { useState } from 'react';
import type { Opened } from '../features/open-link/open-results.ts';
import { OpenError } from '../features/open-link/open-error.tsx';
import { Cover } from '../features/open-link/cover.tsx';
import { DownloadMenu } from '../features/open-link/download-menu.tsx';
import { Levels } from '../features/open-link/levels.tsx';
import type { SavedFile } from '../features/open-link/save-file.ts';
import { isWithoutContent, useLink } from '../features/open-link/use-link.ts';
import { ReportReading } from '../features/reading/report-reading.tsx';
import { ReportSkeleton } from '../features/reading/report-skeleton.tsx';
import { RestMissing } from '../features/reading/rest-missing.tsx';
import { Button } from '../ui/button.tsx';
import { messageOf } from '../ui/failure.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';

/** The title is generic, since titles appear in browser histories and tab lists. */
const TITLE = 'Shared report';

export function SharedPage({ slug }: { readonly slug: string }) {
  const { link, isBusy, open, tryAgain, save } = useLink(slug);
  switch (link.kind) {
    case 'opening':
      return (
        <main>
          <ReportSkeleton />
        </main>
      );
    case 'opened':
      return <SharedReport opened={link} slug={slug} onSave={save} />;
    case 'halfOpened':
      return <SharedReport opened={link.opened} slug={slug} onSave={save} onRest={tryAgain} />;
    case 'denied':
      return <OpenError denied={link} slug={slug} onPassword={open} onRetry={tryAgain} />;
    case 'unreachable':
      return (
        <main>
          <Page title={TITLE} heading="Can’t load the report" width="narrow">
            <p role="alert">The service did not respond. Check your network and try again.</p>
            <p>
              <Button busy={isBusy} onClick={tryAgain}>
                Try again
              </Button>
            </p>
          </Page>
        </main>
      );
  }
}

interface SharedReportProps {
  readonly opened: Opened;
  readonly slug: string;
  readonly onSave: (file: SavedFile) => Promise<void>;
  /** Set if the rest of the report could not be loaded. */
  readonly onRest?: () => void;
}

function SharedReport({ opened, slug, onSave, onRest }: SharedReportProps) {
  const { report, isWhole, totals } = opened;
  const [error, setError] = useState<unknown>(null);
  function save(file: SavedFile) {
    setError(null);
    onSave(file).catch(setError);
  }
  if (isWithoutContent(opened)) {
    return (
      <main>
        <Cover {...opened} />
        <Page title={TITLE} heading="Security report" width="text">
          <p role="status">The scan is running. The report appears here when it is complete.</p>
        </Page>
      </main>
    );
  }
  return (
    <main>
      <ReportReading
        cover={<Cover {...opened} />}
        report={report}
        isWhole={isWhole}
        totals={totals}
        documentTitle={TITLE}
        actions={<DownloadMenu slug={slug} onSave={save} />}
        notes={
          <>
            {report.findings || report.summary ? <Levels /> : null}
            {error === null ? null : (
              <Notice tone="danger">
                <p>{messageOf(error)}</p>
              </Notice>
            )}
            {onRest ? <RestMissing onRest={onRest} /> : null}
          </>
        }
      />
    </main>
  );
}
