/** The page of a link: the report as its viewer may see it, or what stands in the way. It names nobody and nothing else. */
import { useMemo, useState } from 'react';
import type { Opened } from '../features/open-link/answers.ts';
import { Obstacle } from '../features/open-link/obstacle.tsx';
import { addressOfFile, type SavedFile } from '../features/open-link/save-file.ts';
import { isWithoutText, useLink } from '../features/open-link/use-link.ts';
import { ReportReading } from '../features/reading/report-reading.tsx';
import { RestMissing } from '../features/reading/rest-missing.tsx';
import { Button } from '../ui/button.tsx';
import { messageOf } from '../ui/failure.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Waiting } from '../ui/waiting.tsx';

/** Generic: titles stand in histories and in the lists of open pages. */
const TITLE = 'Shared report';

export function SharedPage({ slug }: { readonly slug: string }) {
  const { link, isBusy, open, tryAgain, save } = useLink(slug);
  switch (link.kind) {
    case 'opening':
      return (
        <main>
          <Waiting what="the report" />
        </main>
      );
    case 'opened':
      return <SharedReport opened={link} slug={slug} onSave={save} />;
    case 'halfOpened':
      return <SharedReport opened={link.opened} slug={slug} onSave={save} onRest={tryAgain} />;
    case 'refused':
      return <Obstacle refused={link} slug={slug} onPassword={open} onRetry={tryAgain} />;
    case 'unreachable':
      return (
        <main>
          <Page title={TITLE} heading="The report can not be reached" width="narrow">
            <p role="alert">Check your network, then try again.</p>
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
  /** Given when the rest of it could not be read. */
  readonly onRest?: () => void;
}

function SharedReport({ opened, slug, onSave, onRest }: SharedReportProps) {
  const { report, isWhole, totals } = opened;
  const [error, setError] = useState<unknown>(null);
  const exports = useMemo(
    () =>
      files.map(({ name, ...file }) => ({
        name,
        address: addressOfFile(slug, file),
        save() {
          setError(null);
          onSave(file).catch(setError);
        },
      })),
    [slug, onSave],
  );
  if (isWithoutText(opened)) {
    return (
      <main>
        <Page title={TITLE} heading="Security report" width="text">
          <ForWhom {...opened} />
          <p role="status">There is nothing to read yet: the scan is running. Its report appears here.</p>
        </Page>
      </main>
    );
  }
  return (
    <main>
      <ReportReading
        report={report}
        isWhole={isWhole}
        totals={totals}
        documentTitle={TITLE}
        exports={exports}
        notes={
          <>
            <ForWhom {...opened} />
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

/** Nothing where it is for anyone. */
function ForWhom({ report, viewerLabel }: Opened) {
  if (report.projectedFor.principalType === 'anonymous') return null;
  return (
    <p className="text-quiet">
      For <bdi>{viewerLabel}</bdi>
    </p>
  );
}

const files: readonly (SavedFile & { readonly name: string })[] = [
  { name: 'HTML', format: 'html' },
  { name: 'JSON', format: 'json' },
  { name: 'Markdown', format: 'markdown' },
  { name: 'SARIF', format: 'sarif' },
  { name: 'SARIF for GitHub', format: 'sarif', profile: 'github' },
];
