/** A path with its line. Where there is no room it is cut within its folders, never in the name of the file or the line. */
import type { ClipboardEvent } from 'react';

export interface PlaceProps {
  readonly place: string;
  /** Wraps instead of being cut. */
  readonly isWhole?: boolean;
}

export function Place({ place, isWhole = false }: PlaceProps) {
  if (isWhole) {
    return (
      <code dir="ltr" onCopy={copyExactly}>
        {place}
      </code>
    );
  }
  const end = place.lastIndexOf('/') + 1;
  return (
    <code dir="ltr" title={place} onCopy={copyExactly} className="flex min-w-0 text-small">
      <span className="min-w-0 truncate">{place.slice(0, end)}</span>
      <span className="max-w-full shrink-0 truncate">{place.slice(end)}</span>
    </code>
  );
}

/** Two boxes side by side would be copied as two lines. */
function copyExactly(event: ClipboardEvent): void {
  const text = getSelection()?.toString() ?? '';
  event.clipboardData.setData('text/plain', text.replaceAll('\n', ''));
  event.preventDefault();
}
