/**
 * What a viewer has of a link, from the first screen that came with the document to the whole report, and until the right to
 * it is gone. The password is kept here, in memory, and nowhere else.
 */
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { firstAnswer, readLink, type Answer, type Opened } from './answers.ts';
import { askRight, useAskedAgain } from './right.ts';
import { saveFile, type SavedFile } from './save-file.ts';

/** A crowd holds readers up for seconds; that is waited for without a word. */
const SHORT_WAIT_MS = 10_000;

export type Link =
  | Answer
  | { readonly kind: 'opening' }
  /** The first screen is there, and the rest could not be read. */
  | { readonly kind: 'halfOpened'; readonly opened: Opened };

export interface OpenLink {
  readonly link: Link;
  readonly isBusy: boolean;
  readonly open: (password: string) => Promise<void>;
  readonly tryAgain: () => void;
  /** @throws Refusal, ConnectionError */
  readonly save: (file: SavedFile) => Promise<void>;
}

export function useLink(slug: string): OpenLink {
  const [link, setLink] = useState<Link>(() => firstAnswer() ?? { kind: 'opening' });
  const [isBusy, setIsBusy] = useState(false);
  const password = useRef<string>(undefined);
  /** How many times it was read. */
  const reads = useRef(0);

  async function read(given: string | undefined): Promise<void> {
    reads.current += 1;
    const number = reads.current;
    setIsBusy(true);
    const answer = await readLink(slug, given);
    // The right may have gone since this was asked for, and a later answer has said so, or will.
    if (number !== reads.current) return;
    setIsBusy(false);
    if (answer.kind === 'opened') password.current = given;
    setLink((before) => next(before, answer));
  }

  async function askAgain(): Promise<void> {
    const { state, lengthBytes } = await askRight(slug, password.current);
    // Nothing of it stays while the reason is asked for.
    if (state === 'gone') setLink({ kind: 'opening' });
    if (state === 'gone' || hasFinished(link, lengthBytes)) await read(password.current);
  }

  const save = useCallback((file: SavedFile) => saveFile(slug, password.current, file), [slug]);
  useFirstRead(link.kind === 'refused', () => void read(password.current));
  useAskedAgain(link.kind === 'opened' || link.kind === 'halfOpened', () => void askAgain());
  return {
    link,
    isBusy,
    open: read,
    tryAgain: () => void read(password.current),
    save,
  };
}

/** What is shown stays while the rest of it can not be had just now. */
function next(before: Link, answer: Answer): Link {
  const isPassing = answer.kind === 'unreachable' || isCrowded(answer);
  if (isPassing && before.kind === 'opened') return { kind: 'halfOpened', opened: before };
  if (isPassing && before.kind === 'halfOpened') return before;
  return answer;
}

function isCrowded(answer: Link): boolean {
  return (
    answer.kind === 'refused' && answer.code === 'RATE_LIMITED' && (answer.retryAfterMs ?? 0) <= SHORT_WAIT_MS
  );
}

/** Whether there is another answer now than the one of a scan under way. */
function hasFinished(link: Link, lengthBytes: number | null): boolean {
  if (link.kind !== 'opened' || !isWithoutText(link) || lengthBytes === null) return false;
  const { report, viewerLabel } = link;
  const read = JSON.stringify({ report, viewer: { label: viewerLabel } });
  return new TextEncoder().encode(read).length !== lengthBytes;
}

/** A scan under way has nothing yet but what every projection has. */
export function isWithoutText({ report }: Opened): boolean {
  const { id: _, schemaVersion: __, projectedFor: ___, ...text } = report;
  return Object.keys(text).length === 0;
}

/**
 * The document counts as no view, so the report is read once even where it came whole. A browser that only prepares the page
 * reads nothing.
 */
function useFirstRead(isRefused: boolean, read: () => void): void {
  const [isDue] = useState(!isRefused);
  const isRead = useRef(!isDue);
  const readNow = useEffectEvent(read);
  useEffect(() => {
    if (isRead.current) return;
    isRead.current = true;
    if (!isPrerendering()) readNow();
    else document.addEventListener('prerenderingchange', () => readNow(), { once: true });
  }, []);
}

function isPrerendering(): boolean {
  return 'prerendering' in document && document.prerendering === true;
}
