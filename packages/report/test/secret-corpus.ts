/** A labelled corpus of secrets of every format and of look-alikes, each in several contexts. The same in every run. */
import { contexts } from './corpus-contexts.ts';
import { lookAlikes } from './corpus-look-alikes.ts';
import { makers } from './corpus-secrets.ts';
import { SeededText } from './seeded-text.ts';

export interface Labelled {
  readonly format: string;
  readonly context: string;
  readonly text: string;
}
export interface LabelledSecret extends Labelled {
  readonly secret: string;
}

const CONTEXTS_EACH = 5;

/** The contexts that suit a text, starting with a different one for each format. */
function contextsFor(text: string, index: number) {
  const isLine = !/[\n\r"'`\\<>]/.test(text);
  const suitable = contexts.filter(({ isForLines }) => isLine || isForLines === undefined);
  const first = (index * CONTEXTS_EACH) % suitable.length;
  return [...suitable.slice(first), ...suitable.slice(0, first)].slice(0, CONTEXTS_EACH);
}

export function labelledCorpus() {
  const secrets = Object.entries(makers).flatMap(([format, make], index) =>
    Array.from({ length: CONTEXTS_EACH }, (_, turn): LabelledSecret => {
      const made = make(new SeededText(`${format}/${turn}`));
      const { secret, text } = typeof made === 'string' ? { secret: made, text: made } : made;
      const suitable = contextsFor(text, index);
      const { name, wrap } = suitable[turn % suitable.length]!;
      return { format, context: name, text: wrap(text), secret };
    }),
  );
  const harmless = Object.entries(lookAlikes).flatMap(([format, make], index) =>
    Array.from({ length: CONTEXTS_EACH }, (_, turn): Labelled => {
      const text = make(new SeededText(`${format}/${turn}`));
      const suitable = contextsFor(text, index);
      const { name, wrap } = suitable[turn % suitable.length]!;
      return { format, context: name, text: wrap(text) };
    }),
  );
  return { secrets, harmless };
}

/** Whether one match covers the whole secret. */
export function isCovered(
  { text, secret }: LabelledSecret,
  matches: readonly { readonly start: number; readonly end: number }[],
): boolean {
  const start = text.indexOf(secret);
  return matches.some((match) => match.start <= start && match.end >= start + secret.length);
}
