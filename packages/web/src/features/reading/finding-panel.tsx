/** The selected finding: beside the list on wide screens, otherwise in its place. */
import type { ProjectedFinding } from '@svc/contract';
import { markdownFinding } from '@svc/report/reading/markdown-finding';
import { useState } from 'react';
import { copyText } from '../../lib/clipboard.ts';
import { Button } from '../../ui/button.tsx';
import { useShortcuts } from '../../ui/shortcuts.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { FindingArticle } from './finding-article.tsx';
import { StatusMenu } from './status-menu.tsx';
import type { Triage } from './triage.ts';
import type { Decisions } from './use-decisions.ts';
import type { Steps } from './use-steps.ts';

export interface FindingPanelProps {
  readonly id: string;
  /** Undefined if no loaded finding has this id. */
  readonly finding: ProjectedFinding | undefined;
  /** The rest of the report is still loading. */
  readonly isWaiting: boolean;
  readonly triage: Triage | undefined;
  readonly decisions: Decisions;
  readonly steps: Steps;
  readonly onClose: () => void;
}

export function FindingPanel(props: FindingPanelProps) {
  const { id, finding, isWaiting, triage, decisions, steps, onClose } = props;
  return (
    <section aria-label={`Finding ${id}`} className="card flex min-w-0 flex-col print:hidden frame:min-h-0">
      <PanelBar id={id} finding={finding} isWaiting={isWaiting} steps={steps} onClose={onClose} />
      <div tabIndex={-1} className="px-4 py-4 outline-none sm:px-6 frame:min-h-0 frame:overflow-y-auto">
        {finding ? (
          <FindingArticle finding={finding} headingId={`finding-${id}`}>
            {triage ? <StatusMenu finding={finding} triage={triage} decisions={decisions} /> : null}
          </FindingArticle>
        ) : isWaiting ? (
          <Waiting what="the finding" />
        ) : (
          <p>
            This report has no finding <code>{id}</code>.
          </p>
        )}
      </div>
    </section>
  );
}

type PanelBarProps = Pick<FindingPanelProps, 'id' | 'finding' | 'isWaiting' | 'steps' | 'onClose'>;

function PanelBar({ id, finding, isWaiting, steps, onClose }: PanelBarProps) {
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
    <div className="flex min-h-9 flex-wrap items-center gap-y-1 border-b border-line px-1">
      <Button look="quiet" onClick={onClose}>
        <span className="frame:hidden">All findings</span>
        <span className="stacked:hidden">Close</span>
      </Button>
      <Button
        look="quiet"
        aria-label="Previous finding"
        disabled={steps.at <= 1}
        onClick={() => steps.go(-1)}
        isCompact
      >
        <span aria-hidden="true">↑</span>
      </Button>
      <Button
        look="quiet"
        aria-label="Next finding"
        disabled={steps.at === 0 || steps.at === steps.count}
        onClick={() => steps.go(1)}
        isCompact
      >
        <span aria-hidden="true">↓</span>
      </Button>
      {steps.at === 0 ? null : (
        <span className="px-1 text-small text-quiet nums">
          {steps.at.toLocaleString('en')} of {steps.count.toLocaleString('en')}
        </span>
      )}
      {/* The copy buttons stay together if they need a row of their own. */}
      <div className="ml-auto flex flex-wrap items-center justify-end">
        <span role="status" className="text-small text-quiet">
          {copyStatus}
        </span>
        <Button look="quiet" onClick={copyLink}>
          Copy link
        </Button>
        {finding || isWaiting ? (
          <Button look="quiet" disabled={!finding} onClick={copyMarkdown}>
            Copy Markdown
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** The URL of the finding, without filters. */
function addressOfFinding(id: string): string {
  return `${location.origin}${location.pathname}?finding=${id}`;
}
