/**
 * What our own export says about coverage: the areas of its report, which are in the properties of the run. They
 * replace the notifications of the same gaps, which are for readers that do not know the properties.
 */
import { closed, CoverageArea, limits } from '@svc/contract';
import Type from 'typebox';
import { OWN_TOOL } from '../identity/own-names.ts';
import { repaired } from '../intake/schema-repair.ts';
import type { CanonicalReport } from '../model/canonical.ts';
import { gapSentence, incompleteTools, toolAreaId } from '../reading/coverage.ts';
import { fields, natural, text, type Fields } from './parts.ts';
import type { RunFailure } from './health.ts';
import type { Cleaner } from './messages.ts';
import { ownTools } from './own.ts';

type OwnArea = CanonicalReport['coverageAreas'][number];

export interface OwnCoverage {
  readonly areas: readonly OwnArea[];
  /** The agent that made the report. Findings that name no tool are from this agent. */
  readonly agent?: string;
}

const AGENT_LENGTH_MAX = 120;
const Areas = closed({
  coverageAreas: Type.Array(CoverageArea, { maxItems: limits.report.coverageAreasMax }),
});

/** Undefined for another tool's run, and for an export without areas. */
export function ownCoverage(run: Fields, tool: string, cleaner: Cleaner): OwnCoverage | undefined {
  if (tool !== OWN_TOOL) return undefined;
  const { coverageAreas, scan } = fields(run['properties']);
  const { value } = repaired<{ coverageAreas: OwnArea[] }>(Areas, { coverageAreas });
  if (value === undefined || value.coverageAreas.length === 0) return undefined;
  const agent = text(fields(fields(scan)['agent'])['name']);
  return {
    areas: cleaner.deep(value.coverageAreas),
    ...(agent !== undefined && { agent: cleaner.name(agent, AGENT_LENGTH_MAX) }),
  };
}

/** Whether a notification of our own export repeats a gap of its areas. */
export function isRestored(notification: Fields, { areas }: OwnCoverage): boolean {
  const id = text(fields(notification['properties'])['coverageArea']);
  const sentence = text(fields(notification['message'])['text']);
  return incompleteTools(areas).some((area) => area.id === id || gapSentence(area) === sentence);
}

/** A failure if an export lacks findings of its report, as an export through a share or of a limited profile can. */
export function omissionsOf(run: Fields, tool: string, results: number): RunFailure[] {
  if (tool !== OWN_TOOL) return [];
  const { projectedFor, redactionNotice, summary } = fields(run['properties']);
  const principal = text(fields(projectedFor)['principalType']) ?? 'user';
  const findings = natural(fields(summary)['findingCount']) ?? 0;
  if (principal === 'user' && redactionNotice === undefined && findings <= results) return [];
  return [
    {
      isPartial: true,
      sentence: 'The log is an incomplete export: it does not contain all findings of its report.',
    },
  ];
}

/** Lowers each area to the coverage of the whole run, and adds an area for each tool of the run that has none. */
export function loweredBy(
  run: Fields,
  { areas, ...rest }: OwnCoverage = { areas: [] },
  failure: RunFailure,
): OwnCoverage {
  const known = new Set(areas.map(({ id }) => id));
  const unnamed = [...new Set(ownTools(run).map(({ name }) => name))].filter(
    (name) => !known.has(toolAreaId(name)),
  );
  const added = unnamed.map((name): OwnArea => ({ id: toolAreaId(name), name, status: 'covered' }));
  const lowered = [...areas, ...added].map((area) =>
    area.status === 'not_covered' || (area.status === 'partial' && failure.isPartial)
      ? area
      : {
          ...area,
          status: failure.isPartial ? ('partial' as const) : ('not_covered' as const),
          note: failure.sentence,
        },
  );
  return { ...rest, areas: lowered.slice(0, limits.report.coverageAreasMax) };
}
