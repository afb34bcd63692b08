/**
 * What makes two findings the same one: a SHA-256 of category, location and root cause. Line numbers take no part, so
 * that code may move. Prose other than the title takes no part either, since an agent words it differently each time.
 * Imported results have identities of their own (imported-identity.ts).
 *
 * Changing the inputs makes every known finding a new one, and loses the decisions about it.
 */
import type { Affected } from '@svc/contract';
import { normalizedFile, normalizedOrigin, normalizedRoute } from './location.ts';
import { sha256Hex } from '#sha256';

/** The cause of a finding, distinct from every other one in the same location. */
export type RootCause = readonly string[];

export interface Identity {
  /** Normalized. */
  readonly category: string;
  readonly affected: Pick<Affected, 'file' | 'route' | 'origin'>;
  readonly rootCause: RootCause;
}

export function fingerprintOf({ category, affected, rootCause }: Identity, repositoryRoot?: string): string {
  return sha256Hex(JSON.stringify([category, ...locationOf(affected, repositoryRoot), ...rootCause]));
}

/** The file, or else the route, or else the origin. */
export function locationOf(
  { file, route, origin }: Identity['affected'],
  repositoryRoot?: string,
): [string, string] {
  if (file) return ['file', normalizedFile(file, repositoryRoot)];
  if (route) return ['route', normalizedRoute(route)];
  return ['origin', normalizedOrigin(origin ?? '')];
}

/** The cause of a submitted finding: its component and title, normalized so that other spellings are equal. */
export function rootCauseOfSubmission(submission: {
  readonly title: string;
  readonly affected: Pick<Affected, 'component'>;
}): RootCause {
  return ['submitted', words(submission.affected.component), words(submission.title)];
}

/** Ids of published vulnerabilities and weaknesses, which are kept as names. */
const ADVISORY = /\b(?:cve|cwe|ghsa|osv|rustsec|pysec|go|rhsa|dsa|usn)(?:-[a-z0-9]+){1,3}\b/g;
const NUMBERS = /(?<![\p{L}\p{N}])[0-9]+(?![\p{L}\p{N}])/gu;
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{M}\p{N}]/gu;

/**
 * Only letters and digits, in lower case, without separate numbers and quoted values. If nothing would be left,
 * everything but white space is kept.
 */
function words(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase();
  const named = lower.replaceAll(ADVISORY, (name) => name.replaceAll('-', ''));
  const kept = withoutQuoted(named).replaceAll(NUMBERS, ' ').replaceAll(NEITHER_LETTER_NOR_DIGIT, '');
  return kept === '' ? lower.replaceAll(/\s/g, '') : kept;
}

const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '«': '»',
};

/** An apostrophe within a word, or a quote that is never closed, does not begin a quotation. */
function withoutQuoted(text: string): string {
  let kept = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const closing = CLOSING[sign];
    const isApostrophe = sign === "'" && /[\p{L}\p{N}]/u.test(text.charAt(at - 1));
    const end = closing === undefined || isApostrophe ? -1 : text.indexOf(closing, at + 1);
    kept += end < 0 ? sign : ' ';
    if (end >= 0) at = end;
  }
  return kept;
}
