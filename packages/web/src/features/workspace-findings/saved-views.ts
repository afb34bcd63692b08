/** Saved searches of a workspace, in this browser only. */
import { browserStore } from '../../lib/browser-storage.ts';

export interface SavedView {
  readonly name: string;
  /** The query of the URL, such as `?q=severity%3Ahigh`. */
  readonly address: string;
}

const VIEWS_MAX = 50;
const keyOf = (workspaceId: string) => `svc-views-${workspaceId}` as const;

/** Empty for anything that this page did not store. */
export function savedViews(workspaceId: string): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(browserStore.get(keyOf(workspaceId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

/** A view with the same name is replaced. Returns what is saved now. */
export function saveView(workspaceId: string, view: SavedView): readonly SavedView[] {
  const others = savedViews(workspaceId).filter(({ name }) => name !== view.name);
  return store(workspaceId, [...others, view].slice(-VIEWS_MAX));
}

export function deleteView(workspaceId: string, name: string): readonly SavedView[] {
  return store(
    workspaceId,
    savedViews(workspaceId).filter((view) => view.name !== name),
  );
}

function store(workspaceId: string, views: readonly SavedView[]): readonly SavedView[] {
  browserStore.set(keyOf(workspaceId), JSON.stringify(views));
  return views;
}

/** False if the browser does not keep what is saved, so that views last until the page is left. */
export function viewsAreKept(): boolean {
  return browserStore.isLasting();
}

function isView(value: unknown): value is SavedView {
  const { name, address } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof name === 'string' && typeof address === 'string' && /^(?:\?|$)/.test(address);
}
