/**
 * What a viewer gets of a finalized report, as bytes. The caller has checked the permission. A cached rendering is
 * shared only by requests that agree in all that can change it. That is the report with its triage decisions, the
 * policy with its share and cover, the viewer's kind and name, and the form.
 */
import { hash } from 'node:crypto';
import type { ShareCover, SharePolicy } from '@svc/contract';
import type { FindingOverlays } from '@svc/report';
import { contentTypes } from '@svc/report/render/file-name';
import type { PreparedProjection } from '#features/projections';
import type { ReportRow } from '#features/reports';
import type { Bus } from '#platform/bus/bus';
import type { Clock } from '#platform/clock';
import type { RenderingBudgets } from '#platform/resource-budgets';
import type { Telemetry } from '#platform/telemetry/telemetry';
import type { Prepared } from '#prepared';
import { createFailedRenderings } from './failed-renderings.ts';
import { createRenderer } from './renderer.ts';
import type { RenderingSubjects } from './rendering-budgets.ts';
import { createRenderingCache } from './rendering-cache.ts';
import type { ProjectionInput, Rendering, RenderingForm, ShareInput } from './rendering.ts';

export type RenderedReport = Pick<
  ReportRow,
  'id' | 'ownerId' | 'projectId' | 'wrappedKey' | 'uploadId' | 'overlayVersion'
>;

export interface RenderingRequest {
  readonly report: RenderedReport;
  readonly projectionInput: ProjectionInput;
  /**
   * The prepared projection of the share's policy. Rendering it gives the same result as rendering the whole report.
   */
  readonly prepared?: PreparedProjection | null | undefined;
  readonly form: RenderingForm;
  readonly profile?: 'github' | undefined;
  /** The cover of a share, with its message not redacted yet. */
  readonly cover?: ShareCover | null | undefined;
  readonly by: Requester;
  /** For owners and members: the URL of the report, and the previous report of the project. */
  readonly own?: { readonly reportUrl: string; readonly baseline: Baseline | null } | undefined;
}

export interface EnclosedRequest extends RenderingRequest {
  readonly form: keyof typeof enclosedTypes;
}

/** The content type of a whole response, of which the rendering is a part. */
const enclosedTypes = { data: contentTypes.json, firstScreen: contentTypes.html } as const;

/** Whose budgets a rendering counts against, besides the budget of the report's owner. */
export type Requester = Pick<RenderingSubjects, 'network' | 'shareId'>;

export interface Baseline {
  readonly reportId: string;
  /** Called only when a rendering needs these ids. */
  readonly newFindingIds: () => Promise<readonly string[]>;
}

/** What surrounds a projection: JSON in a JSON response, the document around the first screen of a page. */
export interface Envelope {
  readonly before: string;
  readonly after: string;
}

export interface RenderingsPorts {
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly reportBytesMax: number;
  readonly renderingBudgets: RenderingBudgets;
  /** Overrides the renderer's limit in tests. */
  readonly exportBytesMax?: number | undefined;
  readonly renderingWorkMsMax?: number | undefined;
  /**
   * The size of the report as uploaded.
   * @throws AppError REPORT_EXPIRED when the report has expired since the row was read.
   */
  readonly sizeOf: (report: Pick<RenderedReport, 'uploadId'>) => Promise<number>;
  /** @throws AppError REPORT_EXPIRED as above. */
  readonly readBytes: (report: Pick<RenderedReport, 'id' | 'wrappedKey' | 'uploadId'>) => Promise<Uint8Array>;
  readonly overlaysOf: (reportId: string) => Promise<FindingOverlays>;
  /** Null when the blob of the projection was deleted. */
  readonly readPrepared: (report: RenderedReport, prepared: PreparedProjection) => Promise<Uint8Array | null>;
  /** The triage decisions that a prepared projection shows. Null when they were deleted with its blob. */
  readonly decisionsOf: (prepared: PreparedProjection) => Promise<FindingOverlays | null>;
}

export interface Renderings {
  /**
   * @throws AppError REPORT_EXPIRED when the report has expired since the row was read; RATE_LIMITED when a budget is
   * exceeded or the file takes too long; CONFLICT when the file is too large.
   */
  file(request: RenderingRequest): Promise<Prepared>;
  /** A JSON response with the projection, or the document of a page with the first screen of the report. */
  enclosed(request: EnclosedRequest, envelope: Envelope): Promise<Prepared>;
  /** A JSON response that is not cached, because it is not requested again. */
  answerOnce(request: Omit<RenderingRequest, 'form'>, envelope: Envelope): Promise<Prepared>;
  /**
   * The report filtered under a policy, for a prepared projection. Not cached.
   * @throws AppError as above.
   */
  filtered(
    report: Omit<RenderedReport, 'projectId' | 'overlayVersion'>,
    policy: SharePolicy,
    overlays: FindingOverlays,
  ): Promise<Uint8Array>;
  /** The size of all cached renderings. */
  keptBytes(): number;
  close(): Promise<void>;
}

