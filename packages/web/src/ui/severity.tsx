/** Severities: each has its word, its own glyph and its colour, so that none of them stands for it alone. */
import type { Severity } from '@svc/contract';

interface Look {
  readonly word: string;
  /** Within 12 by 12. */
  readonly shape: string;
  readonly isRing?: boolean;
  readonly ink: string;
  readonly fill: string;
}

/** Most severe first. */
export const severityLooks: Readonly<Record<Severity, Look>> = {
  critical: {
    word: 'Critical',
    shape: 'M6 0.5 11.5 6 6 11.5 0.5 6Z',
    ink: 'text-critical',
    fill: 'bg-critical',
  },
  high: { word: 'High', shape: 'M6 1 11.5 11H0.5Z', ink: 'text-high', fill: 'bg-high' },
  medium: { word: 'Medium', shape: 'M1.5 1.5H10.5V10.5H1.5Z', ink: 'text-medium', fill: 'bg-medium' },
  low: {
    word: 'Low',
    shape: 'M6 1.5A4.5 4.5 0 1 1 6 10.5A4.5 4.5 0 1 1 6 1.5Z',
    ink: 'text-low',
    fill: 'bg-low',
  },
  info: {
    word: 'Info',
    shape: 'M6 2A4 4 0 1 1 6 10A4 4 0 1 1 6 2Z',
    isRing: true,
    ink: 'text-info',
    fill: 'bg-info',
  },
};

export function SeverityGlyph({ severity }: { readonly severity: Severity }) {
  const { shape, isRing = false, ink } = severityLooks[severity];
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className={`size-3 shrink-0 ${ink}`}>
      <path
        d={shape}
        fill={isRing ? 'none' : 'currentColor'}
        stroke="currentColor"
        strokeWidth={isRing ? 2 : 0}
      />
    </svg>
  );
}

export function SeverityMark({ severity }: { readonly severity: Severity }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <SeverityGlyph severity={severity} />
      {severityLooks[severity].word}
    </span>
  );
}
