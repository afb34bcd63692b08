/** Facts about a report as a list of names and values. */
import { markup, type Html } from './template.ts';

export type Fact = readonly [name: string, value: Html | undefined];

/** Undefined if no fact has a value. */
export function factsHtml(all: readonly Fact[]): Html | undefined {
  const shown = all.filter(([, value]) => value !== undefined);
  if (shown.length === 0) return undefined;
  return markup`<dl class="facts">${shown.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export function plain(value: string | number | undefined): Html | undefined {
  return value === undefined || value === '' ? undefined : markup`<bdi>${value}</bdi>`;
}

export function code(value: string | undefined): Html | undefined {
  return value ? markup`<code>${value}</code>` : undefined;
}
