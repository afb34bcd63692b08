/**
 * The tags by which an imported finding can be recognized when its fingerprint has changed: the code of its line, the
 * fingerprints that its tool gives, and the fingerprint that version 1 of this program gave it.
 */
import { isWeak } from '../reading/tags.ts';
import type { LineContext } from './line-context.ts';
import { sha256Hex } from './sha256.ts';

const CODE_TAG = 'was:code:';
const TOOL_TAG = 'was:tool:';
const EARLIER_TAG = 'was:';
const NEXT_TAG = 'was:next:';
const FINGERPRINT = /^[0-9a-f]{64}$/;
/** Hexadecimal digits: 64 bits for each part of a code key, 96 bits for a tool key. */
const PART_DIGITS = 16;
const TOOL_DIGITS = 24;
/** Replaces a part whose neighbouring lines are unknown. */
const UNKNOWN_PART = '0'.repeat(PART_DIGITS);

/** 48 digits: the line, the line with the one above, the line with the one below. */
export function codeKeyOf(ruleId: string, { line, above, below }: LineContext): string {
  const isAlone = above === '' && below === '';
  return [
    digest(PART_DIGITS, ruleId, line),
    isAlone ? UNKNOWN_PART : digest(PART_DIGITS, ruleId, above, line),
    isAlone ? UNKNOWN_PART : digest(PART_DIGITS, ruleId, line, below),
  ].join('');
}

export interface CodeKeyParts {
  readonly line: string;
  /** Undefined where no neighbouring line is known. */
  readonly above: string | undefined;
  readonly below: string | undefined;
}

export function partsOfCodeKey(codeKey: string): CodeKeyParts {
  const part = (index: number) => codeKey.slice(index * PART_DIGITS, (index + 1) * PART_DIGITS);
  const known = (index: number) => (part(index) === UNKNOWN_PART ? undefined : part(index));
  return { line: part(0), above: known(1), below: known(2) };
}

export function toolKeyOf(ruleId: string, name: string, value: string): string {
  return digest(TOOL_DIGITS, ruleId, name, value);
}

function digest(digits: number, ...parts: readonly string[]): string {
  return sha256Hex(JSON.stringify(parts)).slice(0, digits);
}

/** For a finding in a line of code, from an import or from another source. */
export function codeTagOf(ruleId: string, context: LineContext): string {
  return codeTag(codeKeyOf(ruleId, context));
}

export function codeTag(codeKey: string): string {
  return `${CODE_TAG}${codeKey}`;
}

export function toolTag(toolKey: string): string {
  return `${TOOL_TAG}${toolKey}`;
}

/**
 * @param fingerprint the one that version 1 gave the result
 * @param next the one that version 1 would have given one more equal result of the same location
 */
export function earlierTags({
  fingerprint,
  next,
}: {
  readonly fingerprint: string;
  readonly next: string;
}): string[] {
  return [`${EARLIER_TAG}${fingerprint}`, `${NEXT_TAG}${next}`];
}

/** What the tags of a finding say about its identity, besides its fingerprint. */
export interface IdentityTags {
  readonly codeKey: string | undefined;
  /** The best first. */
  readonly toolKeys: readonly string[];
  /** See `earlierTags`. */
  readonly earlier: string | undefined;
  readonly next: string | undefined;
  readonly isWeak: boolean;
}

export function identityTagsIn(tags: readonly string[]): IdentityTags {
  const after = (prefix: string) =>
    tags.flatMap((tag) => (tag.startsWith(prefix) ? [tag.slice(prefix.length)] : []));
  return {
    codeKey: after(CODE_TAG)[0],
    toolKeys: after(TOOL_TAG),
    earlier: after(EARLIER_TAG).find((digits) => FINGERPRINT.test(digits)),
    next: after(NEXT_TAG)[0],
    isWeak: isWeak(tags),
  };
}
