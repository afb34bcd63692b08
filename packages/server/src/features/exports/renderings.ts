/**
 * What a viewer gets of a finalized report, as bytes. The caller has decided that they may have it; this decides nothing,
 * but keeps apart whatever could differ between two viewers: the report's contents and what was amended since, the
 * policy with the share it belongs to, the viewer's kind and name, and the form.
 */
import { hash } from 'node:crypto';
import type { ProjectedFinding } from '@svc/contract';
import type { Amendments } from '@svc/report';
import { contentTypes } from '@svc/report/render/file-name';
import type { ReportRow } from '#features/reports';
import type { Bus } from '#platform/bus/bus';
import type { Prepared } from '#prepared';
import { createRenderer } from './renderer.ts';
import { createRenderingCache } from './rendering-cache.ts';
import type { Projecting, Rendering, RenderingForm, Sharing } from './rendering.ts';

export type RenderedReport = Pick<
  ReportRow,
  'id' | 'ownerId' | 'projectId' | 'wrappedKey' | 'uploadId' | 'amendments'
>;

export interface RenderingRequest {
  readonly report: RenderedReport;
  readonly projecting: Projecting;
  readonly form: RenderingForm;
  readonly profile?: 'github' | undefined;
  /** For owners and members: where the report is read, and the project's report before it. */
  readonly own?: { readonly reportUrl: string; readonly baseline: Baseline | null } | undefined;
}

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
  readonly reportBytesMax: number;
  /** Of the report as it was uploaded. @throws AppError REPORT_EXPIRED when it expired since the row was read. */
  readonly sizeOf: (report: RenderedReport) => Promise<number>;
  /** @throws AppError REPORT_EXPIRED as above. */
  readonly readBytes: (report: RenderedReport) => Promise<Uint8Array>;
  readonly amendmentsOf: (reportId: string) => Promise<Amendments>;
}

export interface Renderings {
  /**
   * @throws AppError REPORT_EXPIRED when it expired since the row was read; RATE_LIMITED when too many wait for renderings.
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
  /** Of all that is kept ready. */
  keptBytes(): number;
  close(): Promise<void>;
}

export function createRenderings(ports: RenderingsPorts): Renderings {
  const cache = createRenderingCache(ports.bus);
  const renderer = createRenderer(ports.reportBytesMax);

  async function rendered(request: RenderingRequest): Promise<Rendering> {
    const { report, projecting, form, profile, own } = request;
    const wanted = { ownerId: report.ownerId, sizeBytes: await ports.sizeOf(report), form };
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
    file: (request) => cache.find(request.report.id, keyOf(request), () => rendered(request)),
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

function keyOf({ report, projecting, form, profile, own }: RenderingRequest): string {
  const { projectedFor, sharing } = projecting;
  return JSON.stringify([
    report.id,
    report.uploadId,
    report.amendments,
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
