/** Loads all findings of a search to select them, up to a bound, with progress. */
import type { WorkspaceFinding } from '@svc/contract';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { allFindings, COLLECTED_MAX, type WantedFindings } from './queries.ts';

export interface Collecting {
  /** How many findings have been loaded so far; null unless a load is running. */
  readonly collected: number | null;
  /** How many will be loaded. */
  readonly total: number;
  readonly error: unknown;
  readonly start: () => void;
  readonly cancel: () => void;
}

/** @param onDone gets the findings, unless loading failed, was cancelled, or the search has changed. */
export function useCollecting(
  wanted: WantedFindings,
  total: number,
  onDone: (findings: readonly WorkspaceFinding[]) => void,
): Collecting {
  const search = JSON.stringify(wanted);
  const latest = useRef(search);
  useLayoutEffect(() => {
    latest.current = search;
  });
  const [progress, setProgress] = useState<{ readonly search: string; readonly collected: number } | null>(
    null,
  );
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  function cancel(): void {
    running.current?.abort();
    running.current = null;
    setProgress(null);
  }
  async function collect(): Promise<void> {
    cancel();
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    const onProgress = (collected: number) => setProgress({ search, collected });
    setError(null);
    onProgress(0);
    try {
      const found = await allFindings(wanted, { signal, most: COLLECTED_MAX, onProgress });
      // What was loaded for another search must not be selected.
      if (!signal.aborted && latest.current === search) onDone(found);
    } catch (failure) {
      if (!signal.aborted) setError(failure);
    } finally {
      if (running.current === controller) cancel();
    }
  }
  return {
    collected: progress?.search === search ? progress.collected : null,
    total: Math.min(total, COLLECTED_MAX),
    error,
    start: () => void collect(),
    cancel,
  };
}
