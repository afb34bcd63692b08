/**
 * The coverage areas of a report: the three subjects of every scan, and an area `tool:<name>` for each tool that ran or
 * whose results were imported. A report confirms that a finding is gone only if its tool's area is covered.
 */
import { limits } from '@svc/contract';
import { incompleteTools, isToolArea, toolAreaId, toolOfArea } from '@svc/report/reading/coverage';
import type { CanonicalReport, GeneralArea, RunFailure } from '@svc/report';
import type { SecretCheck } from './secret-check.ts';
import { SECRET_CHECK } from './secret-findings.ts';
import { skipSentences, wasWanted, type ScannedParts } from './scanned-parts.ts';

export type CoverageArea = CanonicalReport['coverageAreas'][number];
type Status = CoverageArea['status'];

const { report: bounds } = limits;
const NAME_LENGTH_MAX = 200;
const NOTE_LENGTH_MAX = 1000;

/** The subjects first, then tools. If there are too many tools, covered ones are dropped first. */
export function areasOf(scanned: ScannedParts): CoverageArea[] {
  const subjects = subjectsOf(scanned);
  const tools = toolAreasOf(scanned);
  const room = bounds.coverageAreasMax - subjects.length;
  const kept = tools.length <= room ? tools : tools.toSorted((one, other) => rank(one) - rank(other));
  return [...subjects, ...kept.slice(0, room)];
}

function rank({ status }: CoverageArea): number {
  return ['not_covered', 'partial', 'covered'].indexOf(status);
}

const subjects = [
  ['secrets', 'Secrets', 'secret_review'],
  ['static_analysis', 'Code', 'static_analysis'],
  ['dependencies', 'Dependencies', 'dependency_review'],
] as const;

/** A tool that scanned a subject, or was meant to. */
interface Look {
  readonly by: string;
  readonly area: GeneralArea;
  /** It scans everything about the subject. */
  readonly isGeneral: boolean;
  readonly status: Status;
}

function subjectsOf(scanned: ScannedParts): CoverageArea[] {
  const { secrets } = scanned;
  const all = looksOf(scanned);
  return subjects.map(([id, name]) => {
    const looks = all.filter(({ area }) => area === id);
    const done = looks.filter(({ status }) => status !== 'not_covered');
    const isBuiltIn = id === 'secrets' && secrets !== undefined;
    if (done.length === 0 && !isBuiltIn) return { id, name, status: 'not_covered' };
    const isWhole =
      (isBuiltIn ? isWholeCheck(secrets) : done.some(({ isGeneral }) => isGeneral)) &&
      looks.every(({ status }) => status === 'covered');
    const by = [...(isBuiltIn ? ['the built-in check'] : []), ...new Set(done.map((look) => look.by))];
    return { id, name, status: isWhole ? 'covered' : 'partial', note: noteOf([`By ${by.join(', ')}.`]) };
  });
}

function looksOf({ runs, files }: ScannedParts): Look[] {
  return [
    ...runs.flatMap(({ scanner, outcome }): Look[] => {
      if (outcome.status === 'skipped') return [];
      const area = subjects.find(([, , phase]) => phase === scanner.phase)?.[0] ?? 'static_analysis';
      const status = outcome.status === 'failed' ? 'not_covered' : statusOf(outcome.failure);
      return [{ by: scanner.name, area, isGeneral: scanner.isGeneral, status }];
    }),
    ...files.flatMap(({ imported }) =>
      imported.toolRuns.flatMap(({ tool, own, areas, whole, failure }) =>
        own === undefined
          ? areas.map((area) => ({
              by: tool,
              area,
              isGeneral: whole.includes(area),
              status: statusOf(failure),
            }))
          : looksOfReport(tool, own.areas),
      ),
    ),
  ];
}

/** The subjects that an exported report scanned. One that it did not cover is listed only if one of its tools failed. */
function looksOfReport(by: string, areas: readonly CoverageArea[]): Look[] {
  const hasGaps = incompleteTools(areas).length > 0;
  return subjects.flatMap(([area]): Look[] => {
    const { status = 'not_covered' } = areas.find(({ id }) => id === area) ?? {};
    if (status === 'not_covered' && !hasGaps) return [];
    return [{ by, area, isGeneral: status === 'covered', status }];
  });
}

function statusOf(failure: RunFailure | undefined): Status {
  if (failure === undefined) return 'covered';
  return failure.isPartial ? 'partial' : 'not_covered';
}

function isWholeCheck(secrets: SecretCheck): boolean {
  return secrets.tooLarge === 0 && !isCutShort(secrets);
}

/** Files above the size limit are skipped by design, and are not part of what the tool scans. */
export function isCutShort({ isFull, unreadable }: SecretCheck): boolean {
  return isFull || unreadable > 0;
}

interface ToolState {
  readonly tool: string;
  readonly status: Status;
  readonly note?: string | undefined;
}

function toolAreasOf(scanned: ScannedParts): CoverageArea[] {
  const byTool = new Map<string, ToolState[]>();
  for (const state of statesOf(scanned)) {
    const key = toolAreaId(state.tool).toLowerCase();
    const states = byTool.get(key);
    if (states === undefined) byTool.set(key, [state]);
    else states.push(state);
  }
  return [...byTool.values()].map((states) => {
    const [{ tool } = { tool: '' }] = states;
    const notes = [...new Set(states.flatMap(({ note }) => note ?? []))];
    return {
      id: toolAreaId(tool),
      name: [...tool].slice(0, NAME_LENGTH_MAX).join(''),
      // A tool that ran twice and failed once was partly done.
      status: states.every(({ status }) => status === states[0]?.status)
        ? (states[0]?.status ?? 'not_covered')
        : 'partial',
      ...(notes.length > 0 && { note: noteOf(notes) }),
    };
  });
}

function statesOf({ secrets, runs, files }: ScannedParts): ToolState[] {
  return [
    ...(secrets === undefined
      ? []
      : [{ tool: SECRET_CHECK, status: isCutShort(secrets) ? ('partial' as const) : ('covered' as const) }]),
    ...runs.flatMap((run): ToolState[] => {
      const { scanner, outcome } = run;
      const tool = scanner.name;
      if (outcome.status === 'failed') return [{ tool, status: 'not_covered', note: outcome.sentence }];
      if (outcome.status === 'ran')
        return [{ tool, status: statusOf(outcome.failure), note: outcome.failure?.sentence }];
      return wasWanted(run)
        ? [{ tool, status: 'not_covered', note: skipSentences[outcome.reason](tool) }]
        : [];
    }),
    ...files.flatMap(({ name, imported }): ToolState[] => [
      ...(imported.failure === undefined
        ? []
        : [
            { tool: name, status: statusOf(imported.failure), note: `${name}: ${imported.failure.sentence}` },
          ]),
      ...imported.toolRuns.flatMap(({ tool, own, failure }): ToolState[] => [
        ...(own?.areas ?? [])
          .filter(isToolArea)
          .map((area) => ({ tool: toolOfArea(area), status: area.status, note: area.note })),
        ...(own === undefined || failure !== undefined
          ? [{ tool, status: statusOf(failure), note: failure?.sentence }]
          : []),
      ]),
    ]),
  ];
}

function noteOf(sentences: readonly string[]): string {
  return [...sentences.join(' ')].slice(0, NOTE_LENGTH_MAX).join('');
}
