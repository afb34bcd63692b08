/**
 * Turns the bytes of a report into those of a response, through the projection. Every response to a viewer is rendered
 * here, so that no format reveals more than another. The code runs in the calling thread, which renderer.ts chooses.
 */
import type { ExportFormat, ReportProjection, ShareCover, SharePolicy } from '@svc/contract';
import {
  overlaidReport,
  projectMessage,
  filteredReport,
  listedUnder,
  projectReport,
  wholeProjection,
  withoutLapses,
  type FindingOverlays,
  type CanonicalReport,
} from '@svc/report';
import { contentTypes, fileNameOf } from '@svc/report/render/file-name';
import { jsonParts } from '@svc/report/render/json-parts';
import { bytesOfParts } from './bytes-of-parts.ts';
import { pseudonymsUnder } from './pseudonyms.ts';

/**
 * What is rendered: a file; the projection, for a JSON response; the first screen, for a page; or the report filtered
 * under a policy. When a share is read, files, projection and first screen are rendered from the filtered report.
 */
export type RenderingForm = ExportFormat | 'data' | 'firstScreen' | 'filtered';

/** What a projection depends on besides the report. */
export interface ProjectionInput<Share extends ShareInput | null = ShareInput | null> {
  readonly reportId: string;
  readonly projectedFor: ReportProjection['projectedFor'];
  /** Null for owners, members and support, who read the whole report. */
  readonly share: Share;
  /** A support read does not show which decisions have lapsed. */
  readonly isSupport?: true;
}

/** Immutable, so it is compared by identity. */
export interface ShareInput {
  readonly policy: SharePolicy;
  /** Every name that the service has for the project. */
  readonly projectNames: readonly string[];
  /** The share's key, under which its fingerprints are digested. */
  readonly fingerprintKey: Uint8Array;
}

export interface RenderingTask {
  /** The report as uploaded, or a FilteredText. */
  readonly bytes: Uint8Array;
  readonly isFiltered?: boolean;
  /** The overlays; for a filtered report only the triage decisions. */
  readonly overlays: FindingOverlays;
  readonly projectionInput: ProjectionInput;
  readonly form: RenderingForm;
  readonly profile?: 'github' | undefined;
  /** For `data`, `firstScreen` and `html` of a share. The cover's message is redacted here. */
  readonly cover?: ShareCover | null | undefined;
  /** The URL, for owners and members only. */
  readonly reportUrl?: string | undefined;
  readonly newFindingIds?: readonly string[] | undefined;
  /** The limit of rendered bytes; unbounded when absent. */
  readonly renderedBytesMax?: number | undefined;
}

export interface Rendering {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** The name of a file. */
  readonly fileName?: string;
}

/** A rendering with the time that it took, measured in the thread that rendered it. */
export interface TimedRendering extends Rendering {
  readonly spent: { readonly projectionMs: number; readonly renderingMs: number };
}

/** A report filtered under a policy, with the decisions of earlier reports about the findings that it lists. */
interface FilteredText {
  readonly report: CanonicalReport;
  readonly overlays: FindingOverlays;
}

/** @throws TooManyBytes when the rendering exceeds the task's limit. */
export async function render(task: RenderingTask): Promise<TimedRendering> {
  const { form } = task;
  const began = performance.now();
  if (form === 'filtered') {
    const filtered = filteredBytes(task);
    const spent = { projectionMs: performance.now() - began, renderingMs: 0 };
    return { bytes: filtered, contentType: contentTypes.json, spent };
  }
  const { projection, cover } = projectionOf(task);
  const projected = performance.now();
  const bytes = bytesOfParts(await partsOf(projection, cover, task), task.renderedBytesMax);
  const spent = { projectionMs: projected - began, renderingMs: performance.now() - projected };
  if (form === 'data' || form === 'firstScreen') return { bytes, contentType: contentTypes.json, spent };
  return { bytes, contentType: contentTypes[form], fileName: fileNameOf(projection, form), spent };
}

function parsed({ bytes }: RenderingTask): unknown {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}

function filteredBytes(task: RenderingTask): Uint8Array {
  const { policy } = task.projectionInput.share ?? {};
  if (!policy) throw new TypeError('Filtering a report needs a policy.');
  const uploaded = parsed(task) as CanonicalReport;
  const isListed = listedUnder(policy);
  const overlays = Object.fromEntries(
    uploaded.findings.filter(isListed).flatMap(({ id }) => {
      const overlay = Object.hasOwn(task.overlays, id) ? task.overlays[id] : undefined;
      return overlay ? [[id, overlay]] : [];
    }),
  );
  const filtered: FilteredText = { report: filteredReport(uploaded, policy), overlays };
  return bytesOfParts([JSON.stringify(filtered)]);
}

interface Projected {
  readonly projection: ReportProjection;
  readonly cover: ShareCover | null;
}

function projectionOf(task: RenderingTask): Projected {
  const { projectionInput } = task;
  const { share } = projectionInput;
  let report: CanonicalReport;
  if (task.isFiltered) {
    const filtered = parsed(task) as FilteredText;
    const decided = Object.entries(task.overlays).map(([id, { moves }]) => [
      id,
      { ...(Object.hasOwn(filtered.overlays, id) ? filtered.overlays[id] : undefined), moves },
    ]);
    const overlays = { ...filtered.overlays, ...(Object.fromEntries(decided) as FindingOverlays) };
    report = overlaidReport(filtered.report, overlays);
  } else {
    const isOwn = share === null && !projectionInput.isSupport;
    const overlays = isOwn ? task.overlays : withoutLapses(task.overlays);
    report = overlaidReport(parsed(task) as CanonicalReport, overlays);
  }
  if (!share) return { projection: wholeProjection(report, projectionInput), cover: null };
  const { policy, projectNames, fingerprintKey } = share;
  const projection = projectReport(report, projectionInput, {
    policy,
    projectNames,
    pseudonymOf: pseudonymsUnder(fingerprintKey),
  });
  return { projection, cover: task.cover ? redactedCover(task.cover, report, share) : null };
}

function redactedCover(cover: ShareCover, report: CanonicalReport, share: ShareInput): ShareCover {
  const { message } = cover;
  return message === null ? cover : { ...cover, message: projectMessage(message, report, share) };
}

/** The rest of a JSON object after `"report":`, without the final brace: the report, and the member `share` if any. */
function* withCover(parts: Iterable<string>, cover: ShareCover | null): Generator<string> {
  yield* parts;
  if (cover) yield `,"share":${JSON.stringify(cover)}`;
}

/** Each renderer is loaded when it is first needed. */
async function partsOf(
  projection: ReportProjection,
  cover: ShareCover | null,
  task: RenderingTask,
): Promise<Iterable<string>> {
  const { form, profile, reportUrl, newFindingIds } = task;
  const context = {
    ...(reportUrl === undefined ? {} : { reportUrl }),
    ...(cover === null ? {} : { cover }),
    ...(newFindingIds === undefined ? {} : { baseline: { newFindingIds: new Set(newFindingIds) } }),
  };
  switch (form) {
    case 'data':
      return withCover(jsonParts(projection), cover);
    case 'firstScreen': {
      const { inertText, renderFirstScreen } = await import('@svc/report/render/first-screen');
      return [renderFirstScreen(projection), inertText([...withCover([], cover)].join(''))];
    }
    case 'filtered':
      throw new TypeError('This form is not made from a projection.');
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
