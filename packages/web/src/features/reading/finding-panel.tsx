/** The selected finding: beside the list on wide screens, otherwise in its place. */
import type { ProjectedFinding } from '@svc/contract';
import { markdownFinding } from '@svc/report/reading/markdown-finding';
import { useState } from 'react';
import { copyText } from '../../lib/clipboard.ts';
import { Button } from '../../ui/button.tsx';
import { useShortcuts } from '../../ui/shortcuts.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { FindingArticle } from './finding-article.tsx';
import { FindingStatus } from './triage-controls.tsx';
import type { Triage } from './triage.ts';

export interface FindingPanelProps {
  readonly id: string;
  /** Undefined if the report has no finding with this id. */
  readonly finding: ProjectedFinding | undefined;
  /** The report is still loading. */
  readonly isWaiting: boolean;
  readonly triage: Triage | undefined;
  readonly onClose: () => void;
}

export function FindingPanel({ id, finding, isWaiting, triage, onClose }: FindingPanelProps) {
  return (
    <section
      aria-label={`Finding ${id}`}
      className="flex min-w-0 flex-col gap-3 lg:sticky lg:top-0 lg:max-h-dvh lg:overflow-y-auto lg:border-l lg:border-line lg:py-3 lg:pr-1 lg:pl-6 print:hidden"
    >
      <PanelBar id={id} finding={finding} onClose={onClose} />
      {finding ? (
        <FindingArticle finding={finding} headingId={`finding-${id}`}>
          {triage ? <FindingStatus finding={finding} triage={triage} /> : null}
        </FindingArticle>
      ) : isWaiting ? (
        <Waiting what="the finding" />
      ) : (
        <p>
          This report has no finding <code>{id}</code>.
        </p>
      )}
    </section>
  );
}

type PanelBarProps = Pick<FindingPanelProps, 'id' | 'finding' | 'onClose'>;

function PanelBar({ id, finding, onClose }: PanelBarProps) {
  const [copyStatus, setCopyStatus] = useState('');
  async function copy(text: string, what: string): Promise<void> {
    setCopyStatus('');
    setCopyStatus(
      (await copyText(text)) ? `${what} copied` : 'Can’t copy: the browser does not allow it here.',
    );
  }
  const copyLink = () => void copy(addressOfFinding(id), 'Link');
  const copyMarkdown = () => finding && void copy(markdownFinding(finding), 'Markdown');
  useShortcuts([
    { key: 'y', label: 'Copy link to the finding', run: copyLink },
    { key: 'c', label: 'Copy finding as Markdown', run: copyMarkdown },
    { key: 'Escape', label: 'Close finding', run: onClose },
  ]);
  return (
    <div className="-mx-3 flex flex-wrap items-center gap-y-2">
      <Button look="quiet" onClick={onClose}>
        <span className="lg:hidden">All findings</span>
        <span className="max-lg:hidden">Close</span>
      </Button>
      <span className="ml-auto" />
      <span role="status" className="text-small text-quiet">
        {copyStatus}
      </span>
      <Button look="quiet" onClick={copyLink}>
        Copy link
      </Button>
      {finding ? (
        <Button look="quiet" onClick={copyMarkdown}>
          Copy Markdown
        </Button>
      ) : null}
    </div>
  );
}

/** The URL of the finding, without filters. */
function addressOfFinding(id: string): string {
  return `${location.origin}${location.pathname}?finding=${id}`;
}
