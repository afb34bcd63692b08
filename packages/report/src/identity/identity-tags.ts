/**
 * The tags by which a finding can be recognized when its fingerprint has changed: the code of its line, and the
 * fingerprints that its tool gives.
 */
import { IDENTITY_TAG, isWeak } from '../reading/tags.ts';
import type { LineContext } from './line-context.ts';
import { sha256Hex } from '#sha256';

const CODE_TAG = `${IDENTITY_TAG}code:`;
const TOOL_TAG = `${IDENTITY_TAG}tool:`;
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

/** What the tags of a finding say about its identity, besides its fingerprint. */
export interface IdentityTags {
  readonly codeKey: string | undefined;
  /** The best first. */
  readonly toolKeys: readonly string[];
  readonly isWeak: boolean;
}

export function identityTagsIn(tags: readonly string[]): IdentityTags {
  let codeKey: string | undefined;
  const toolKeys: string[] = [];
  for (const tag of tags) {
    if (tag.startsWith(CODE_TAG)) codeKey ??= tag.slice(CODE_TAG.length);
    else if (tag.startsWith(TOOL_TAG)) toolKeys.push(tag.slice(TOOL_TAG.length));
  }
  return { codeKey, toolKeys, isWeak: isWeak(tags) };
}
