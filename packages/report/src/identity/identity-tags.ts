/**
 * The tags by which a finding can be recognized when its fingerprint has changed: the code of its line, the
 * fingerprints that its tool gives, and the fingerprint that version 1 of this program gave it.
 */
import { isWeak } from '../reading/tags.ts';
import type { LineContext } from './line-context.ts';
import { sha256Hex } from '#sha256';

const CODE_TAG = 'was:code:';
const TOOL_TAG = 'was:tool:';
const EARLIER_TAG = 'was:';
const NEXT_TAG = 'was:next:';
const FINGERPRINT = /^[0-9a-f]{64}$/;
/** Hexadecimal digits: 64 bits for each part of a code key, 96 bits for a tool key. */
const PART_DIGITS = 16;
const TOOL_DIGITS = 24;
/**
 * Digests of the line, of the line with the one above, and of the line with the one below: 48 digits. If no
 * neighbouring line is known, only the first: 16 digits.
 */
export function codeKeyOf(ruleId: string, { line, above, below }: LineContext): string {
  const alone = digest(PART_DIGITS, ruleId, line);
  if (above === '' && below === '') return alone;
  return alone + digest(PART_DIGITS, ruleId, above, line) + digest(PART_DIGITS, ruleId, line, below);
}

export interface CodeKeyParts {
  readonly line: string;
  /** Undefined where no neighbouring line is known. */
  readonly above: string | undefined;
  readonly below: string | undefined;
}

export function partsOfCodeKey(codeKey: string): CodeKeyParts {
  const part = (index: number) => codeKey.slice(index * PART_DIGITS, (index + 1) * PART_DIGITS);
  return { line: part(0), above: part(1) || undefined, below: part(2) || undefined };
}

export function toolKeyOf(ruleId: string, name: string, value: string): string {
  return digest(TOOL_DIGITS, ruleId, name, value);
}

function digest(digits: number, ...parts: readonly string[]): string {
  return sha256Hex(JSON.stringify(parts)).slice(0, digits);
}

/** The tag of a finding in a line of code, from an import or from another source. */
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
 * @param fingerprint the fingerprint that version 1 gave the result
 * @param next the fingerprint that version 1 would have given another equal result in the same location
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

/** Whether a tag is one of `earlierTags`. */
export function isEarlierTag(tag: string): boolean {
  return (
    tag.startsWith(NEXT_TAG) ||
    (tag.startsWith(EARLIER_TAG) && FINGERPRINT.test(tag.slice(EARLIER_TAG.length)))
  );
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
  let codeKey: string | undefined;
  let earlier: string | undefined;
  let next: string | undefined;
  const toolKeys: string[] = [];
  for (const tag of tags) {
    if (!tag.startsWith(EARLIER_TAG)) continue;
    const digits = tag.slice(EARLIER_TAG.length);
    if (tag.startsWith(CODE_TAG)) codeKey ??= tag.slice(CODE_TAG.length);
    else if (tag.startsWith(TOOL_TAG)) toolKeys.push(tag.slice(TOOL_TAG.length));
    else if (tag.startsWith(NEXT_TAG)) next ??= tag.slice(NEXT_TAG.length);
    else if (FINGERPRINT.test(digits)) earlier ??= digits;
  }
  return { codeKey, toolKeys, earlier, next, isWeak: isWeak(tags) };
}
