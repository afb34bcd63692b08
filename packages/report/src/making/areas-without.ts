/**
 * Findings that a report left out because of a limit, by tool. The area of a tool that lost findings is partial, or not
 * covered. So a missing finding of that tool is not known to be fixed.
 */
import { limits, type Finding } from '@svc/contract';
import type { CanonicalReport } from '../model/canonical.ts';
import { toolAreaId } from '../reading/coverage.ts';
import { toolOfFinding } from '../reading/looked-again.ts';

type Area = CanonicalReport['coverageAreas'][number];
type LeftOut = Pick<Finding, 'tags'>;

const AREA_NOTE_LENGTH_MAX = 1000;

/** @param agent the agent of the report, to which findings without a tool belong */
export function areasWithout(
  areas: readonly Area[],
  leftOut: readonly LeftOut[],
  { agent, note }: { readonly agent: string; readonly note: string },
): Area[] {
  if (leftOut.length === 0) return [...areas];
  const tools = new Map([...countsByTool(leftOut, agent).keys()].map((tool) => [idOf(tool), tool]));
  const known = new Set(areas.map(({ id }) => id.toLowerCase()));
  const changed = areas.map((area) =>
    tools.has(area.id.toLowerCase()) && area.status !== 'not_covered'
      ? { ...area, status: 'partial' as const, note: noteAfter(area.note, note) }
      : area,
  );
  const added = [...tools]
    .filter(([id]) => !known.has(id))
    .map(([, tool]) => ({ id: toolAreaId(tool), name: tool, status: 'partial' as const, note }));
  const room = Math.max(0, limits.report.coverageAreasMax - added.length);
  return [...changed.slice(0, room), ...added].slice(0, limits.report.coverageAreasMax);
}

/** Counts by the tool's name; different spellings count as one. */
export function countsByTool(leftOut: readonly LeftOut[], agent: string): Map<string, number> {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const finding of leftOut) {
    const tool = toolOfFinding(finding, agent);
    const name = names.get(idOf(tool)) ?? tool;
    names.set(idOf(tool), name);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function idOf(tool: string): string {
  return toolAreaId(tool).toLowerCase();
}

function noteAfter(before: string | undefined, note: string): string {
  const both = before === undefined ? note : `${before} ${note}`;
  return [...both].length <= AREA_NOTE_LENGTH_MAX ? both : note;
}
