/** Where the list scrolls: alone if the window has space for list and article, otherwise with the page. */

/** The condition of the variant `frame` in styles.css. */
const FRAME = '(width >= 64rem) and (height >= 36rem)';

/** Whether the window has space for list and article side by side. */
export function isFramed(): boolean {
  return matchMedia(FRAME).matches;
}

function scrollerOf(list: Element): HTMLElement | null {
  const scroller = list.closest<HTMLElement>('[data-list-scroller]');
  return scroller && getComputedStyle(scroller).overflowY === 'auto' ? scroller : null;
}

/** The visible part of the window in which the list appears, in pixels from the top of the window. */
export function seenBounds(list: Element): { readonly top: number; readonly bottom: number } {
  const frame = scrollerOf(list)?.getBoundingClientRect();
  return { top: Math.max(0, frame?.top ?? 0), bottom: Math.min(innerHeight, frame?.bottom ?? innerHeight) };
}

/** The height of a row in pixels, which depends on the window. */
export function rowHeightIn(list: Element): number {
  return Number.parseFloat(getComputedStyle(list).getPropertyValue('--row'));
}

/** Scrolls the row at the index into view: with one row around it, or to the middle. */
export function showRow(list: HTMLElement | null, at: number, place: 'near' | 'middle' = 'near'): void {
  // In small windows the finding replaces the list, so there is nothing to scroll.
  if (list === null || at === -1 || list.offsetParent === null) return;
  const { top, bottom } = seenBounds(list);
  const rowHeight = rowHeightIn(list);
  const row = list.getBoundingClientRect().top + at * rowHeight;
  // The head of the list covers one row.
  const above = row - (top + 2 * rowHeight);
  const below = row + 2 * rowHeight - bottom;
  const nearest = above < 0 ? above : Math.max(0, below);
  const by = place === 'near' ? nearest : (above + below) / 2;
  (scrollerOf(list) ?? globalThis).scrollBy(0, by);
}
