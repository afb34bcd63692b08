/**
 * The coverage areas of a report: the three subjects of every scan, and an area `tool:<name>` for each tool that ran or
 * whose results were imported. A report confirms that a finding is gone only if its tool's area is covered.
 */
import { limits } from '@svc/contract';
import type { CanonicalReport } from '../model/canonical.ts';
import { toolAreaId } from '../reading/coverage.ts';
import type { RunFailure } from '../sarif/health.ts';
import type { GeneralArea } from '../sarif/tool-areas.ts';

export type CoverageArea = CanonicalReport['coverageAreas'][number];
export type CoverageStatus = CoverageArea['status'];

const { report: bounds } = limits;
const NAME_LENGTH_MAX = 200;
const NOTE_LENGTH_MAX = 1000;

/** A tool that scanned a subject, or was meant to. */
export interface SubjectLook {
  readonly by: string;
  readonly area: GeneralArea;
  /** Whether the tool scans everything about the subject. */
  readonly isGeneral: boolean;
  readonly status: CoverageStatus;
}

export interface ToolState {
  readonly tool: string;
  readonly status: CoverageStatus;
  readonly note?: string | undefined;
}

export interface Looked {
  /** The built-in search for secrets; absent when it did not run. */
  readonly builtIn?: { readonly isWhole: boolean };
  readonly looks: readonly SubjectLook[];
  readonly tools: readonly ToolState[];
}

/** The subjects first, then tools. If there are too many tools, covered ones are dropped first. */
export function areasOf(looked: Looked): CoverageArea[] {
  const areas = subjectAreasOf(looked);
  const tools = toolAreasOf(looked.tools);
  const room = bounds.coverageAreasMax - areas.length;
  const kept = tools.length <= room ? tools : tools.toSorted((one, other) => rank(one) - rank(other));
  return [...areas, ...kept.slice(0, room)];
}

function rank({ status }: CoverageArea): number {
  return ['not_covered', 'partial', 'covered'].indexOf(status);
}

export const scanSubjects = [
  ['secrets', 'Secrets', 'secret_review'],
  ['static_analysis', 'Code', 'static_analysis'],
  ['dependencies', 'Dependencies', 'dependency_review'],
] as const;

function subjectAreasOf({ builtIn, looks: all }: Looked): CoverageArea[] {
  return scanSubjects.map(([id, name]) => {
    const looks = all.filter(({ area }) => area === id);
    const done = looks.filter(({ status }) => status !== 'not_covered');
    const own = id === 'secrets' ? builtIn : undefined;
    if (done.length === 0 && own === undefined) return { id, name, status: 'not_covered' };
    const isWhole =
      (own?.isWhole ?? done.some(({ isGeneral }) => isGeneral)) &&
      looks.every(({ status }) => status === 'covered');
    const by = [
      ...(own === undefined ? [] : ['the built-in secret search']),
      ...new Set(done.map((look) => look.by)),
    ];
    return { id, name, status: isWhole ? 'covered' : 'partial', note: noteOf([`By ${by.join(', ')}.`]) };
  });
}

export function statusAfter(failure: RunFailure | undefined): CoverageStatus {
  if (failure === undefined) return 'covered';
  return failure.isPartial ? 'partial' : 'not_covered';
}

function toolAreasOf(tools: readonly ToolState[]): CoverageArea[] {
  const byTool = Map.groupBy(tools, ({ tool }) => toolAreaId(tool).toLowerCase());
  return [...byTool.values()].map((states) => {
    const [{ tool } = { tool: '' }] = states;
    const notes = [...new Set(states.flatMap(({ note }) => note ?? []))];
    return {
      id: toolAreaId(tool),
      name: [...tool].slice(0, NAME_LENGTH_MAX).join(''),
      // A tool that ran twice and failed once counts as partial.
      status: states.every(({ status }) => status === states[0]?.status)
        ? (states[0]?.status ?? 'not_covered')
        : 'partial',
      ...(notes.length > 0 && { note: noteOf(notes) }),
    };
  });
}

function noteOf(sentences: readonly string[]): string {
  return [...sentences.join(' ')].slice(0, NOTE_LENGTH_MAX).join('');
}
