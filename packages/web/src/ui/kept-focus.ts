/**
 * When the focused element is removed, such as a filter chip or an answered dialog, the focus moves to its nearest
 * remaining ancestor. Browsers would drop the focus, and users of a keyboard or screen reader would lose their
 * position.
 */

/** Call once for the document. Code that moves the focus itself runs later and takes precedence. */
export function keepFocus(): void {
  /** The focused element and its ancestors, innermost first. */
  let places: readonly HTMLElement[] = [];
  document.addEventListener('focusin', ({ target }) => {
    places = target instanceof HTMLElement ? ancestorsOf(target) : [];
  });
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (relatedTarget !== null) return;
    queueMicrotask(() => {
      // The user left the element, and it still exists.
      if (target === places[0] && places[0]?.isConnected) places = [];
    });
  });
  new MutationObserver(() => {
    if (document.activeElement !== document.body || places[0]?.isConnected !== false) return;
    const place = places.find((each) => each.isConnected);
    places = [];
    if (place) focusOn(place);
  }).observe(document.body, { childList: true, subtree: true });
}

function ancestorsOf(target: HTMLElement): readonly HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let place: HTMLElement | null = target; place && place !== document.body; place = place.parentElement)
    places.push(place);
  return places;
}

/** Focuses an element, even one that is not focusable by default. */
export function focusOn(place: HTMLElement): void {
  place.focus({ preventScroll: true });
  if (document.activeElement === place) return;
  place.setAttribute('tabindex', '-1');
  place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true });
  place.focus({ preventScroll: true });
}
