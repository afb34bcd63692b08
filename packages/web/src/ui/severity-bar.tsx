/** The number of findings by severity: a bar with the counts under it. */
import type { Severity } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { counted } from '../lib/format.ts';
import { SeverityGlyph, severityLooks } from './severity.tsx';

export type SeverityCounts = Readonly<Partial<Record<Severity, number>>>;

export function SeverityBar({ counts }: { readonly counts: SeverityCounts }) {
  const present = severities.filter((severity) => (counts[severity] ?? 0) > 0);
  const total = present.reduce((sum, severity) => sum + (counts[severity] ?? 0), 0);
  if (total === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <div aria-hidden="true" className="flex h-2 gap-0.5 overflow-hidden rounded">
        {present.map((severity) => (
          <div
            key={severity}
            className={`min-w-1 ${severityLooks[severity].fill}`}
            style={{ flexGrow: counts[severity] }}
          />
        ))}
      </div>
      <ul aria-label={`${counted(total, 'finding')} by severity`} className="flex flex-wrap gap-x-4 gap-y-1">
        {present.map((severity) => (
          <li key={severity} className="flex items-center gap-1.5">
            <SeverityGlyph severity={severity} />
            <span className="font-strong nums">{(counts[severity] ?? 0).toLocaleString('en')}</span>
            <span className="text-quiet">{severityLooks[severity].word.toLowerCase()}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
