/** How the document says times, places and counts. */
import type { ProjectedFinding } from '@svc/contract';
import { evidenceKinds, findingStatuses, fixActions, verifications } from '@svc/contract/words';
import { labelOf, timeLabelOf } from '../labels.ts';
import { markup, type Html } from './template.ts';

/** Labels of the words that every finding has, made once. */
export const words = Object.fromEntries(
  [...verifications, ...findingStatuses, ...evidenceKinds, ...fixActions].map((word) => [
    word,
    labelOf(word),
  ]),
) as Readonly<Record<Word, string>>;

type Word =
  | (typeof verifications)[number]
  | (typeof findingStatuses)[number]
  | (typeof evidenceKinds)[number]
  | (typeof fixActions)[number];

/** @param time ISO 8601, in UTC. */
export function moment(time: string): Html {
  return markup`<time datetime="${time}">${timeLabelOf(time)}</time>`;
}

/** How long it took, in one unit or two; undefined when it can't be told. */
export function duration(from: string, to: string): string | undefined {
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  if (!(seconds > 0)) return undefined;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}

/** `src/a.ts:4-9`, or else the route, or the origin; empty when there is none of them. */
export function placeOf({ file, lineStart, lineEnd, route, origin }: ProjectedFinding['affected']): string {
  if (!file) return route || origin || '';
  if (lineStart === undefined) return file;
  return lineEnd === undefined || lineEnd === lineStart
    ? `${file}:${lineStart}`
    : `${file}:${lineStart}-${lineEnd}`;
}

/** `1 finding`, `2 findings`. */
export function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}
