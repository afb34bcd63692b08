/** The parts of a run besides its results: the tool, when and on what it ran, and the rest of the report. */
import type { ReportProjection } from '@svc/contract';
import { gapSentence, incompleteTools } from '../reading/coverage.ts';
import type { Invocation, Notification, ReportingDescriptor, Run, ToolComponent } from 'sarif';
import manifest from '../../package.json' with { type: 'json' };
import { OWN_TOOL } from '../identity/own-names.ts';
import { absoluteUri, ROOT_ID } from './sarif-locations.ts';
import { plain } from './sarif-texts.ts';

export interface RunContext {
  /** The URL of the service. */
  readonly homeUri: string | undefined;
  /** Sentences on the limits of the results. */
  readonly notices: readonly string[];
}

export function runOf(
  projection: ReportProjection,
  rules: readonly ReportingDescriptor[],
  { homeUri, notices }: RunContext,
): Run {
  const { findings: _, ...rest } = projection;
  const extensions = extensionsOf(projection);
  const provenance = provenanceOf(projection);
  const invocation = invocationOf(projection, notices);
  return {
    tool: {
      driver: {
        name: OWN_TOOL,
        fullName: 'svc security report',
        semanticVersion: manifest.version,
        ...(homeUri !== undefined && { informationUri: homeUri }),
        rules: [...rules],
      },
      ...(extensions.length > 0 && { extensions }),
    },
    automationDetails: { id: `${OWN_TOOL}/${projection.id}` },
    ...(invocation && { invocations: [invocation] }),
    ...(provenance && { versionControlProvenance: [provenance] }),
    originalUriBaseIds: { [ROOT_ID]: { description: { text: 'The root of the repository.' } } },
    columnKind: 'utf16CodeUnits',
    properties: { ...rest },
  };
}

/** The scanners whose results the report contains, without duplicates. */
function extensionsOf({ scan }: ReportProjection): ToolComponent[] {
  const components = (scan?.tools ?? []).flatMap(({ name, version, findings }) => {
    if (name.trim() === '') return [];
    return [
      { name, ...(version && { version }), ...(findings !== undefined && { properties: { findings } }) },
    ];
  });
  return [...new Map(components.map((component) => [JSON.stringify(component), component])).values()];
}

function invocationOf(
  { scan, coverageAreas = [] }: ReportProjection,
  notices: readonly string[],
): Invocation | undefined {
  // Warns readers of these results that they may be incomplete; the import reads the areas themselves.
  const gaps = incompleteTools(coverageAreas).map((area): Notification => ({
    level: 'error',
    message: { text: plain(gapSentence(area)) },
    properties: { coverageArea: area.id },
  }));
  if (scan === undefined && notices.length === 0 && gaps.length === 0) return undefined;
  const notifications = [
    ...notices.map((text): Notification => ({ level: 'note', message: { text } })),
    ...gaps,
  ];
  return {
    executionSuccessful: true,
    ...timesOf(scan),
    ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
  };
}

/** The end is left out if it precedes the start. */
function timesOf(scan: ReportProjection['scan']): Partial<Invocation> {
  if (scan === undefined) return {};
  const start = new Date(scan.startedAt);
  const end = new Date(scan.finishedAt);
  return {
    startTimeUtc: start.toISOString(),
    ...(end >= start && { endTimeUtc: end.toISOString() }),
  };
}

function provenanceOf({ project, scan }: ReportProjection) {
  const repositoryUri = absoluteUri(project?.repositoryUrl ?? '');
  if (repositoryUri === undefined) return undefined;
  return {
    repositoryUri,
    ...(scan?.commit && { revisionId: scan.commit }),
    ...(scan?.branch && { branch: scan.branch }),
    mappedTo: { uriBaseId: ROOT_ID },
  };
}
