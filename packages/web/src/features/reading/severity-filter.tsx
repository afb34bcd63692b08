/** The findings by severity as a bar. Each part filters the list, and shows whether it does. */
import type { Severity } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { counted } from '../../lib/format.ts';
import type { SeverityCounts } from '../../ui/severity-bar.tsx';
import { SeverityGlyph, severityLooks } from '../../ui/severity.tsx';

export interface SeverityFilterProps {
  readonly counts: SeverityCounts;
  /** What is counted, as in `12 open findings by severity`. */
  readonly what: string;
  /** The severity that the list is filtered by; null for none or several. */
  readonly chosen: Severity | null;
  readonly onChoose: (severity: Severity) => void;
}

export function SeverityFilter({ counts, what, chosen, onChoose }: SeverityFilterProps) {
  const present = severities.filter((severity) => (counts[severity] ?? 0) > 0);
  const total = present.reduce((sum, severity) => sum + (counts[severity] ?? 0), 0);
  if (total === 0) return null;
  return (
    <ul aria-label={`${counted(total, what)} by severity`} className="flex gap-0.5 max-sm:flex-wrap">
      {present.map((severity) => (
        // A part is never narrower than its label.
        <li key={severity} className="min-w-fit basis-0" style={{ flexGrow: counts[severity] }}>
          <button
            type="button"
            aria-pressed={severity === chosen}
            onClick={() => onChoose(severity)}
            className="group flex w-full flex-col gap-1 rounded-sm text-left"
          >
            <span
              aria-hidden="true"
              className={`h-2 w-full rounded-sm print-color-exact ${severityLooks[severity].fill} ${chosen === null || severity === chosen ? '' : 'opacity-40'}`}
            />
            <span
              className={`flex items-center gap-1.5 pr-3 whitespace-nowrap ${severity === chosen ? 'underline' : 'group-hover:underline'}`}
            >
              <SeverityGlyph severity={severity} />
              <span className="font-strong nums">{(counts[severity] ?? 0).toLocaleString('en')}</span>
              <span className="text-quiet">{severityLooks[severity].word.toLowerCase()}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
