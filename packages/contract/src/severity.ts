/** The five severities, most severe first, and counts by severity. */
import Type, { type Static } from 'typebox';
import { closed } from './schema.ts';
import { severities } from './enums.ts';

export type Severity = (typeof severities)[number];
export const Severity = Type.Enum([...severities]);

const count = Type.Integer({ minimum: 0 });

export const SeverityCounts = closed(
  { critical: count, high: count, medium: count, low: count, info: count },
  { title: 'SeverityCounts' },
);
export type SeverityCounts = Static<typeof SeverityCounts>;
