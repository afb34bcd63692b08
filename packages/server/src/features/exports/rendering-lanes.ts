/**
 * Which renderings wait for each other. Page reads and exports have lanes of their own, so a page read never waits behind
 * an export; within each, reports wait only for others of their class of size.
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
 * Up to these sizes a rendering runs on the main thread: passing a report to a worker costs more than it saves. Above
 * them, it would delay other requests noticeably, by ten milliseconds for the most expensive report.
 */
const SMALL_BYTES_MAX: Readonly<Record<RenderingForm, number>> = {
  data: 96 * KIB,
  finding: 96 * KIB,
  filtered: 96 * KIB,
  firstScreen: 96 * KIB,
  json: 96 * KIB,
  sarif: 48 * KIB,
  markdown: 16 * KIB,
  html: 16 * KIB,
};
export const MEDIUM_BYTES_MAX = MIB;

/** Processor time for the most expensive reports that uploads accept, measured by `npm run bench -- --only renderings`. */
const COST_MS_PER_MIB: Readonly<Record<RenderingForm, number>> = {
  data: 150,
  finding: 50,
  filtered: 150,
  firstScreen: 150,
  json: 200,
  sarif: 200,
  markdown: 600,
  html: 600,
};

export function isExport(form: RenderingForm): boolean {
  return form === 'html' || form === 'json' || form === 'markdown' || form === 'sarif';
}

/** @param sizeBytes of the report as it was uploaded. */
export function laneOf(form: RenderingForm, sizeBytes: number): Lane {
  const size =
    sizeBytes <= SMALL_BYTES_MAX[form] ? 'small' : sizeBytes <= MEDIUM_BYTES_MAX ? 'medium' : 'large';
  return `${isExport(form) ? 'export' : 'page'} ${size}`;
}

/** An upper bound, not a prediction: an ordinary report costs a fifth of it. */
export function costMsOf(form: RenderingForm, sizeBytes: number): number {
  return Math.max(1, (sizeBytes / MIB) * COST_MS_PER_MIB[form]);
}
