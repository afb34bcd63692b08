/** Makes findings follow the rules by which a report tells them apart: fingerprints and reserved tags. */
import { LAPSED_TAG, type Finding } from '@svc/contract';
import { withFingerprints } from '../identity/distinct-fingerprints.ts';
import { joined } from '../intake/deduplication.ts';
import type { CanonicalReport } from '../model/canonical.ts';
import { AREA_TAGS_MAX, toolNames } from '../model/tag-rules.ts';
import { folded } from '../reading/looked-again.ts';
import { AREA_TAG, reservedName, RULE_TAG, TOOL_TAG, toolIn } from '../reading/tags.ts';

/** Findings with equal fingerprints are merged if they have the same tool and place. Others get fingerprints of their own. */
export function distinctFindings(findings: readonly Finding[], at: string): Finding[] {
  const kept: Finding[] = [];
  const places = new Map<string, number>();
  for (const finding of findings) {
    const key = finding.fingerprint === undefined ? undefined : placeOf(finding);
    const index = key === undefined ? undefined : places.get(key);
    const known = index === undefined ? undefined : kept[index];
    if (index !== undefined && known) kept[index] = joined(known, finding, at);
    else {
      if (key !== undefined) places.set(key, kept.length);
      kept.push(finding);
    }
  }
  const isDistinct = new Set(kept.map(({ fingerprint }) => fingerprint)).size === kept.length;
  return isDistinct ? kept : withFingerprints(kept);
}

function placeOf({ fingerprint, tags, affected }: Finding): string {
  const { component, file, lineStart, route, origin } = affected;
  return JSON.stringify([fingerprint, toolIn(tags) ?? '', component, file, lineStart, route, origin]);
}

/** Removes reserved tags that a report may not have. A finding of a tool that the scan does not name is the agent's. */
export function withAllowedTags(findings: readonly Finding[], scan: CanonicalReport['scan']): Finding[] {
  const tools = toolNames(scan);
  return findings.map((finding) => {
    const { tags } = finding;
    if (tags === undefined) return finding;
    const left: Record<string, number> = { [TOOL_TAG]: 1, [RULE_TAG]: 1, [AREA_TAG]: AREA_TAGS_MAX };
    const allowed = tags.filter((tag) => {
      const name = reservedName(tag);
      if (name === LAPSED_TAG) return false;
      if (name === TOOL_TAG && !tools.has(folded(tag.trim().slice(TOOL_TAG.length)))) return false;
      const count = name === null ? undefined : left[name];
      if (name === null || count === undefined) return true;
      left[name] = count - 1;
      return count > 0;
    });
    return allowed.length === tags.length ? finding : { ...finding, tags: allowed };
  });
}
