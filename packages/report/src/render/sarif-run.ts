/** What a run says besides its results: the tool, when and on what it ran, and the rest of the report. */
import type { ReportProjection } from '@svc/contract';
import type { Invocation, Notification, ReportingDescriptor, Run, ToolComponent } from 'sarif';
import manifest from '../../package.json' with { type: 'json' };
import { OWN_TOOL } from '../sarif-own.ts';
import { absoluteUri, ROOT_ID } from './sarif-places.ts';

export interface RunContext {
  /** Where the service is. */
  readonly homeUri: string | undefined;
  /** Sentences on what the results are not. */
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

/** The scanners whose results the report holds, each once. */
function extensionsOf({ scan }: ReportProjection): ToolComponent[] {
  const components = (scan?.tools ?? []).flatMap(({ name, version, findings }) => {
    if (name.trim() === '') return [];
    return [
      { name, ...(version && { version }), ...(findings !== undefined && { properties: { findings } }) },
    ];
  });
  return [...new Map(components.map((component) => [JSON.stringify(component), component])).values()];
}

function invocationOf({ scan }: ReportProjection, notices: readonly string[]): Invocation | undefined {
  if (scan === undefined && notices.length === 0) return undefined;
  const notifications = notices.map((text): Notification => ({ level: 'note', message: { text } }));
  return {
    executionSuccessful: true,
    ...timesOf(scan),
    ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
  };
}

/** The end is left out where it is said to be before the start. */
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
