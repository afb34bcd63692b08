/**
 * Where what has the focus goes away, such as a filter that was taken away or a question that was answered, the focus stays
 * with what was around it. Browsers drop it, and whoever works by keys or by ear is then nowhere.
 */

/** For the whole document, once. What moves the focus by itself does so after this, and is left alone. */
export function keepFocus(): void {
  /** What has the focus, and what is around it, from the inside out. */
  let places: readonly HTMLElement[] = [];
  document.addEventListener('focusin', ({ target }) => {
    places = target instanceof HTMLElement ? placesOf(target) : [];
  });
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (relatedTarget !== null) return;
    queueMicrotask(() => {
      // It was left on purpose, and is still there.
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

function placesOf(target: HTMLElement): readonly HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let place: HTMLElement | null = target; place && place !== document.body; place = place.parentElement)
    places.push(place);
  return places;
}

/** Also on what takes the focus by itself at no time. */
export function focusOn(place: HTMLElement): void {
  place.focus({ preventScroll: true });
  if (document.activeElement === place) return;
  place.setAttribute('tabindex', '-1');
  place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true });
  place.focus({ preventScroll: true });
}
