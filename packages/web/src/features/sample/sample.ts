/** The sample report as two readers see it; made by `npm run generate`. */
import type { ReportProjection } from '@svc/contract';
import projections from './projections.json' with { type: 'json' };

export const readers = ['team', 'customer'] as const;
export type Reader = (typeof readers)[number];

export const sample = projections as Readonly<Record<Reader, unknown>> as Readonly<
  Record<Reader, ReportProjection>
>;

/** The team, unless the address names another. */
export function readerIn(name: unknown): Reader {
  return readers.find((each) => each === name) ?? 'team';
}
