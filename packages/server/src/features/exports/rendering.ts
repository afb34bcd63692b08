/**
 * From the bytes of a report to those of an answer, through the projection. Everything that a viewer gets comes this way, so
 * that no format can tell more than another. Runs where it is called; renderer.ts decides where that is.
 */
import type { ExportFormat, ReportProjection, SharePolicy } from '@svc/contract';
import {
  amendedReport,
  filteredReport,
  listedUnder,
  projectReport,
  wholeProjection,
  type Amendments,
  type CanonicalReport,
} from '@svc/report';
import { contentTypes, fileNameOf } from '@svc/report/render/file-name';
import { jsonParts } from '@svc/report/render/json-parts';
import { bytesOfParts } from './bytes-of-parts.ts';
import { pseudonymsUnder } from './pseudonyms.ts';

/**
 * What is made of a report: a file; the projection or one finding of it, for a JSON answer; its first screen, for a page;
 * or the report filtered under a policy, from which all of these are made when a share is read.
 */
export type RenderingForm = ExportFormat | 'data' | 'finding' | 'firstScreen' | 'filtered';

export interface Projecting {
  readonly reportId: string;
  readonly projectedFor: ReportProjection['projectedFor'];
  /** Null for owners and members, who read the whole report. */
  readonly sharing: Sharing | null;
}

/** The terms of a share. They are not changed once they are made. */
export interface Sharing {
  readonly policy: SharePolicy;
  readonly projectNames: readonly string[];
  /** Of the share, for the fingerprints that it tells. */
  readonly fingerprintKey: Uint8Array;
}

export interface RenderingTask {
  /** The report as it was uploaded, or a FilteredText. */
  readonly bytes: Uint8Array;
  readonly isFiltered?: boolean;
  /** Of a filtered report: the triage decisions alone. */
  readonly amendments: Amendments;
  readonly projecting: Projecting;
  readonly form: RenderingForm;
  readonly profile?: 'github' | undefined;
  /** For the form `finding`, whose text is `null` when there is none of that id. */
  readonly findingId?: string | undefined;
  /** For owners and members only. */
  readonly reportUrl?: string | undefined;
  readonly newFindingIds?: readonly string[] | undefined;
  /** Of what is rendered; unbounded when absent. */
  readonly renderedBytesMax?: number | undefined;
}

export interface Rendering {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Of a file. */
  readonly fileName?: string;
}

/** A report filtered under a policy, with what earlier reports decided of the findings that it lists. */
interface FilteredText {
  readonly report: CanonicalReport;
  readonly amendments: Amendments;
}

/** @throws TooManyBytes when there are more than the task allows. */
export async function render(task: RenderingTask): Promise<Rendering> {
  const { form } = task;
  if (form === 'filtered') return { bytes: filteredBytes(task), contentType: contentTypes.json };
  const projection = projectionOf(task);
  const bytes = bytesOfParts(await partsOf(projection, task), task.renderedBytesMax);
  if (form === 'data' || form === 'finding' || form === 'firstScreen')
    return { bytes, contentType: contentTypes.json };
  return { bytes, contentType: contentTypes[form], fileName: fileNameOf(projection, form) };
}

function parsed({ bytes }: RenderingTask): unknown {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}

function filteredBytes(task: RenderingTask): Uint8Array {
  const { policy } = task.projecting.sharing ?? {};
  if (!policy) throw new TypeError('A report is filtered under a policy.');
  const uploaded = parsed(task) as CanonicalReport;
  const isListed = listedUnder(policy);
  const amendments = Object.fromEntries(
    uploaded.findings.filter(isListed).flatMap(({ id }) => {
      const amendment = Object.hasOwn(task.amendments, id) ? task.amendments[id] : undefined;
      return amendment ? [[id, amendment]] : [];
    }),
  );
  const filtered: FilteredText = { report: filteredReport(uploaded, policy), amendments };
  return bytesOfParts([JSON.stringify(filtered)]);
}

function amended(task: RenderingTask): CanonicalReport {
  if (!task.isFiltered) return amendedReport(parsed(task) as CanonicalReport, task.amendments);
  const { report, amendments } = parsed(task) as FilteredText;
  const decided = Object.entries(task.amendments).map(([id, { moves }]) => [
    id,
    { ...(Object.hasOwn(amendments, id) ? amendments[id] : undefined), moves },
  ]);
  return amendedReport(report, { ...amendments, ...(Object.fromEntries(decided) as Amendments) });
}

function projectionOf(task: RenderingTask): ReportProjection {
  const { projecting } = task;
  const report = amended(task);
  const { sharing } = projecting;
  if (!sharing) return wholeProjection(report, projecting);
  const { policy, projectNames, fingerprintKey } = sharing;
  return projectReport(report, projecting, {
    policy,
    projectNames,
    pseudonymOf: pseudonymsUnder(fingerprintKey),
  });
}

/** Each renderer is loaded when it is first needed. */
async function partsOf(projection: ReportProjection, task: RenderingTask): Promise<Iterable<string>> {
  const { form, profile, findingId, reportUrl, newFindingIds } = task;
  const context = {
    ...(reportUrl === undefined ? {} : { reportUrl }),
    ...(newFindingIds === undefined ? {} : { baseline: { newFindingIds: new Set(newFindingIds) } }),
  };
  switch (form) {
    case 'data':
      return jsonParts(projection);
    case 'finding':
      return [JSON.stringify(projection.findings?.find(({ id }) => id === findingId) ?? null)];
    case 'firstScreen':
      return [(await import('@svc/report/render/first-screen')).renderFirstScreen(projection)];
    case 'filtered':
      throw new TypeError('A filtered report is no projection.');
    case 'json':
      return [(await import('@svc/report/render/json')).renderJson(projection)];
    case 'markdown':
      return [(await import('@svc/report/render/markdown')).renderMarkdown(projection, context)];
    case 'html':
      return (await import('@svc/report/render/html')).htmlParts(projection, context);
    case 'sarif':
      return (await import('@svc/report/render/sarif')).sarifParts(projection, {
        ...context,
        ...(profile === undefined ? {} : { profile }),
      });
  }
}
