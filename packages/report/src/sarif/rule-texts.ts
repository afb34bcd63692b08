/** The texts of a rule that its results share. Each text is read once, and long texts are bounded. */
import { isCode } from './codes.ts';
import { bounded, fields, text, type Fields } from './parts.ts';
import { descriptionText, DESCRIPTION_LENGTH_MAX, firstSentence, flat, hasHole } from './messages.ts';

export interface RuleTexts {
  readonly name: string | undefined;
  readonly short: string | undefined;
  /** The full description, otherwise the short one. */
  readonly description: string | undefined;
  /** Markdown, or plain text if the rule has no help in Markdown. */
  readonly help: string | undefined;
  readonly helpUri: string | undefined;
  /** A possible title from the short description. It can still be the id of a rule. */
  readonly shortTitle: string | undefined;
  /** Possible titles from the name and from the description. */
  readonly furtherTitles: readonly string[];
}

const NAME_LENGTH_MAX = 1000;
/** Four times the limit of a reference. */
const ADDRESS_LENGTH_MAX = 2000;

const known = new WeakMap<Fields, RuleTexts>();

export function ruleTextsOf(descriptor: Fields): RuleTexts {
  let texts = known.get(descriptor);
  if (texts === undefined) known.set(descriptor, (texts = read(descriptor)));
  return texts;
}

function read(descriptor: Fields): RuleTexts {
  const name = boundedText(descriptor['name'], NAME_LENGTH_MAX);
  const short = descriptionText(descriptor['shortDescription']);
  const full = descriptionText(descriptor['fullDescription']) ?? short;
  const description = full === undefined ? undefined : flat(full).trim();
  const { markdown, text: plain } = fields(descriptor['help']);
  const help = text(markdown) ?? text(plain);
  return {
    name,
    short,
    description,
    help: help === undefined ? undefined : bounded(help, DESCRIPTION_LENGTH_MAX).trim(),
    helpUri: boundedText(descriptor['helpUri'], ADDRESS_LENGTH_MAX),
    shortTitle:
      short === undefined || hasHole(short) || isCode(short) ? undefined : firstSentence(flat(short)),
    furtherTitles: [
      ...(name === undefined || isCode(name) || hasHole(name) ? [] : [spaced(name)]),
      ...(description === undefined || hasHole(description) ? [] : [firstSentence(description)]),
    ],
  };
}

function boundedText(value: unknown, lengthMax: number): string | undefined {
  const given = text(value);
  return given === undefined ? undefined : bounded(given, lengthMax);
}

/** `HardcodedPassword` and `hardcoded_password` read as words. */
function spaced(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])|[_-]+/g, ' ');
}
