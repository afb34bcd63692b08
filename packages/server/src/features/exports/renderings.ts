/**
 * What a viewer gets of a finalized report, as bytes. The caller has decided that they may have it; this decides nothing,
 * but keeps apart whatever could differ between two viewers: the report's contents and what was amended since, the
 * policy with the share it belongs to, the viewer's kind and name, and the form.
 */
import { hash } from 'node:crypto';
import type { ProjectedFinding, SharePolicy } from '@svc/contract';
import type { Amendments } from '@svc/report';
import { contentTypes } from '@svc/report/render/file-name';
import type { PreparedProjection } from '#features/projections';
import type { ReportRow } from '#features/reports';
import type { Bus } from '#platform/bus/bus';
import type { Clock } from '#platform/clock';
import type { RenderingBudgets } from '#platform/resource-budgets';
import type { Prepared } from '#prepared';
import { createFailedRenderings } from './failed-renderings.ts';
import { createRenderer } from './renderer.ts';
import type { RenderingSubjects } from './rendering-budgets.ts';
import { createRenderingCache } from './rendering-cache.ts';
import type { Projecting, Rendering, RenderingForm, Sharing } from './rendering.ts';

export type RenderedReport = Pick<
  ReportRow,
  'id' | 'ownerId' | 'projectId' | 'wrappedKey' | 'uploadId' | 'amendments'
>;

export interface RenderingRequest {
  readonly report: RenderedReport;
  readonly projecting: Projecting;
  /** Of the share's policy: it is rendered instead of the whole report, with the same result. */
  readonly prepared?: PreparedProjection | null | undefined;
  readonly form: RenderingForm;
  readonly profile?: 'github' | undefined;
  readonly by: Requester;
  /** For owners and members: where the report is read, and the project's report before it. */
  readonly own?: { readonly reportUrl: string; readonly baseline: Baseline | null } | undefined;
}

/** Whose budgets a rendering counts against, besides those of the report's owner. */
export type Requester = Pick<RenderingSubjects, 'network' | 'shareId'>;

export interface Baseline {
  readonly reportId: string;
  /** Asked for only when something is made of them. */
  readonly newFindingIds: () => Promise<readonly string[]>;
}

/** What stands around a projection: in a JSON answer JSON, around the first screen of a page its document. */
export interface Envelope {
  readonly before: string;
  readonly after: string;
}

export interface RenderingsPorts {
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly clock: Clock;
  readonly reportBytesMax: number;
  readonly renderingBudgets: RenderingBudgets;
  /** For tests; the defaults are those of the renderer. */
  readonly exportBytesMax?: number | undefined;
  readonly renderingWorkMsMax?: number | undefined;
  /** Of the report as it was uploaded. @throws AppError REPORT_EXPIRED when it expired since the row was read. */
  readonly sizeOf: (report: Pick<RenderedReport, 'uploadId'>) => Promise<number>;
  /** @throws AppError REPORT_EXPIRED as above. */
  readonly readBytes: (report: Pick<RenderedReport, 'id' | 'wrappedKey' | 'uploadId'>) => Promise<Uint8Array>;
  readonly amendmentsOf: (reportId: string) => Promise<Amendments>;
  /** Null when its blob is gone. */
  readonly readPrepared: (report: RenderedReport, prepared: PreparedProjection) => Promise<Uint8Array | null>;
  /** The triage decisions that a prepared projection shows. Null when they are gone with its blob. */
  readonly decisionsOf: (prepared: PreparedProjection) => Promise<Amendments | null>;
}

