/** The findings that are present in the projects of a workspace, and how their number changes from day to day. */
import Type, { type Static } from 'typebox';
import { MINUTE_MS } from './durations.ts';
import { findingSorts, findingStatuses, severities, stoppedScanOutcomes, verifications } from './enums.ts';
import { FindingId, Verification } from './findings.ts';
import { limits } from './limits.ts';
import { closed, idGiven, matching, nullable, recordId, text, time, timestamp } from './schema.ts';
import { Severity, SeverityCounts } from './severity.ts';

const count = Type.Integer({ minimum: 0 });

/** A comma-separated list of allowed values, without empty items. */
function listOf(values: readonly string[], description: string) {
  const one = `(?:${values.join('|')})`;
  // linear: the values contain no commas
  const pattern = new RegExp(`^${one}(?:,${one})*$`);
  return matching(pattern, `must be a comma-separated list of ${values.join(', ')}`, { description });
}

const CATEGORIES = /^[a-z0-9_]+(?:,[a-z0-9_]+)*$/;
const IDS = /^[A-Za-z0-9_-]+(?:,[A-Za-z0-9_-]+)*$/;
/** 1 to 200. */
const PAGE_SIZE = /^(?:[1-9]|[1-9][0-9]|1[0-9]{2}|200)$/;
const FINDING_KEY = /^[0-9a-hjkmnp-tv-z]{26}$/;
const CURSOR = /^[A-Za-z0-9_-]{1,1000}$/;

export const WorkspaceFindingsQuery = closed({
  q: Type.Optional(
    text(0, limits.findingSearchLengthMax, {
      description:
        'Terms separated by spaces. Each must occur in the title, category, component, file or rule; case does not matter.',
    }),
  ),
  severity: Type.Optional(listOf(severities, 'Only these severities, separated by commas.')),
  status: Type.Optional(listOf(findingStatuses, 'Only these statuses, separated by commas.')),
  verification: Type.Optional(listOf(verifications, 'Only these verifications, separated by commas.')),
  category: Type.Optional(
    matching(CATEGORIES, 'must be a comma-separated list of categories', {
      description: 'Only these categories, separated by commas.',
    }),
  ),
  projectId: Type.Optional(
    matching(IDS, 'must be a comma-separated list of ids', {
      description:
        'Only these projects, separated by commas. The id of a project outside the workspace matches nothing.',
    }),
  ),
  findingKey: Type.Optional(
    matching(FINDING_KEY, 'must be a findingKey', {
      description: 'Only the finding with this key, which is in one project at most.',
    }),
  ),
  findingId: Type.Optional(FindingId),
  firstSeenAfter: Type.Optional(time),
  sort: Type.Optional(
    Type.Enum([...findingSorts], {
      description:
        'Most severe first by default. `newest` and `oldest` sort by when a finding was first seen, `project` by the name.',
    }),
  ),
  limit: Type.Optional(
    matching(PAGE_SIZE, `must be a whole number from 1 to ${limits.findingsListedMax}`, {
      description: `How many findings, 1 to ${limits.findingsListedMax}; ${limits.findingsListedDefault} by default.`,
    }),
  ),
  cursor: Type.Optional(
    matching(CURSOR, 'must be the nextCursor of an earlier page', {
      description: 'The `nextCursor` of the previous page, with the same sort.',
    }),
  ),
});
export type WorkspaceFindingsQuery = Static<typeof WorkspaceFindingsQuery>;

export const FindingKey = Type.String({
  pattern: FINDING_KEY.source,
  description: 'Identifies the finding in all reports of its project.',
});

export const WorkspaceFinding = closed(
  {
    findingKey: FindingKey,
    projectId: recordId('prj'),
    projectName: Type.String(),
    reportId: recordId('rep'),
    findingId: FindingId,
    title: Type.String(),
    category: Type.String(),
    severity: Severity,
    verification: Verification,
    status: Type.Enum([...findingStatuses]),
    component: Type.String(),
    file: Type.Optional(Type.String()),
    lineStart: Type.Optional(Type.Integer({ minimum: 1 })),
    firstSeenAt: timestamp,
    until: Type.Optional(timestamp),
  },
  { title: 'WorkspaceFinding' },
);
export type WorkspaceFinding = Static<typeof WorkspaceFinding>;

const statusCounts = Object.fromEntries(findingStatuses.map((status) => [status, count])) as Record<
  (typeof findingStatuses)[number],
  typeof count
>;
export const StatusCounts = closed(statusCounts, { title: 'StatusCounts' });
export type StatusCounts = Static<typeof StatusCounts>;

export const WorkspaceFindings = closed(
  {
    inExpiredReports: Type.Integer({
      minimum: 0,
      description:
        'How many findings are present, but in no report that can still be read. They are not listed.',
    }),
    findings: Type.Array(WorkspaceFinding),
    total: Type.Integer({ minimum: 0, description: 'The number of findings after all filters.' }),
    counts: closed(
      { severity: SeverityCounts, status: StatusCounts },
      { description: 'For each filter, the numbers after all other filters.' },
    ),
    nextCursor: nullable(Type.String()),
  },
  { title: 'WorkspaceFindings' },
);
export type WorkspaceFindings = Static<typeof WorkspaceFindings>;

