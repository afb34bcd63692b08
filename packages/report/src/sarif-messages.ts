/** The texts of a log: messages with what stands for their holes, links laid flat, and texts cut to a length. */
import { redactCategory } from './redact-category.ts';
import { redactText } from './redact.ts';
import { fields, items, text, type Fields } from './sarif-document.ts';
import type { Rule } from './sarif-rules.ts';

/** A message as plain text; undefined when it says nothing. */
export function messageText(message: unknown, rule?: Rule): string | undefined {
  const { text: plain, markdown, id, arguments: given } = fields(message);
  const template = text(plain) ?? text(markdown) ?? (rule && templateOf(rule, text(id)));
  if (template === undefined) return undefined;
  return flat(filled(template, items(given))).trim() || undefined;
}

function templateOf({ descriptor, component }: Rule, id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  for (const strings of [descriptor['messageStrings'], component['globalMessageStrings']].map(fields)) {
    if (Object.hasOwn(strings, id)) return descriptionText(strings[id]);
  }
  return undefined;
}

/** What a rule says of itself, in a multiformat string. */
export function descriptionText(value: unknown): string | undefined {
  const { text: plain, markdown } = fields(value);
  return text(plain) ?? text(markdown);
}

function filled(template: string, values: readonly unknown[]): string {
  if (values.length === 0) return template;
  return template.replaceAll(/\{\{|\}\}|\{(\d{1,3})\}/g, (hole, number?: string) => {
    if (number === undefined) return hole.charAt(0);
    return text(values[Number(number)]) ?? hole;
  });
}

/** `[text](target)` becomes its text. */
export function flat(given: string): string {
  return given.replaceAll(/\[([^[\]\n]{1,500})\]\([^()\s]{0,500}\)/g, '$1').replaceAll(/\\([[\]\\])/g, '$1');
}

const ELLIPSIS = '…';

/** At most so many UTF-16 units, and so no more code points; no pair is cut in two. */
function cut(given: string, lengthMax: number): string {
  if (given.length <= lengthMax) return given;
  return (
    given
      .slice(0, lengthMax - ELLIPSIS.length)
      .toWellFormed()
      .replace(/\ufffd$/, '') + ELLIPSIS
  );
}

/** The first sentence or line. */
export function firstSentence(given: string): string {
  const [line = ''] = given.trim().split('\n', 1);
  return /^.{3,239}?[.!?](?=\s)/.exec(line)?.[0] ?? line;
}

/** More than one redaction adds. */
const ROOM = 64;

/** Takes secrets out of every text that goes into a finding, and counts them. */
export class Cleaner {
  count = 0;

  /**
   * Without secrets, and at most so long. Secrets go first: the half of one is no longer known for what it is. And once
   * more at the end, since a text that was cut may look like one only then.
   */
  clean(given: string, lengthMax: number): string {
    const redaction = redactText(given);
    this.count += redaction.count;
    if (redaction.text.length <= lengthMax) return redaction.text;
    return redactText(cut(redaction.text, lengthMax - ROOM)).text;
  }

  category(given: string): string {
    const { text: category, count } = redactCategory(given);
    this.count += count;
    return category;
  }
}

/** The values of a rule's or result's property bag that are texts. */
export function properties(value: Fields): Fields {
  return fields(value['properties']);
}
