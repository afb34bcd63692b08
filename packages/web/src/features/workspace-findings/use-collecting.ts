/** Loads all findings of a search to select them, up to a bound, with progress. */
import type { WorkspaceFinding } from '@svc/contract';
import { useEffect, useRef, useState } from 'react';
import { allFindings, COLLECTED_MAX, type WantedFindings } from './queries.ts';

export interface Collecting {
  /** How many findings have been loaded; null while nothing is loaded. */
  readonly collected: number | null;
  /** How many will be loaded. */
  readonly total: number;
  readonly error: unknown;
  readonly start: () => void;
  readonly cancel: () => void;
}

/** @param onDone gets the findings unless they were cancelled or failed to load. */
export function useCollecting(
  wanted: WantedFindings,
  total: number,
  onDone: (findings: readonly WorkspaceFinding[]) => void,
): Collecting {
  const [collected, setCollected] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  const cancel = () => {
    running.current?.abort();
    running.current = null;
    setCollected(null);
  };
  const search = JSON.stringify(wanted);
  // What was loaded for another search must not be selected.
  useEffect(() => cancel, [search]);
  async function collect(): Promise<void> {
    cancel();
    const controller = new AbortController();
    running.current = controller;
    setError(null);
    setCollected(0);
    try {
      const { signal } = controller;
      const found = await allFindings(wanted, { signal, most: COLLECTED_MAX, onProgress: setCollected });
      if (!signal.aborted) onDone(found);
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure);
    } finally {
      if (running.current === controller) cancel();
    }
  }
  return {
    collected,
    total: Math.min(total, COLLECTED_MAX),
    error,
    start: () => void collect(),
    cancel,
  };
}