export interface Renderings {
  /**
   * @throws AppError REPORT_EXPIRED when it expired since the row was read; RATE_LIMITED when a budget is exceeded or the
   * file takes too long; CONFLICT when the file is too large.
   */
  file(request: RenderingRequest): Promise<Prepared>;
  /** A JSON answer around the projection. */
  answer(request: Omit<RenderingRequest, 'form'>, envelope: Envelope): Promise<Prepared>;
  /** The document of a page, around the first screen of the report. */
  page(request: Omit<RenderingRequest, 'form'>, envelope: Envelope): Promise<Prepared>;
  /** A JSON answer, for what is not asked for again: it is not kept. */
  answerOnce(request: Omit<RenderingRequest, 'form'>, envelope: Envelope): Promise<Prepared>;
  /**
   * One finding as it was uploaded, for the report's own people; null when there is none of that id. Not kept.
   * @throws AppError as above.
   */
  finding(
    report: RenderedReport,
    projecting: Projecting,
    findingId: string,
  ): Promise<ProjectedFinding | null>;
  /**
   * The report filtered under a policy, as it is prepared. Not kept.
   * @throws AppError as above.
   */
  filtered(
    report: Omit<RenderedReport, 'projectId' | 'amendments'>,
    policy: SharePolicy,
    amendments: Amendments,
  ): Promise<Uint8Array>;
  /** Of all that is kept ready. */
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
  });
  const failed = createFailedRenderings(ports.clock);

  /** Where a blob is gone the share has just ended, or the file was lost: the whole report gives the same. */
  async function rendered(request: RenderingRequest): Promise<Rendering> {
    const { prepared } = request;
    return (prepared && (await renderedFrom(prepared, request))) ?? renderedWhole(request);
  }

  async function renderedFrom(
    prepared: PreparedProjection,
    { report, projecting, form, profile, by }: RenderingRequest,
  ): Promise<Rendering | null> {
    const wanted = { ...by, ownerId: report.ownerId, sizeBytes: prepared.sizeBytes, form };
    try {
      return await renderer.render(wanted, async () => {
        const bytes = await ports.readPrepared(report, prepared);
        if (!bytes) throw new BlobGoneError();
        const amendments = await ports.decisionsOf(prepared);
        if (!amendments) throw new BlobGoneError();
        return { bytes, isFiltered: true, amendments, projecting, form, profile };
      });
    } catch (error) {
      if (error instanceof BlobGoneError) return null;
      throw error;
    }
  }

  async function renderedWhole(request: RenderingRequest): Promise<Rendering> {
    const { report, projecting, form, profile, own, by } = request;
    const wanted = { ...by, ownerId: report.ownerId, sizeBytes: await ports.sizeOf(report), form };
    return renderer.render(wanted, async () => ({
      bytes: await ports.readBytes(report),
      amendments: report.amendments === 0 ? {} : await ports.amendmentsOf(report.id),
      projecting,
      form,
      profile,
      reportUrl: own?.reportUrl,
      newFindingIds: await own?.baseline?.newFindingIds(),
    }));
  }

  /** @param contentType of the whole; what is rendered is a part of it. */
  async function around(
    request: RenderingRequest,
    { before, after }: Envelope,
    contentType: string,
  ): Promise<Prepared> {
    const { id } = request.report;
    const key = keyOf(request);
    return cache.find(id, `${key}\0${before}\0${after}`, async () => {
      const part = await cache.find(id, key, () => rendered(request));
      return { bytes: enclosed(await part.bytesIn('identity'), { before, after }), contentType };
    });
  }

  return {
    file: (request) => {
      const key = keyOf(request);
      return failed.unlessFailed(key, () => cache.find(request.report.id, key, () => rendered(request)));
    },
    answer: (request, envelope) => around({ ...request, form: 'data' }, envelope, contentTypes.json),
    page: (request, envelope) => around({ ...request, form: 'firstScreen' }, envelope, contentTypes.html),
    async answerOnce(request, envelope) {
      const { bytes: projection, contentType } = await rendered({ ...request, form: 'data' });
      const bytes = enclosed(projection, envelope);
      return { contentType, codings: ['identity'], bytesIn: async () => bytes };
    },
    async finding(report, projecting, findingId) {
      const wanted = {
        ownerId: report.ownerId,
        shareId: null,
        network: null,
        sizeBytes: await ports.sizeOf(report),
        form: 'finding',
      } as const;
      const { bytes } = await renderer.render(wanted, async () => ({
        bytes: await ports.readBytes(report),
        amendments: {},
        projecting,
        form: 'finding',
        findingId,
      }));
      return JSON.parse(Buffer.from(bytes).toString()) as ProjectedFinding | null;
    },
    async filtered(report, policy, amendments) {
      const wanted = {
        ownerId: report.ownerId,
        shareId: null,
        network: null,
        sizeBytes: await ports.sizeOf(report),
        form: 'filtered',
      } as const;
      const sharing = { policy, projectNames: [], fingerprintKey: new Uint8Array(0) };
      const projecting = { reportId: report.id, projectedFor: { principalType: 'user' as const }, sharing };
      const { bytes } = await renderer.render(wanted, async () => ({
        bytes: await ports.readBytes(report),
        amendments,
        projecting,
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

function enclosed(projection: Uint8Array, { before, after }: Envelope): Uint8Array {
  return Buffer.concat([Buffer.from(before), projection, Buffer.from(after)]);
}

class BlobGoneError extends Error {
  override readonly name = 'BlobGoneError';
}

/** Of a share, nothing in it changes with what the share hides. */
function keyOf({ report, projecting, prepared, form, profile, own }: RenderingRequest): string {
  const { projectedFor, sharing } = projecting;
  return JSON.stringify([
    report.id,
    ...(prepared ? [prepared.blobName, prepared.version] : [report.uploadId, report.amendments]),
    projectedFor.principalType,
    projectedFor.label ?? null,
    sharing && digestOf(sharing),
    form,
    profile ?? null,
    own ? [own.reportUrl, own.baseline?.reportId ?? null] : null,
  ]);
}

/** A link keeps its terms, so whoever comes again does not pay for their digest. */
const digests = new WeakMap<Sharing, string>();

function digestOf(sharing: Sharing): string {
  const known = digests.get(sharing);
  if (known !== undefined) return known;
  const { policy, projectNames, fingerprintKey } = sharing;
  const parts = [policy, projectNames, Buffer.from(fingerprintKey).toString('base64')];
  const digest = hash('sha256', JSON.stringify(parts), 'base64url');
  digests.set(sharing, digest);
  return digest;
}
