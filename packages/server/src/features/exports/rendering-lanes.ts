/**
 * Which renderings wait for each other. Page reads and exports have separate lanes, so a page read never waits behind
 * an export. Among page reads, and among exports, reports wait only for others of their size class.
 */
import type { RenderingForm } from './rendering.ts';

export const lanes = [
  'page small',
  'page medium',
  'page large',
  'export small',
  'export medium',
  'export large',
] as const;
export type Lane = (typeof lanes)[number];

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Up to these sizes a rendering runs on the main thread, because passing a report to a worker would cost more. Larger
 * ones would delay other requests noticeably, by some ten milliseconds or more for the most expensive reports.
 */
const SMALL_BYTES_MAX: Readonly<Record<RenderingForm, number>> = {
  data: 96 * KIB,
  filtered: 96 * KIB,
  firstScreen: 96 * KIB,
  json: 96 * KIB,
  sarif: 48 * KIB,
  markdown: 16 * KIB,
  html: 16 * KIB,
};
export const MEDIUM_BYTES_MAX = MIB;

/**
 * Processor time for the most expensive reports that uploads accept, measured by `npm run bench -- --only renderings`.
 */
const COST_MS_PER_MIB: Readonly<Record<RenderingForm, number>> = {
  data: 150,
  filtered: 150,
  firstScreen: 150,
  json: 200,
  sarif: 200,
  markdown: 600,
  html: 600,
};

const exportForms: ReadonlySet<RenderingForm> = new Set(['html', 'json', 'markdown', 'sarif']);

/** The lane and cost of a rendering. */
export interface RenderingNeeds {
  readonly kind: 'page' | 'export';
  readonly lane: Lane;
  /** An upper bound, not a prediction: an ordinary report costs a fifth of it. */
  readonly costMs: number;
}

/** @param sizeBytes of the report as uploaded. */
export function needsOf(form: RenderingForm, sizeBytes: number): RenderingNeeds {
  const kind = exportForms.has(form) ? 'export' : 'page';
  const size =
    sizeBytes <= SMALL_BYTES_MAX[form] ? 'small' : sizeBytes <= MEDIUM_BYTES_MAX ? 'medium' : 'large';
  const costMs = Math.max(1, (sizeBytes / MIB) * COST_MS_PER_MIB[form]);
  return { kind, lane: `${kind} ${size}`, costMs };
}
