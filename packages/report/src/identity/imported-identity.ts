/**
 * The identity of an imported result, by which it is recognized in another log. It is computed from the first of these
 * that the result has: the tool's fingerprints, the id of a published vulnerability with its package, the flagged line
 * with its neighbours, the message. A message is a weak identity. The other identities do not depend on level, message
 * or weaknesses.
 *
 * The tags of a result hold its code key and up to three tool keys, not only the used one. By them `matchFindings`
 * recognizes the result when its tool begins to fingerprint, its file is renamed or neighbouring lines change.
 */
import type { Affected } from '@svc/contract';
import { WEAK_TAG } from '../reading/tags.ts';
import { locationOf } from './fingerprint.ts';
import { codeKeyOf, codeTag, identityTagsIn, toolKeyOf, toolTag } from './identity-tags.ts';
import { withoutSpace, type LineContext } from './line-context.ts';
import { sha256Hex } from '#sha256';

export interface IdentifiedResult {
  readonly ruleId: string;
  readonly affected: Pick<Affected, 'file' | 'route' | 'origin' | 'lineStart'>;
  /** The best first. */
  readonly toolFingerprints: readonly ToolFingerprint[];
  /**
   * The flagged line from the checkout, else from the snippet in the log. Undefined where the location is not a line of
   * code.
   */
  readonly context: LineContext | undefined;
  /** The affected package, for a rule that is a published vulnerability, if it is known. */
  readonly advisoryIn: string | undefined;
  readonly message: string;
}

export interface ToolFingerprint {
  readonly name: string;
  readonly value: string;
}

export interface ResultIdentity {
  readonly fingerprint: string;
  /** `identity:code:`, `identity:tool:` and `weak-identity`. */
  readonly tags: readonly string[];
}

const TOOL_TAGS_MAX = 3;

/**
 * The identities of the results of one run, in the order of the results. Equal results in the same location are
 * numbered, so that each stays a finding of its own.
 */
export function identitiesOf(results: readonly IdentifiedResult[]): ResultIdentity[] {
  const seen = new Map<string, number>();
  return results.map((result) => {
    const { root, tags } = rootOf(result);
    const key = JSON.stringify([...locationOf(result.affected), ...root]);
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    return { fingerprint: numberedFingerprint(result.affected, root, ordinal), tags };
  });
}

type Root = readonly string[];

/** @param number from 1, among several findings of one location with the same root. */
export function numberedFingerprint(
  affected: IdentifiedResult['affected'],
  root: Root,
  number: number,
): string {
  return sha256Hex(JSON.stringify(['imported', ...locationOf(affected), ...root, number]));
}

export interface NumberedFinding {
  readonly affected: IdentifiedResult['affected'];
  readonly tags?: readonly string[] | undefined;
}

/** The identity of a finding without its number: findings of one location share it if only their numbers differ. */
export function locatedRoot({ affected, tags = [] }: NumberedFinding): string | undefined {
  const root = rootIn(tags);
  return root && JSON.stringify([affected.file, affected.route, affected.origin, ...root]);
}

/**
 * Undefined if there is neither a tool key nor a code key: for a finding that is identified by its message or as a
 * published vulnerability, and for a submitted finding.
 */
export function rootIn(tags: readonly string[]): Root | undefined {
  const { toolKeys, codeKey } = identityTagsIn(tags);
  const [toolKey] = toolKeys;
  if (toolKey !== undefined) return ['tool', toolKey];
  return codeKey === undefined ? undefined : ['code', codeKey];
}

function rootOf(result: IdentifiedResult): { readonly root: Root; readonly tags: readonly string[] } {
  const { ruleId, toolFingerprints, context, advisoryIn, message, affected } = result;
  const toolKeys = toolFingerprints.map(({ name, value }) => toolKeyOf(ruleId, name, value));
  // The line does not identify a vulnerability: vulnerabilities of other packages can be reported in the same line.
  const codeKey = context && advisoryIn === undefined ? codeKeyOf(ruleId, context) : undefined;
  const tags = [
    ...(codeKey === undefined ? [] : [codeTag(codeKey)]),
    ...toolKeys.slice(0, TOOL_TAGS_MAX).map(toolTag),
  ];
  const [toolKey] = toolKeys;
  if (toolKey !== undefined) return { root: ['tool', toolKey], tags };
  if (advisoryIn !== undefined) return { root: ['advisory', ruleId, advisoryIn], tags };
  if (codeKey !== undefined) return { root: ['code', codeKey], tags };
  const text = withoutSpace(message);
  return { root: ['message', ruleId, text, String(affected.lineStart ?? 0)], tags: [...tags, WEAK_TAG] };
}
