/** The arrow on a button that opens something under it. */
export function Chevron() {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className="size-3 shrink-0 fill-none stroke-current">
      <path d="M2.5 4.5 6 8l3.5-3.5" strokeWidth="1.5" />
    </svg>
  );
}
