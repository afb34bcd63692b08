/**
 * Reserved tags, which only svc sets, in its import and its search for secrets: the tool and the rule of a finding, its
 * areas, and how to recognize it. Pages and exports show them by their meaning, not as tags.
 */
export const TOOL_TAG = 'tool:';
export const RULE_TAG = 'rule:';
export const AREA_TAG = 'area:';
/** Begins the hashes by which the finding is recognized in a later report. */
export const IDENTITY_TAG = 'identity:';
/** The finding is identified only by its message. */
export const WEAK_TAG = 'weak-identity';

const RESERVED =
  /^\s*(?:(tool:|rule:|area:|identity:)|(?:weak-identity|not-in-checkout|decision-lapsed)\s*$)/i;
const NAMED = /^(?:(?:tool|rule|area|identity):|weak-identity$)/;
const IDENTITY = /^\s*identity:/i;

/** A fact about a finding with a weak identity: its label and its value. */
export const WEAK_FACT = [
  'Identified by',
  'Only its message: decisions about it do not carry over to later reports, and it never counts as fixed.',
] as const;

/** Matches any case and any leading space, so that no submitted tag can be mistaken for a reserved tag. */
export function isReservedTag(tag: string): boolean {
  return RESERVED.test(tag);
}

/** The reserved prefix of a tag such as `Tool:semgrep`, in lower case; the whole tag if it has none; null if it is free. */
export function reservedName(tag: string): string | null {
  const match = RESERVED.exec(tag);
  return match && (match[1] ?? tag.trim()).toLowerCase();
}

/** Whether a tag is reserved for a hash of the finding's identity. */
export function isIdentityTag(tag: string): boolean {
  return IDENTITY.test(tag);
}

/** `Semgrep` for `tool:Semgrep`. */
export function toolIn(tags: readonly string[] = []): string | undefined {
  return valueIn(tags, TOOL_TAG);
}

/** `no-eval` for `rule:no-eval`. */
export function ruleIn(tags: readonly string[] = []): string | undefined {
  return valueIn(tags, RULE_TAG);
}

export function isWeak(tags: readonly string[] = []): boolean {
  return tags.includes(WEAK_TAG);
}

/** The tags to list. */
export function shownTags(tags: readonly string[] = []): readonly string[] {
  return tags.filter((tag) => !NAMED.test(tag));
}

function valueIn(tags: readonly string[], prefix: string): string | undefined {
  return tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length) || undefined;
}
