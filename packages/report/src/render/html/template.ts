/**
 * HTML from templates in which every text is made visible and then escaped, in elements and in quoted attributes
 * alike. The tag is not called `html`, because formatters reformat templates of that name, and white space within a
 * paragraph or a block of code is shown.
 */
import { escapeUTF8 } from 'entities/escape';
import { visibleText } from '../../reading/visible-text.ts';

/** Created only in this file, so that no value from outside is ever taken for markup. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Undefined adds nothing. */
export type Value = Html | string | number | undefined | readonly (Html | undefined)[];

export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  let text = parts[0] ?? '';
  for (let index = 0; index < values.length; index += 1) {
    text += written(values[index]);
    text += parts[index + 1] ?? '';
  }
  return new Html(text);
}

function written(value: Value): string {
  if (typeof value === 'string') return escaped(value);
  if (value === undefined) return '';
  if (value instanceof Html || typeof value === 'number') return value.toString();
  let text = '';
  for (const part of value) if (part) text += part.toString();
  return text;
}

/** Nearly no text has any of these: markup and unsafe characters. One test is cheaper than four. */
// oxlint-disable-next-line no-control-regex
const CHANGED = /["&'<>\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;

/** Text of a report, escaped for an element or a quoted attribute. */
export function escaped(text: string): string {
  return CHANGED.test(text) ? escapeUTF8(visibleText(text)) : text;
}

/** Wraps markup of this program, in which every text of a report is already escaped. */
export function constantMarkup(text: string): Html {
  return new Html(text);
}

/** The defined parts, joined by a separator that is markup already; undefined when there are none. */
export function joined(by: string, parts: readonly (Html | undefined)[]): Html | undefined {
  let text: string | undefined;
  for (const part of parts) {
    if (part) text = text === undefined ? part.toString() : `${text}${by}${part.toString()}`;
  }
  return text === undefined ? undefined : new Html(text);
}