export const trendDays = ['30', '90', '365'] as const;

export const TrendsQuery = closed({
  days: Type.Optional(
    Type.Enum([...trendDays], {
      description: `How many days up to today; ${limits.trendDaysDefault} by default.`,
    }),
  ),
  projectId: Type.Optional(idGiven),
  tool: Type.Optional(
    text(1, limits.toolNameLengthMax, {
      description:
        'Only findings of the tool or agent with this name, whose case does not matter. Needs a `projectId`.',
    }),
  ),
});
export type TrendsQuery = Static<typeof TrendsQuery>;

export const TrendDay = closed(
  {
    date: Type.String({ format: 'date', description: 'A day in UTC.' }),
    open: SeverityCounts,
    opened: count,
    fixed: count,
    setAside: count,
  },
  { title: 'TrendDay' },
);
export type TrendDay = Static<typeof TrendDay>;

const seconds = Type.Union([Type.Number({ minimum: 0 }), Type.Null()]);
export const TimeToFix = closed(
  { median: seconds, p90: seconds, n: count },
  { title: 'TimeToFix', description: 'In seconds; null while nothing of this severity was fixed.' },
);
export type TimeToFix = Static<typeof TimeToFix>;

const perSeverity = Object.fromEntries(severities.map((severity) => [severity, TimeToFix])) as Record<
  Severity,
  typeof TimeToFix
>;

export const OldestFinding = closed(
  {
    projectId: recordId('prj'),
    reportId: recordId('rep'),
    findingId: FindingId,
    findingKey: FindingKey,
    severity: Severity,
    firstSeenAt: timestamp,
  },
  { title: 'OldestFinding' },
);
export type OldestFinding = Static<typeof OldestFinding>;

export const WorkspaceTrends = closed(
  {
    days: Type.Array(TrendDay, {
      description:
        'Oldest first. The state at the end of each day, and for today the current state; zeros before the first report.',
    }),
    timeToFix: closed(perSeverity),
    oldestOpen: Type.Array(OldestFinding, { maxItems: limits.oldestOpenListedMax }),
  },
  { title: 'WorkspaceTrends' },
);
export type WorkspaceTrends = Static<typeof WorkspaceTrends>;

const { overview: bounds } = limits;

export const ToolScan = closed(
  {
    tool: Type.String({ description: 'The name of a tool or of an agent.' }),
    reportId: recordId('rep'),
    finalizedAt: timestamp,
    firstCountedOn: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description:
        'The UTC day on which findings of the tool were first counted; null if there were none, or if the counts of the project begin on that day.',
    }),
  },
  { title: 'ToolScan', description: 'The newest report of a tool.' },
);
export type ToolScan = Static<typeof ToolScan>;

export const MissingTool = closed(
  {
    tool: Type.String({ description: 'The name of the tool.' }),
    reportId: recordId('rep'),
    finalizedAt: timestamp,
  },
  { title: 'MissingTool', description: 'A tool without results, and the newest report that says so.' },
);
export type MissingTool = Static<typeof MissingTool>;

export const StoppedScan = closed(
  {
    reportId: recordId('rep'),
    projectId: recordId('prj'),
    outcome: Type.Enum([...stoppedScanOutcomes], {
      description: `\`silent\`: no progress event for ${limits.scanSilenceMs / MINUTE_MS} minutes.`,
    }),
    lastEventAt: Type.String({
      format: 'date-time',
      description: 'When the newest progress event occurred; when the report was created if it has none.',
    }),
  },
  { title: 'StoppedScan', description: 'A scan that probably ended without a report.' },
);
export type StoppedScan = Static<typeof StoppedScan>;

export const WorkspaceOverview = closed(
  {
    projects: Type.Array(
      closed({
        projectId: recordId('prj'),
        openByWeek: Type.Array(count, {
          minItems: bounds.weeks,
          maxItems: bounds.weeks,
          description: `The number of open findings in each week, from ${bounds.weeks - 1} weeks ago up to now.`,
        }),
        lastScans: Type.Array(ToolScan, {
          maxItems: bounds.toolsListedMax,
          description: 'The last scan of each tool in the newest reports, newest first.',
        }),
        missingTools: Type.Array(MissingTool, {
          maxItems: bounds.toolsListedMax,
          description:
            'Tools that failed or did not run although they were asked for, and have no results since; newest first.',
        }),
      }),
    ),
    stoppedScans: Type.Array(StoppedScan, {
      maxItems: limits.reportsListedMax,
      description: 'Live reports whose scan failed, was cancelled or fell silent, newest first.',
    }),
    newSevere: closed(
      {
        critical: count,
        high: count,
        findings: Type.Array(WorkspaceFinding, { maxItems: bounds.listedMax }),
      },
      {
        description: `Critical and high findings that are open and were first seen in the last ${bounds.newDays} days; listed by severity, then newest first.`,
      },
    ),
    lapsing: closed(
      { total: count, findings: Type.Array(WorkspaceFinding, { maxItems: bounds.listedMax }) },
      {
        description: `Accepted risks that will be open again within ${bounds.lapsingDays} days; the ones that lapse first are listed.`,
      },
    ),
  },
  { title: 'WorkspaceOverview' },
);
export type WorkspaceOverview = Static<typeof WorkspaceOverview>;
