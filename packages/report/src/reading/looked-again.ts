/**
 * Whether the scan of a report looked again for a finding of an earlier report. Only then does the absence of the
 * finding mean that it is fixed: the tool that found it ran, and covered every area that the finding belongs to.
 */
import { toolAreaId, type Area } from './coverage.ts';
import { AREA_TAG, isWeak, toolIn } from './tags.ts';

/** The parts of the newer report that the rule uses. */
export interface LaterScan {
  readonly tools: readonly { readonly name: string }[];
  /** Undefined where the report does not name its scanners. */
  readonly agent: string | undefined;
  readonly coverageAreas: readonly Pick<Area, 'id' | 'status'>[];
}

/** The finding of the earlier report. */
export interface EarlierFinding {
  readonly tags?: readonly string[] | undefined;
}

/** The tool in the finding's tag `tool:<name>`, otherwise the agent of its report. */
export function toolOfFinding({ tags }: EarlierFinding, agent: string): string {
  return toolIn(tags) ?? agent;
}

/** @param agent of the earlier report */
export function lookedAgain(later: LaterScan, finding: EarlierFinding, agent: string): boolean {
  return whyNotLookedAgain(later, finding, agent) === undefined;
}

/**
 * Why it is unknown whether a missing finding is fixed, as text; undefined where it is fixed.
 *
 * @param agent of the earlier report
 */
export function whyUnknown(later: LaterScan, finding: EarlierFinding, agent: string): string | undefined {
  if (isWeak(finding.tags)) return 'identified only by its message';
  return whyNotLookedAgain(later, finding, agent);
}

/** Names are compared case-folded. A missing area proves nothing: reports of agents have none for their tools. */
function whyNotLookedAgain(later: LaterScan, finding: EarlierFinding, agent: string): string | undefined {
  const tool = toolOfFinding(finding, agent);
  const ran = [...later.tools.map(({ name }) => name), ...(later.agent === undefined ? [] : [later.agent])];
  if (!ran.some((name) => folded(name) === folded(tool))) return `${tool} did not run`;
  const isMissing = (area: string) =>
    later.coverageAreas.some(({ id, status }) => status !== 'covered' && folded(id) === folded(area));
  if (isMissing(toolAreaId(tool))) return `${tool} did not scan everything`;
  const area = areasOf(finding).find((id) => isMissing(id));
  return area === undefined ? undefined : `${area} was only partly scanned`;
}

/** The ids in the finding's tags `area:<id>`. */
export function areasOf({ tags = [] }: EarlierFinding): string[] {
  return tags.filter((tag) => tag.startsWith(AREA_TAG)).map((tag) => tag.slice(AREA_TAG.length));
}

export function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
