/**
 * What makes two findings the same one: a SHA-256 of category, place and root cause. Line numbers take no part, so
 * that code may move; nor does anything that a tool or an agent words anew each time.
 *
 * A change of what goes into it makes every known finding a new one, and loses what was decided about it.
 */
import type { Affected } from '@svc/contract';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { normalizedFile, normalizedOrigin, normalizedRoute } from './location.ts';

/** What lies behind a finding, told apart from everything else in its place. */
export type RootCause = readonly string[];

export interface Identity {
  /** Normalized. */
  readonly category: string;
  readonly affected: Pick<Affected, 'file' | 'route' | 'origin'>;
  readonly rootCause: RootCause;
}

export function fingerprintOf({ category, affected, rootCause }: Identity, repositoryRoot?: string): string {
  return sha256Hex(JSON.stringify([category, ...placeOf(affected, repositoryRoot), ...rootCause]));
}

/** The file, or else the route, or else the origin. */
function placeOf({ file, route, origin }: Identity['affected'], repositoryRoot?: string): [string, string] {
  if (file) return ['file', normalizedFile(file, repositoryRoot)];
  if (route) return ['route', normalizedRoute(route)];
  return ['origin', normalizedOrigin(origin ?? '')];
}

/** Of a submitted finding: what it is about and what is wrong, in any spelling. */
export function rootCauseOfSubmission(submission: {
  readonly title: string;
  readonly affected: Pick<Affected, 'component'>;
}): RootCause {
  return ['submitted', words(submission.affected.component), words(submission.title)];
}

/** Numbers of published vulnerabilities and weaknesses, which are names. */
const ADVISORY = /\b(?:cve|cwe|ghsa|osv|rustsec|pysec|go|rhsa|dsa|usn)(?:-[a-z0-9]+){1,3}\b/g;
const NUMBERS = /(?<![\p{L}\p{N}])[0-9]+(?![\p{L}\p{N}])/gu;
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{M}\p{N}]/gu;

/** Letters and digits only, lower-case, without numbers and quoted values; a text that has nothing else stays as it is. */
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

/** An apostrophe within a word opens nothing; a quote that is never closed neither. */
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

export interface ImportedResult {
  readonly ruleId: string;
  /** As the tool gave them: what it says stays the same while code moves. */
  readonly partialFingerprints?: Readonly<Record<string, string>>;
  /** The line the result is on, as the tool quotes it; where it quotes none, its message. */
  readonly line: string;
  /** Normalized, to tell equal lines of one file from those of another. */
  readonly place: string;
}

/**
 * Of the results of one run, in its order. Where the tool gives no fingerprint, equal results of one place are numbered,
 * so that fifty of them stay fifty, and the same fifty at the next import.
 */
export function rootCausesOfImport(results: readonly ImportedResult[]): RootCause[] {
  const seen = new Map<string, number>();
  return results.map(({ ruleId, partialFingerprints = {}, line, place }) => {
    const given = Object.entries(partialFingerprints).toSorted(([one], [other]) => (one < other ? -1 : 1));
    if (given.length > 0) return ['imported', ruleId, 'fingerprints', ...given.flat()];
    const code = sha256Hex(line.trim().replaceAll(/\s+/g, ' '));
    const key = JSON.stringify([ruleId, place, code]);
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    return ['imported', ruleId, 'line', code, String(ordinal)];
  });
}

function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
