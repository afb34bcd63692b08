/**
 * The rules of reserved tags in an uploaded report. Each finding has one tool that the scan names, so what is counted for
 * a tool grows with the findings only.
 */
import { LAPSED_TAG, limits, type Issue, type Scan } from '@svc/contract';
import { folded } from '../reading/looked-again.ts';
import { AREA_TAG, reservedName, RULE_TAG, TOOL_TAG } from '../reading/tags.ts';
import type { Static } from 'typebox';

export const AREA_TAGS_MAX = 8;

/** How many tags with a reserved prefix a finding may have. */
const COUNT_MAX: Readonly<Record<string, number>> = {
  [TOOL_TAG]: 1,
  [RULE_TAG]: 1,
  [AREA_TAG]: AREA_TAGS_MAX,
};

interface Tagged {
  readonly scan: Pick<Static<typeof Scan>, 'tools' | 'agent'>;
  readonly findings: readonly { readonly tags?: readonly string[] | undefined }[];
}

/** At most `issuesMax` issues. */
export function wrongTags({ scan, findings }: Tagged): Issue[] {
  const names = toolNames(scan);
  const issues: Issue[] = [];
  for (const [index, { tags = [] }] of findings.entries()) {
    if (issues.length >= limits.issuesMax) break;
    const counts = new Map<string, number>();
    for (const [at, tag] of tags.entries()) {
      const name = reservedName(tag);
      if (name === null) continue;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      const message = faultOf(tag, name, count, names);
      if (message !== null) issues.push({ path: `/findings/${index}/tags/${at}`, message, rule: 'tag' });
    }
  }
  return issues.slice(0, limits.issuesMax);
}

function faultOf(tag: string, name: string, count: number, tools: ReadonlySet<string>): string | null {
  if (name === LAPSED_TAG) return 'is set by the service only';
  const most = COUNT_MAX[name];
  if (most !== undefined && count > most)
    return most === 1 ? `is a second tag "${name}"` : `is one of more than ${most} tags "${name}"`;
  const isUnknown = name === TOOL_TAG && !tools.has(folded(tag.trim().slice(TOOL_TAG.length)));
  return isUnknown ? 'names neither a tool of the scan nor its agent' : null;
}

/** Case-folded, as they are and as a tag shortens them. */
export function toolNames({ tools = [], agent }: Tagged['scan']): Set<string> {
  const shortened = (name: string) =>
    [...name].slice(0, limits.finding.tagLengthMax - TOOL_TAG.length).join('');
  return new Set([...tools, agent].flatMap(({ name }) => [folded(name), folded(shortened(name))]));
}
