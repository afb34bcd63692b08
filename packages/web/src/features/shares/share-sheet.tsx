/** The share sheet: lists, creates and edits the shares of a report. */
import type { Share, ShareCreated } from '@svc/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { recordEvent } from '../../lib/analytics.ts';
import { ask, queryKey } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { changesOf } from './changes.ts';
import { createBodyOf, draftOfShare, newDraft, type LinkDraft } from './draft.ts';
import type { Findings } from './findings.ts';
import { LinkForm } from './link-form.tsx';
import { LinkMade } from './link-made.tsx';
import { LinkList } from './link-list.tsx';
import type { Sharing } from './sharing.ts';

export interface ShareSheetProps {
  readonly sharing: Sharing;
  readonly findings: Findings;
}

type Step =
  | { readonly kind: 'list' }
  | { readonly kind: 'new' }
  | { readonly kind: 'change'; readonly share: Share }
  | { readonly kind: 'made'; readonly made: ShareCreated; readonly draft: LinkDraft };

export function ShareSheet({ sharing, findings }: ShareSheetProps) {
  const { reportId, shares, isOpen } = sharing;
  const [isUnsaved, setIsUnsaved] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  function close() {
    setIsUnsaved(false);
    setIsAsked(false);
    sharing.close();
  }
  if (!shares) return null;
  return (
    <Dialog
      isOpen={isOpen}
      shape="sheet"
      title="Share report"
      onClose={close}
      mayClose={() => {
        if (isUnsaved) setIsAsked(true);
        return !isUnsaved;
      }}
    >
      {isAsked ? (
        <Notice tone="warn">
          <div role="alert" className="flex flex-wrap items-center gap-2">
            <span className="grow">You have unsaved changes.</span>
            <Button onClick={() => setIsAsked(false)}>Keep editing</Button>
            <Button look="danger" onClick={close}>
              Discard changes
            </Button>
          </div>
        </Notice>
      ) : null}
      <Steps reportId={reportId} findings={findings} shares={shares} onEdited={setIsUnsaved} />
    </Dialog>
  );
}

interface StepsProps {
  readonly reportId: string;
  readonly findings: Findings;
  readonly shares: readonly Share[];
  readonly onEdited: (isUnsaved: boolean) => void;
}

function Steps({ reportId, findings, shares, onEdited }: StepsProps) {
  const [step, setStep] = useState<Step>({ kind: shares.length === 0 ? 'new' : 'list' });
  const queries = useQueryClient();
  async function reload() {
    await queries.invalidateQueries({ queryKey: queryKey('listShares', { params: { id: reportId } }) });
  }
  function go(next: Step) {
    onEdited(false);
    setStep(next);
  }
  async function make(draft: LinkDraft) {
    const made = await ask('createShare', { params: { id: reportId }, body: createBodyOf(draft) });
    recordEvent('share_created', { reportId });
    go({ kind: 'made', made, draft });
    void reload();
  }
  async function change(share: Share, draft: LinkDraft) {
    const body = { reportId, ...changesOf(share, draft).body };
    await ask('changeShare', { params: { shareId: share.id }, body });
    await reload();
    go({ kind: 'list' });
  }
  const common = {
    reportId,
    findings,
    onEdited,
    onBack: () => go({ kind: 'list' }),
    hasLinks: shares.length > 0,
  };
  switch (step.kind) {
    case 'list':
      return (
        <LinkList
          shares={shares}
          onNew={() => go({ kind: 'new' })}
          onChange={(share) => go({ kind: 'change', share })}
          onRevoked={reload}
        />
      );
    case 'new':
      return <LinkForm {...common} key="new" from={newDraft} share={null} onSend={make} />;
    case 'change': {
      const { share } = step;
      const from = () => draftOfShare(share);
      return (
        <LinkForm
          {...common}
          key={share.id}
          from={from}
          share={share}
          onSend={(draft) => change(share, draft)}
        />
      );
    }
    case 'made':
      return (
        <LinkMade
          made={step.made}
          draft={step.draft}
          findings={findings}
          onDone={() => {
            go({ kind: 'list' });
            void reload();
          }}
        />
      );
  }
}
