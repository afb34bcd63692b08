/** The number of findings by severity, on one line. Lines of equal width, `w-80` or more, are aligned. */
import type { Severity } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import type { SeverityCounts } from './severity-bar.tsx';
import { SeverityGlyph, severityLooks } from './severity.tsx';

/** A column for each severity, so that the counts of several lines are aligned. */
const columns: Readonly<Record<Severity, string>> = {
  critical: 'md:col-start-1',
  high: 'md:col-start-2',
  medium: 'md:col-start-3',
  low: 'md:col-start-4',
  info: 'md:col-start-5',
};

export interface SeverityCountsLineProps {
  readonly counts: SeverityCounts;
  /** Shown if there are no findings. */
  readonly none: string;
}

export function SeverityCountsLine({ counts, none }: SeverityCountsLineProps) {
  const present = severities.filter((severity) => (counts[severity] ?? 0) > 0);
  if (present.length === 0) return <span className="text-quiet">{none}</span>;
  return (
    <ul className="flex flex-wrap gap-x-3 md:grid md:grid-cols-5 md:gap-x-1">
      {present.map((severity) => (
        <li
          key={severity}
          title={severityLooks[severity].word}
          className={`flex items-center gap-1.5 ${columns[severity]}`}
        >
          <SeverityGlyph severity={severity} />
          <span className="nums">{(counts[severity] ?? 0).toLocaleString('en')}</span>
          <span className="sr-only">{severityLooks[severity].word.toLowerCase()}</span>
        </li>
      ))}
    </ul>
  );
}
