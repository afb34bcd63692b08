/**
 * What lists over many reports show of each finding, in the order of the report. It is much smaller than a report body,
 * so a list reads no bodies. The texts are encrypted under the key of their report and deleted with it.
 */
import { verifications, type Finding, type Verification } from '@svc/contract';
import { ruleIn } from '../reading/tags.ts';

export interface FindingText {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  readonly verification: Verification;
  readonly component: string;
  readonly file?: string;
  readonly lineStart?: number;
  /** The rule of an imported finding. */
  readonly rule?: string;
}

export function findingTextsOf(findings: readonly Finding[]): FindingText[] {
  return findings.map(({ id, title, category, verification, affected, tags }) => {
    const { component, file, lineStart } = affected;
    const rule = ruleIn(tags);
    return {
      id,
      title,
      category,
      verification,
      component,
      ...(file ? { file } : {}),
      ...(lineStart === undefined ? {} : { lineStart }),
      ...(rule === undefined ? {} : { rule }),
    };
  });
}

const VERSION = 1;

/** A text as stored: id, title, category, verification and component; then file, line and rule, 0 for a missing one. */
type StoredText = readonly [string, string, string, number, string, string | 0, number, string | 0];

/** The texts as JSON, without the names of their fields. */
export function packedTexts(texts: readonly FindingText[]): string {
  const stored = texts.map((text): StoredText => {
    const { id, title, category, verification, component, file = 0, lineStart = 0, rule = 0 } = text;
    return [id, title, category, verifications.indexOf(verification), component, file, lineStart, rule];
  });
  return JSON.stringify([VERSION, stored]);
}

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** @throws SyntaxError if the text is not JSON, and TypeError for an unknown version or verification. */
export function unpackedTexts(json: string): FindingText[] {
  const [version, stored] = JSON.parse(json) as [unknown, readonly StoredText[]];
  if (version !== VERSION) throw new TypeError('The texts of the findings are of an unknown version.');
  return stored.map(([id, title, category, verificationIndex, component, file, lineStart, rule]) => {
    const verification = verifications[verificationIndex];
    if (verification === undefined) throw new TypeError('The texts of the findings are damaged.');
    // Written field by field: spreading costs more than parsing.
    const text: Writable<FindingText> = { id, title, category, verification, component };
    if (file !== 0) text.file = file;
    if (lineStart !== 0) text.lineStart = lineStart;
    if (rule !== 0) text.rule = rule;
    return text;
  });
}

/**
 * The text that a search term must occur in: everything that is searched, case-folded.
 * A line break separates the parts, and no term contains one.
 */
export function searchTextOf({ title, category, component, file, rule }: FindingText): string {
  return foldedCase([title, category, component, file ?? '', rule ?? ''].join('\n'));
}

/** The terms of a search, case-folded. */
export function searchTermsOf(search: string): string[] {
  return foldedCase(search)
    .split(/\s+/u)
    .filter((term) => term !== '');
}

const ASCII = /^[\0-\x7F]*$/;

/** Upper case first, since some letters have several lower-case forms. */
function foldedCase(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : text.normalize('NFC').toUpperCase().toLowerCase();
}
