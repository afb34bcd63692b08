/** A finding of a report together with its true line. */
import type { Finding } from '@svc/contract';
import { ruleIn, toolIn } from '@svc/report/reading/tags';
import type { SeenFinding } from './follow.ts';
import type { Tree } from './tree.ts';

export function seenIn(tree: Tree, finding: Finding): SeenFinding {
  const { tags, affected, fingerprint = '', firstSeenAt = '' } = finding;
  const tool = toolIn(tags) ?? '';
  const { id = 0, text = '' } = tree.get(affected.file ?? '')?.[(affected.lineStart ?? 0) - 1] ?? {};
  const truth = `${tool} ${ruleIn(tags)} in #${id} ${text.trim()}`;
  return { tool, truth, line: id, fingerprint, firstSeenAt: Date.parse(firstSeenAt) };
}
