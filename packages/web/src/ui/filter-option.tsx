/** A value of a filter: a box, the value, and how many findings have it. */
export interface FilterOptionProps {
  readonly label: string;
  /** The whole value, if the label can be cut off. */
  readonly title?: string;
  /** Undefined while loading. */
  readonly count: number | undefined;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

export function FilterOption({ label, title, count, isChosen, onToggle }: FilterOptionProps) {
  return (
    <label className="flex min-h-8 pointer-coarse:min-h-11 items-center gap-2 rounded px-2 hover:bg-hover">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={onToggle}
        className="size-4 shrink-0 accent-accent"
      />
      <span className="max-w-64 truncate" title={title}>
        {label}
      </span>
      <span className="ml-auto pl-4 text-quiet nums">{count?.toLocaleString('en')}</span>
    </label>
  );
}
