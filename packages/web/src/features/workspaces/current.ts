/**
 * The workspace that the user works in: that of the page, else of the last page that belonged to one, else the first.
 */
import { useQuery } from '@tanstack/react-query';
import type { Workspace } from '@svc/contract';
import { useEffect, useSyncExternalStore } from 'react';
import { query } from '../../lib/api.ts';
import { tabStore } from '../../lib/browser-storage.ts';

const KEY = 'svc-workspace';
const listeners = new Set<() => void>();
let currentId: string | null = null;

/** Call in a page that belongs to a workspace. */
export function useInWorkspace(workspaceId: string | undefined): void {
  useEffect(() => {
    if (workspaceId === undefined || workspaceId === currentId) return;
    currentId = workspaceId;
    tabStore.set(KEY, workspaceId);
    for (const listener of listeners) listener();
  }, [workspaceId]);
}

function knownId(): string | null {
  return (currentId ??= tabStore.get(KEY));
}

/** Undefined only if there are none. */
export function currentOf(all: readonly Workspace[], id = knownId()): Workspace | undefined {
  return all.find(({ workspaceId }) => workspaceId === id) ?? all[0];
}

export interface Workspaces {
  /** Undefined while loading. */
  readonly current: Workspace | undefined;
  readonly all: readonly Workspace[];
}

export function useWorkspaces(): Workspaces {
  const { data } = useQuery({ ...query('listWorkspaces'), throwOnError: false });
  const id = useSyncExternalStore(listen, knownId);
  const all = data?.workspaces ?? [];
  return { all, current: currentOf(all, id) };
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
