/** Coverage areas of a report: the subjects that it scanned, and one area `tool:<name>` for each tool. */
import type { coverageStatuses } from '@svc/contract/enums';

export interface Area {
  readonly id: string;
  readonly name: string;
  readonly status: (typeof coverageStatuses)[number];
  readonly note?: string | undefined;
}

const PREFIX = 'tool:';
/** The maximum length of an area's id, in characters. */
const ID_LENGTH_MAX = 120;

/** The id of a tool's area. Long names with the same beginning have the same id. */
export function toolAreaId(tool: string): string {
  return [...`${PREFIX}${tool}`].slice(0, ID_LENGTH_MAX).join('');
}

export function isToolArea({ id }: Pick<Area, 'id'>): boolean {
  return id.startsWith(PREFIX);
}

/** The subjects of a report; its tool areas if it has no subjects. */
export function subjectsOf<Given extends Pick<Area, 'id'>>(areas: readonly Given[]): readonly Given[] {
  const subjects = areas.filter((area) => !isToolArea(area));
  return subjects.length === 0 ? areas : subjects;
}

/** Tools whose scan failed or is incomplete, failed ones first. */
export function incompleteTools<Given extends Pick<Area, 'id' | 'status'>>(areas: readonly Given[]): Given[] {
  const of = (status: Area['status']) => areas.filter((area) => isToolArea(area) && area.status === status);
  return [...of('not_covered'), ...of('partial')];
}

/** Why a tool's area is not covered, as the report states it. */
export function gapSentence({ name, note }: Pick<Area, 'name' | 'note'>): string {
  return note ?? `${name} did not finish.`;
}

/** The name of the tool that an area is about. */
export function toolOfArea({ id }: Pick<Area, 'id'>): string {
  return id.slice(PREFIX.length);
}

export interface Gaps {
  readonly title: string;
  /** The lines, one for each tool up to a limit. */
  readonly lines: readonly string[];
  /** Whether `lines` lists every gap. */
  readonly isWhole: boolean;
}

const LINES_MAX = 5;

/** The gaps for the head of a report; undefined when every tool's scan is complete. */
export function gapsOf(areas: readonly Area[] = []): Gaps | undefined {
  const tools = incompleteTools(areas);
  if (tools.length === 0) return undefined;
  const lines = tools
    .slice(0, LINES_MAX)
    .map(({ name, status, note }) =>
      note ? note : `${name} ${status === 'partial' ? 'did not scan everything' : 'did not finish'}.`,
    );
  const more = tools.length - lines.length;
  return {
    title: `Incomplete scan: findings of ${tools.length === 1 ? '1 tool' : `${tools.length} tools`} may be missing.`,
    lines: more > 0 ? [...lines, `And ${more} more, listed under Coverage.`] : lines,
    isWhole: more === 0,
  };
}
