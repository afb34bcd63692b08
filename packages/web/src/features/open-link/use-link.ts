/**
 * The state of a share page: from the first screen embedded in the document to the whole report, until access ends.
 * The password is kept only here, in memory.
 */
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { firstResult, readLink, type OpenResult, type Opened } from './open-results.ts';
import { checkAccess, useRepeatedCheck } from './access-check.ts';
import { saveFile, type SavedFile } from './save-file.ts';

/** High load delays readers for seconds; up to this wait the page shows no error. */
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
  const [link, setLink] = useState<Link>(() => firstResult() ?? { kind: 'opening' });
  const [isBusy, setIsBusy] = useState(false);
  const password = useRef<string>(undefined);
  /** The number of reads started. */
  const reads = useRef(0);

  async function read(given: string | undefined): Promise<void> {
    reads.current += 1;
    const number = reads.current;
    setIsBusy(true);
    const answer = await readLink(slug, given);
    // Access may have ended since this read started, so only the latest read counts.
    if (number !== reads.current) return;
    setIsBusy(false);
    if (answer.kind === 'opened') password.current = given;
    setLink((before) => next(before, answer));
  }

  async function recheck(): Promise<void> {
    const { state, lengthBytes } = await checkAccess(slug, password.current);
    // Clear the page before fetching the reason.
    if (state === 'gone') setLink({ kind: 'opening' });
    if (state === 'gone' || hasFinished(link, lengthBytes)) await read(password.current);
  }

  const save = useCallback((file: SavedFile) => saveFile(slug, password.current, file), [slug]);
  useFirstRead(link.kind === 'denied', () => void read(password.current));
  useRepeatedCheck(link.kind === 'opened' || link.kind === 'halfOpened', () => void recheck());
  return {
    link,
    isBusy,
    open: read,
    tryAgain: () => void read(password.current),
    save,
  };
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

/** Whether the response has changed since the scan was running. */
function hasFinished(link: Link, lengthBytes: number | null): boolean {
  if (link.kind !== 'opened' || !isWithoutContent(link) || lengthBytes === null) return false;
  const { report, viewerLabel } = link;
  const read = JSON.stringify({ report, viewer: { label: viewerLabel } });
  return new TextEncoder().encode(read).length !== lengthBytes;
}

/** While a scan is running, the projection has only its mandatory fields. */
export function isWithoutContent({ report }: Opened): boolean {
  const { id: _, schemaVersion: __, projectedFor: ___, ...content } = report;
  return Object.keys(content).length === 0;
}

/**
 * The document counts as no view, so the report is read once even if it came whole. A prerendering browser reads
 * nothing.
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
