/**
 * The state of a share page: from the first screen embedded in the document to the whole report, until access ends.
 * The password is exchanged for an unlock token and then forgotten.
 */
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { keepUnlock, keptUnlock } from './kept-unlock.ts';
import { firstResult, readLink, unlockLink, type OpenResult, type Opened } from './open-results.ts';
import { checkAccess, useRepeatedCheck } from './access-check.ts';
import { saveFile, type SavedFile } from './save-file.ts';

/** High load delays readers for seconds. Up to this wait, a report that is shown stays instead of an error. */
const SHORT_WAIT_MS = 10_000;

export type Link =
  | OpenResult
  | { readonly kind: 'opening' }
  /** The first screen is shown, and the rest could not be loaded. */
  | { readonly kind: 'halfOpened'; readonly opened: Opened };

export interface OpenLink {
  readonly link: Link;
  readonly isBusy: boolean;
  readonly open: (password: string) => Promise<void>;
  readonly tryAgain: () => void;
  /** @throws ApiError, ConnectionError */
  readonly save: (file: SavedFile) => Promise<void>;
}

export function useLink(slug: string): OpenLink {
  const [link, setLink] = useState<Link>(() => firstLink(slug));
  const [isBusy, setIsBusy] = useState(false);
  const unlock = useRef(keptUnlock(slug));
  /** The number of reads started. */
  const reads = useRef(0);

  function keep(token: string | undefined): void {
    unlock.current = token;
    keepUnlock(slug, token);
  }

  async function read(): Promise<void> {
    reads.current += 1;
    const number = reads.current;
    setIsBusy(true);
    const answer = await readLink(slug, unlock.current);
    // Access may have ended since this read started, so only the latest read counts.
    if (number !== reads.current) return;
    setIsBusy(false);
    if (answer.kind === 'denied' && answer.code === 'SHARE_PASSWORD_REQUIRED') keep(undefined);
    setLink((before) => next(before, answer));
  }

  async function open(password: string): Promise<void> {
    const answer = await unlockLink(slug, password);
    if (answer.kind !== 'unlocked') return setLink(answer);
    keep(answer.unlockToken);
    return read();
  }

  async function recheck(): Promise<void> {
    const { state, lengthBytes } = await checkAccess(slug, unlock.current);
    // Clear the page before fetching the reason.
    if (state === 'gone') setLink({ kind: 'opening' });
    if (state === 'gone' || hasFinished(link, lengthBytes)) await read();
  }

  const save = useCallback((file: SavedFile) => saveFile(slug, unlock.current, file), [slug]);
  useFirstRead(link.kind === 'denied', () => void read());
  useRepeatedCheck(link.kind === 'opened' || link.kind === 'halfOpened', () => void recheck());
  return {
    link,
    isBusy,
    open,
    tryAgain: () => void read(),
    save,
  };
}

/** The document is requested without the kept unlock token, so a share that it shows as locked may still open. */
function firstLink(slug: string): Link {
  const first = firstResult() ?? { kind: 'opening' };
  const isLocked = first.kind === 'denied' && first.code === 'SHARE_PASSWORD_REQUIRED';
  return isLocked && keptUnlock(slug) !== undefined ? { kind: 'opening' } : first;
}

/** Keeps the shown content while the rest is temporarily unavailable. */
function next(before: Link, answer: OpenResult): Link {
  const isPassing = answer.kind === 'unreachable' || isCrowded(answer);
  if (isPassing && before.kind === 'opened') return { kind: 'halfOpened', opened: before };
  if (isPassing && before.kind === 'halfOpened') return before;
  return answer;
}

function isCrowded(answer: Link): boolean {
  return (
    answer.kind === 'denied' && answer.code === 'RATE_LIMITED' && (answer.retryAfterMs ?? 0) <= SHORT_WAIT_MS
  );
}

/** Whether the scan that the page shows as running has finished: the response now has another length. */
function hasFinished(link: Link, lengthBytes: number | null): boolean {
  if (link.kind !== 'opened' || !isWithoutContent(link) || lengthBytes === null) return false;
  const { report, viewerLabel, share } = link;
  const read = JSON.stringify({ report, share, viewer: { label: viewerLabel } });
  return new TextEncoder().encode(read).length !== lengthBytes;
}

/** While a scan is running, the projection has only its mandatory fields. */
export function isWithoutContent({ report }: Opened): boolean {
  const { id: _, schemaVersion: __, projectedFor: ___, ...content } = report;
  return Object.keys(content).length === 0;
}

/**
 * The document is not counted as a view, so the report is read once even if the document contains all of it. A
 * prerendering browser reads nothing.
 */
function useFirstRead(isDenied: boolean, read: () => void): void {
  const [isDue] = useState(!isDenied);
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
