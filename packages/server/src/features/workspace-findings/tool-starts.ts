/** The day on which a tool first found something in its project. */
import { toolKeyOf } from './finding-tools.ts';
import type { ToolStart } from './trends-store.ts';

/**
 * @param starts of one project
 * @param key of the project's findings
 * @returns the first day of the tool with that name; null for a tool without findings, and for the first day of the
 * project, which changes no tool.
 */
export function toolStartsIn(
  starts: readonly Omit<ToolStart, 'projectId'>[],
  key: Uint8Array,
): (name: string) => string | null {
  const [first] = starts.map(({ day }) => day).toSorted();
  const days = new Map(starts.map(({ tool, day }) => [Buffer.from(tool).toString('hex'), day]));
  return (name) => {
    const day = days.get(toolKeyOf(name, key)) ?? null;
    return day === first ? null : day;
  };
}
