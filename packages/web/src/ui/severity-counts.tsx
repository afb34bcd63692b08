/** The number of findings by severity, on one line. */
import { severities } from '@svc/contract/enums';
import type { SeverityCounts } from './severity-bar.tsx';
import { SeverityGlyph, severityLooks } from './severity.tsx';

export interface SeverityCountsLineProps {
  readonly counts: SeverityCounts;
  /** Shown if there are no findings. */
  readonly none: string;
}

export function SeverityCountsLine({ counts, none }: SeverityCountsLineProps) {
  const present = severities.filter((severity) => (counts[severity] ?? 0) > 0);
  if (present.length === 0) return <span className="text-quiet">{none}</span>;
  return (
    <ul className="flex flex-wrap gap-x-3">
      {present.map((severity) => (
        <li key={severity} title={severityLooks[severity].word} className="flex items-center gap-1">
          <SeverityGlyph severity={severity} />
          <span className="nums">{(counts[severity] ?? 0).toLocaleString('en')}</span>
          <span className="sr-only">{severityLooks[severity].word.toLowerCase()}</span>
        </li>
      ))}
    </ul>
  );
}
