/** Saved searches of a workspace, in this browser only. */
export interface SavedView {
  readonly name: string;
  /** The query of the URL, such as `?q=severity%3Ahigh`. */
  readonly address: string;
}

const VIEWS_MAX = 50;
const keyOf = (workspaceId: string) => `svc-views-${workspaceId}`;

/** Empty without storage, and for anything that this page did not store. */
export function savedViews(workspaceId: string): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(workspaceId)) ?? '[]');
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
  try {
    localStorage.setItem(keyOf(workspaceId), JSON.stringify(views));
  } catch {
    // The views are still shown until the page is left.
  }
  return views;
}

function isView(value: unknown): value is SavedView {
  const { name, address } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof name === 'string' && typeof address === 'string' && /^(?:\?|$)/.test(address);
}
