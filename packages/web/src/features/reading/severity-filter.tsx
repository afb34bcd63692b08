/** The findings by severity as a bar. Each part filters the list by its severity, and shows if the filter is active. */
import type { Severity } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { counted } from '../../lib/format.ts';
import type { SeverityCounts } from '../../ui/severity-bar.tsx';
import { SeverityGlyph, severityLooks } from '../../ui/severity.tsx';
import { usePrinting } from '../../ui/use-printing.ts';

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
    <div className="flex flex-col gap-1">
      {/* The labels of all parts do not fit beside each other on a phone, so there the bar is separate from them. */}
      <div aria-hidden="true" className="flex gap-0.5 sm:hidden">
        {present.map((severity) => (
          <span key={severity} className="flex min-w-2 basis-0" style={{ flexGrow: counts[severity] }}>
            <Strip severity={severity} isFaint={chosen !== null && severity !== chosen} />
          </span>
        ))}
      </div>
      <ul
        aria-label={`${counted(total, what)} by severity`}
        className="flex gap-0.5 max-sm:flex-wrap max-sm:gap-x-2 max-sm:gap-y-1"
      >
        {present.map((severity) => (
          // A part is never narrower than its label.
          <li
            key={severity}
            className="min-w-fit basis-0 max-sm:grow-0!"
            style={{ flexGrow: counts[severity] }}
          >
            <Part
              severity={severity}
              count={counts[severity] ?? 0}
              isFaint={chosen !== null && severity !== chosen}
              isChosen={severity === chosen}
              onChoose={() => onChoose(severity)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Strip({ severity, isFaint }: Pick<PartProps, 'severity' | 'isFaint'>) {
  const { fill } = severityLooks[severity];
  return (
    <span className={`h-2 w-full rounded-sm print-color-exact ${fill} ${isFaint ? 'opacity-40' : ''}`} />
  );
}

interface PartProps {
  readonly severity: Severity;
  readonly count: number;
  readonly isFaint: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Part({ severity, count, isFaint, isChosen, onChoose }: PartProps) {
  const { word } = severityLooks[severity];
  const content = (
    <>
      <span aria-hidden="true" className="flex max-sm:hidden">
        <Strip severity={severity} isFaint={isFaint} />
      </span>
      <span
        className={`flex items-center gap-1.5 pr-3 whitespace-nowrap ${isChosen ? 'underline' : 'group-hover:underline'}`}
      >
        <SeverityGlyph severity={severity} />
        <span className="font-strong nums">{count.toLocaleString('en')}</span>
        <span className="text-quiet">{word.toLowerCase()}</span>
      </span>
    </>
  );
  const look =
    'group flex w-full pointer-coarse:min-h-11 flex-col gap-1 rounded-sm text-left max-sm:justify-center';
  if (usePrinting()) return <span className={look}>{content}</span>;
  return (
    <button type="button" aria-pressed={isChosen} onClick={onChoose} className={look}>
      {content}
    </button>
  );
}
