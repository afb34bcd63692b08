/** The label, glyph and colour of each severity, so that colour alone never carries the meaning. */
import type { Severity } from '@svc/contract';

interface Look {
  readonly word: string;
  /** 12 by 12 pixels; a single element, since lists contain a thousand of them. */
  readonly glyph: string;
  readonly fill: string;
  readonly chip: string;
}

/** Most severe first. */
export const severityLooks: Readonly<Record<Severity, Look>> = {
  critical: {
    word: 'Critical',
    glyph: '[clip-path:polygon(50%_4%,96%_50%,50%_96%,4%_50%)]',
    fill: 'bg-critical',
    chip: 'bg-critical-chip text-on-critical-chip',
  },
  high: {
    word: 'High',
    glyph: '[clip-path:polygon(50%_8%,96%_92%,4%_92%)]',
    fill: 'bg-high',
    chip: 'bg-high-chip text-on-high-chip',
  },
  medium: {
    word: 'Medium',
    glyph: '[clip-path:inset(12.5%)]',
    fill: 'bg-medium',
    chip: 'bg-medium-chip text-on-medium-chip',
  },
  low: {
    word: 'Low',
    glyph: '[clip-path:circle(37.5%)]',
    fill: 'bg-low',
    chip: 'bg-low-chip text-on-low-chip',
  },
  info: { word: 'Info', glyph: 'glyph-ring', fill: 'bg-info', chip: 'bg-info-chip text-on-info-chip' },
};

export function SeverityGlyph({ severity }: { readonly severity: Severity }) {
  const { glyph, fill } = severityLooks[severity];
  return <span aria-hidden="true" className={`glyph size-3 shrink-0 ${fill} ${glyph}`} />;
}

export function SeverityMark({ severity }: { readonly severity: Severity }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <SeverityGlyph severity={severity} />
      {severityLooks[severity].word}
    </span>
  );
}

export interface SeverityChipProps {
  readonly severity: Severity;
}

/** The severity as a filled label. */
export function SeverityChip({ severity }: SeverityChipProps) {
  const { word, glyph, chip } = severityLooks[severity];
  return (
    <span className={`chip ${chip}`}>
      <span aria-hidden="true" className={`glyph size-2.5 shrink-0 bg-current ${glyph}`} />
      {word}
    </span>
  );
}
