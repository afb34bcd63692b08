/** The texts of a log: messages with their placeholders filled, links as plain text, and texts cut to a length. */
import { redactCategory } from '../intake/redact-category.ts';
import { redactDeep, redactText, type Redaction } from '../secrets/redact.ts';
import { bounded, fields, items, text, type Fields } from './parts.ts';
import type { Rule } from './rules.ts';

/** The limit for parts that a log repeats for every result of a rule. */
export const PROSE_LENGTH_MAX = 6000;
/** In UTF-16 units; a finding keeps less. Placeholders and links can make a message longer than its log. */
export const MESSAGE_LENGTH_MAX = 16_000;
/** Limited, because every result of a rule contains its description. */
export const DESCRIPTION_LENGTH_MAX = 8000;

/** A message with its links and with its placeholders filled. */
export function filledMessage(message: unknown, rule?: Rule): string | undefined {
  const { text: plain, markdown, id, arguments: given } = fields(message);
  const template = text(plain) ?? text(markdown) ?? (rule && templateOf(rule, text(id)));
  if (template === undefined) return undefined;
  return bounded(filled(bounded(template, MESSAGE_LENGTH_MAX), items(given)), MESSAGE_LENGTH_MAX);
}

function templateOf({ descriptor, component }: Rule, id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  for (const strings of [descriptor['messageStrings'], component['globalMessageStrings']].map(fields)) {
    if (Object.hasOwn(strings, id)) return descriptionText(strings[id]);
  }
  return undefined;
}

/** A rule's description in a multiformat string. */
export function descriptionText(value: unknown): string | undefined {
  const { text: plain, markdown } = fields(value);
  const found = text(plain) ?? text(markdown);
  return found === undefined ? undefined : bounded(found, DESCRIPTION_LENGTH_MAX);
}

/** Filling stops when the values together exceed the limit of a message, so the work is bounded. */
function filled(template: string, values: readonly unknown[]): string {
  if (values.length === 0) return template;
  const known = new Map<string, string | undefined>();
  let length = 0;
  return template.replaceAll(/\{\{|\}\}|\{(\d{1,3})\}/g, (hole, number?: string) => {
    if (number === undefined) return hole.charAt(0);
    if (length > MESSAGE_LENGTH_MAX) return '';
    if (!known.has(number)) known.set(number, text(values[Number(number)]));
    const value = known.get(number) ?? hole;
    length += value.length;
    return value;
  });
}

/** `[text](target)` becomes its text. */
export function flat(given: string): string {
  const shown = given.includes('](')
    ? given.replaceAll(/\[([^[\]\n]{1,500})\]\([^()\s]{0,500}\)/g, '$1')
    : given;
  return shown.includes('\\') ? shown.replaceAll(/\\([[\]\\])/g, '$1') : shown;
}

const ELLIPSIS = '…';

/** At most this many UTF-16 units, and so no more code points; no surrogate pair is cut in two. */
function cut(given: string, lengthMax: number): string {
  if (given.length <= lengthMax) return given;
  return (
    given
      .slice(0, lengthMax - ELLIPSIS.length)
      .toWellFormed()
      .replace(/\ufffd$/, '') + ELLIPSIS
  );
}

/**
 * Placeholders of a template that its tool did not fill: `<Replace key="Sink"/>`, `$METAVARIABLE`, `{0}`, `${name}`.
 */
const HOLE = /<\/?(?:Replace|IfDef|IfNotDef|ConditionalText)\b|\$[A-Z][A-Z_]|\$\{\w|\{\d{1,3}\}|%\(\w+\)s/;

/** Whether a rule's description has a placeholder that was not filled. */
export function hasHole(given: string): boolean {
  return HOLE.test(given);
}

/** A message may legitimately mention `$PATH`. */
const UNFILLED = /<\/?(?:Replace|IfDef|IfNotDef|ConditionalText)\b|\{\d{1,3}\}/;

export function isUnfilled(message: string): boolean {
  return UNFILLED.test(message);
}

/** The first sentence or line. */
export function firstSentence(given: string): string {
  const [line = ''] = given.trim().split('\n', 1);
  return /^.{3,239}?[.!?](?=\s)/.exec(line)?.[0] ?? line;
}

/** One redaction adds fewer characters than this. */
const ROOM = 64;

/** How many texts keep their redaction in the cache. */
const KNOWN_MAX = 1000;

/** Redacts secrets in every text that goes into a finding, and counts them. */
export class Cleaner {
  count = 0;

  /** The number of shortened texts. */
  shortened = 0;

  /** Replaces paths of this machine. */
  readonly local: (text: string) => string;

  /** Redactions are cached, because all results of a rule repeat its texts. */
  readonly #known = new Map<string, Redaction>();
  readonly #categories = new Map<string, Redaction>();

  constructor(withoutLocalPaths: (text: string) => string = (given) => given) {
    this.local = withoutLocalPaths;
  }

  /**
   * The text, redacted and cut to the limit. Redaction comes first, since half a secret is unrecognizable. It runs
   * again at the end, since cutting can make a text look like a secret.
   */
  clean(given: string, lengthMax: number): string {
    const redaction = this.#redacted(given);
    this.count += redaction.count;
    if (redaction.text.length <= lengthMax) return redaction.text;
    this.shortened += 1;
    // Half a path is unrecognizable, too.
    return redactText(cut(this.local(redaction.text), lengthMax - ROOM)).text;
  }

  #redacted(given: string): Redaction {
    let known = this.#known.get(given);
    if (known === undefined) {
      if (this.#known.size >= KNOWN_MAX) this.#known.clear();
      this.#known.set(given, (known = redactText(given)));
    }
    return known;
  }

  /** A location. Its path stays here: the report replaces it later, and needs it to recognize outside files. */
  location(given: string, lengthMax: number): string {
    const redaction = this.#redacted(given);
    this.count += redaction.count;
    if (redaction.text.length <= lengthMax) return redaction.text;
    this.shortened += 1;
    return redactText(cut(redaction.text, lengthMax - ROOM)).text;
  }

  /** A name without paths of this machine, shortened to the limit. */
  name(given: string, lengthMax: number): string {
    const redaction = redactText(this.local(given));
    this.count += redaction.count;
    if (redaction.text.length <= lengthMax) return redaction.text;
    this.shortened += 1;
    const short = redactText(cut(redaction.text, lengthMax));
    return short.text.length <= lengthMax ? short.text : cut(short.text, lengthMax - ROOM);
  }

  /** Redacts every text in a valid value, in which no text is too long. */
  deep<Value>(value: Value): Value {
    const redaction = redactDeep(value);
    this.count += redaction.count;
    return redaction.value;
  }

  category(given: string): string {
    const { text: category, count } = this.#categoryOf(given);
    this.count += count;
    return category;
  }

  /** Like `category`, but without counting redactions: for a result that may be left out. */
  uncountedCategory(given: string): string {
    return this.#categoryOf(given).text;
  }

  #categoryOf(given: string): Redaction {
    let known = this.#categories.get(given);
    if (known === undefined) {
      if (this.#categories.size >= KNOWN_MAX) this.#categories.clear();
      this.#categories.set(given, (known = redactCategory(given)));
    }
    return known;
  }
}

/** The property bag of a rule or a result. */
export function properties(value: Fields): Fields {
  return fields(value['properties']);
}
