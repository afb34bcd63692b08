/** Answers that came with the document, so that the first screen waits for no call. */
import type { ErrorCode } from '@svc/contract';

interface Answered {
  readonly name: string;
  readonly input?: unknown;
  /** Null when the service refused it. */
  readonly body: unknown;
  readonly refusal?: { readonly code: ErrorCode; readonly retryAfterMs: number | null };
}

/** What the server put into the document; taken once, since it is as old as the document. */
export function takeFirstData(): readonly Answered[] {
  const block = document.getElementById('first-data');
  if (!block) return [];
  block.remove();
  return JSON.parse(block.textContent) as Answered[];
}
