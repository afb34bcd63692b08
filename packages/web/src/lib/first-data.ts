/** API responses embedded in the document, so that the first screen needs no request. */
import type { ErrorCode } from '@svc/contract';

interface Answered {
  readonly name: string;
  readonly input?: unknown;
  /** Null if the call failed. */
  readonly body: unknown;
  /** The first page of a list that is loaded page by page. */
  readonly isFirstPage?: boolean;
  readonly rejection?: { readonly code: ErrorCode; readonly retryAfterMs: number | null };
}

/** Reads and removes the embedded responses. They are used once, since they are as old as the document. */
export function takeFirstData(): readonly Answered[] {
  const block = document.getElementById('first-data');
  if (!block) return [];
  block.remove();
  return JSON.parse(block.textContent) as Answered[];
}
