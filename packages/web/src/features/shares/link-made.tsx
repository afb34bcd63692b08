/** Shows the URL of a new share once, and copies it where the browser allows that without another click. */
import type { ShareCreated } from '@svc/contract';
import { useEffect, useRef, useState } from 'react';
import { copyText } from '../../lib/clipboard.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { LinkDraft } from './draft.ts';
import type { Findings } from './findings.ts';
import { sentenceOf } from './sentence.ts';

export interface LinkMadeProps {
  readonly made: ShareCreated;
  readonly draft: LinkDraft;
  readonly findings: Findings;
  readonly onDone: () => void;
}

export function LinkMade({ made: { url }, draft, findings, onDone }: LinkMadeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => void copyText(url).then(setIsCopied), [url]);
  const { password } = draft;
  return (
    <section aria-labelledby="link-made" className="flex max-w-2xl flex-col gap-4">
      <h3 id="link-made" ref={heading} tabIndex={-1} className="text-lead font-strong outline-none">
        Share link created
      </h3>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded bg-sunken px-3 py-2">
        <p className="font-mono select-all">{url}</p>
        <p role="status" className={isCopied ? 'text-good-text' : 'sr-only'}>
          {isCopied ? 'Link copied to the clipboard.' : ''}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <CopyButton look="primary" text={url} label="Copy link">
          Copy link
        </CopyButton>
        {password.kind === 'new' ? (
          <CopyButton text={`${url}\nPassword: ${password.text}`} label="Copy link and password">
            Copy link and password
          </CopyButton>
        ) : null}
      </div>
      <Notice tone="warn" title="Shown once">
        <p>
          The server stores only a hash of the URL{password.kind === 'new' ? ' and of the password' : ''}. If
          you lose {password.kind === 'new' ? 'either' : 'it'}, create a new share link.
        </p>
      </Notice>
      <p>{sentenceOf(draft, findings)}</p>
      {password.kind === 'new' ? (
        <p className="text-quiet">Send the password separately from the link.</p>
      ) : null}
      <p>
        <Button onClick={onDone}>Show all share links</Button>
      </p>
    </section>
  );
}
