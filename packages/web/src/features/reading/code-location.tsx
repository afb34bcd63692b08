/** A path with its line. If space is short, the folders are truncated before the file name and the line. */
import type { ClipboardEvent } from 'react';

export interface CodeLocationProps {
  readonly place: string;
  /** Wraps instead of truncating. */
  readonly isWhole?: boolean;
}

export function CodeLocation({ place, isWhole = false }: CodeLocationProps) {
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

/** Copies one line; browsers would copy the two boxes as two lines. */
function copyExactly(event: ClipboardEvent): void {
  const text = getSelection()?.toString() ?? '';
  event.clipboardData.setData('text/plain', text.replaceAll('\n', ''));
  event.preventDefault();
}