export function createRenderings(ports: RenderingsPorts): Renderings {
  const cache = createRenderingCache(ports.bus);
  const renderer = createRenderer({
    reportBytesMax: ports.reportBytesMax,
    budgets: ports.renderingBudgets,
    exportBytesMax: ports.exportBytesMax,
    workMsMax: ports.renderingWorkMsMax,
    telemetry: ports.telemetry,
  });
  const failed = createFailedRenderings(ports.clock);

  async function rendered(request: RenderingRequest): Promise<Rendering> {
    const { report, projectionInput, prepared, form, profile, own, by, cover } = request;
    const wanted = { ...by, ownerId: report.ownerId, form };
    if (prepared) {
      try {
        return await renderer.render({ ...wanted, sizeBytes: prepared.sizeBytes }, async () => {
          const bytes = await ports.readPrepared(report, prepared);
          const overlays = bytes && (await ports.decisionsOf(prepared));
          if (!overlays) throw new BlobGoneError();
          return { bytes, isFiltered: true, overlays, projectionInput, form, profile, cover };
        });
      } catch (error) {
        // The projection was just replaced or deleted, or its blob was lost. Rendering the whole report gives the same
        // bytes.
        if (!(error instanceof BlobGoneError)) throw error;
      }
    }
    return renderer.render({ ...wanted, sizeBytes: await ports.sizeOf(report) }, async () => ({
      bytes: await ports.readBytes(report),
      overlays: report.overlayVersion === 0 ? {} : await ports.overlaysOf(report.id),
      projectionInput,
      form,
      profile,
      cover,
      reportUrl: own?.reportUrl,
      newFindingIds: await own?.baseline?.newFindingIds(),
    }));
  }

  return {
    file: (request) => {
      const key = keyOf(request);
      return failed.unlessFailed(key, () => cache.find(request.report.id, key, () => rendered(request)));
    },
    async enclosed(request, envelope) {
      const { id } = request.report;
      const key = keyOf(request);
      return cache.find(id, `${key}\0${keyOfEnvelope(envelope)}`, async () => {
        const part = await cache.find(id, key, () => rendered(request));
        const bytes = joined(envelope, await part.bytesIn('identity'));
        return { bytes, contentType: enclosedTypes[request.form] };
      });
    },
    async answerOnce(request, envelope) {
      const { bytes: projection, contentType } = await rendered({ ...request, form: 'data' });
      const bytes = joined(envelope, projection);
      return { contentType, codings: ['identity'], bytesIn: async () => bytes };
    },
    async filtered(report, policy, overlays) {
      const wanted = {
        ownerId: report.ownerId,
        shareId: null,
        network: null,
        sizeBytes: await ports.sizeOf(report),
        form: 'filtered',
      } as const;
      const share = { policy, projectNames: [], fingerprintKey: new Uint8Array(0) };
      const projectionInput = {
        reportId: report.id,
        projectedFor: { principalType: 'user' as const },
        share,
      };
      const { bytes } = await renderer.render(wanted, async () => ({
        bytes: await ports.readBytes(report),
        overlays,
        projectionInput,
        form: 'filtered',
      }));
      return bytes;
    },
    keptBytes: () => cache.keptBytes(),
    async close() {
      cache.close();
      await renderer.close();
    },
  };
}

const ENVELOPE_KEY_LENGTH_MAX = 2000;

function joined({ before, after }: Envelope, projection: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(before), projection, Buffer.from(after)]);
}

/** A long envelope, such as one with many decisions, is represented by its digest. */
function keyOfEnvelope({ before, after }: Envelope): string {
  const text = `${before}\0${after}`;
  return text.length <= ENVELOPE_KEY_LENGTH_MAX ? text : hash('sha256', text, 'base64url');
}

class BlobGoneError extends Error {
  override readonly name = 'BlobGoneError';
}

/** With a prepared projection, the key does not depend on anything that the share hides. */
function keyOf({ report, projectionInput, prepared, form, profile, own, cover }: RenderingRequest): string {
  const { projectedFor, share } = projectionInput;
  return JSON.stringify([
    report.id,
    ...(prepared ? [prepared.blobName, prepared.version] : [report.uploadId, report.overlayVersion]),
    projectedFor.principalType,
    projectedFor.label ?? null,
    share && (digests.get(share) ?? digestOf(share)),
    form,
    profile ?? null,
    own ? [own.reportUrl, own.baseline?.reportId ?? null] : null,
    cover ? [cover.message, cover.sender, cover.expiresAt] : null,
  ]);
}

/** A cached share keeps its input, so its digest is computed once. */
const digests = new WeakMap<ShareInput, string>();

function digestOf(share: ShareInput): string {
  const { policy, projectNames, fingerprintKey } = share;
  const parts = [policy, projectNames, Buffer.from(fingerprintKey).toString('base64')];
  const digest = hash('sha256', JSON.stringify(parts), 'base64url');
  digests.set(share, digest);
  return digest;
}
