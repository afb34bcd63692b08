/**
 * What viewers get through links. Checks come in one order, which tells nobody more than they may know: whether there is
 * such a link for them, its password, whether they have signed in, and only then what has become of the report.
 */
import type { SharedReport } from '@svc/contract';
import { liveProjection } from '@svc/report';
import { renderFirstScreen } from '@svc/report/render/first-screen';
import { AppError } from '#app-error';
import {
  refuseLive,
  type Envelope,
  type ExportRecorder,
  type Renderings,
  type WantedFile,
} from '#features/exports';
import type { PreparedProjection, ProjectionsService } from '#features/projections';
import { refuseExpired } from '#features/reports';
import type { Clock } from '#platform/clock';
import { preparedText, type Prepared } from '#prepared';
import type { FoundLink, FoundLinks } from './found-link.ts';
import type { SharePasswords } from './passwords.ts';
import type { SharedProjecting } from './projecting.ts';
import type { ViewCounts } from './view-counts.ts';

export interface Visit {
  readonly slug: string;
  /** Null for somebody who is not signed in. */
  readonly viewerId: string | null;
  readonly password: Uint8Array | undefined;
}

export interface OpenService {
  /**
   * A SharedReport.
   * @param isView whether it counts.
   * @throws AppError SHARE_NOT_AVAILABLE, SHARE_PASSWORD_REQUIRED, UNAUTHENTICATED, REPORT_EXPIRED; RATE_LIMITED.
   */
  read(visit: Visit, isView: boolean): Promise<Prepared>;
  /**
   * The document of a page with the first screen in it, which counts as no view.
   * @param around what stands around it, for that viewer.
   * @throws AppError as `read` does.
   */
  page(visit: Visit, around: (viewer: SharedReport['viewer']) => Envelope): Promise<Prepared>;
  /** @throws AppError as `read` does, and CONFLICT while the report is live. */
  export(visit: Visit, wanted: WantedFile): Promise<Prepared>;
}

export interface OpenPorts {
  readonly clock: Clock;
  readonly recordExport: ExportRecorder;
  readonly renderings: Pick<Renderings, 'answer' | 'file' | 'page'>;
  readonly projections: Pick<ProjectionsService, 'require'>;
}

/** A link that was opened, and on what terms. */
interface Opened {
  readonly report: FoundLink['report'];
  readonly shareId: string;
  readonly projecting: SharedProjecting;
  /** Null where the whole report is rendered. */
  readonly prepared: PreparedProjection | null;
  readonly viewerLabel: string;
}

export function createOpenService(
  { clock, renderings, recordExport, projections }: OpenPorts,
  links: FoundLinks,
  passwords: SharePasswords,
  views: Pick<ViewCounts, 'add'>,
): OpenService {
  async function open({ slug, viewerId, password }: Visit): Promise<Opened> {
    const opening = await links.find(slug, viewerId);
    if (!opening) throw new AppError('SHARE_NOT_AVAILABLE');
    const { link, access } = opening;
    await passwords.require(link, password);
    if (access.outcome === 'signInNeeded') throw new AppError('UNAUTHENTICATED');
    refuseExpired(link.report, clock.now());
    const projecting = opening.projecting();
    if (!projecting) throw new AppError('REPORT_EXPIRED');
    const { report } = link;
    const found = report.state === 'finalized' ? opening.projection : null;
    const prepared = found && (await projections.require(found.key, found.row));
    return { report, shareId: link.id, projecting, prepared, viewerLabel: access.viewerLabel };
  }

  return {
    async read(visit, isView) {
      const { report, shareId, projecting, prepared, viewerLabel } = await open(visit);
      const before = '{"report":';
      const after = `,"viewer":${JSON.stringify({ label: viewerLabel })}}`;
      const answer =
        report.state === 'live'
          ? preparedText(
              `${before}${JSON.stringify(liveProjection(projecting, projecting.sharing.policy))}${after}`,
            )
          : await renderings.answer({ report, projecting, prepared }, { before, after });
      if (isView) views.add(shareId);
      return answer;
    },

    async page(visit, around) {
      const { report, projecting, prepared, viewerLabel } = await open(visit);
      const envelope = around({ label: viewerLabel });
      if (report.state !== 'live') return renderings.page({ report, projecting, prepared }, envelope);
      const { before, after } = envelope;
      const nothingYet = renderFirstScreen(liveProjection(projecting, projecting.sharing.policy));
      return preparedText([before, nothingYet, after].join(''), 'text/html; charset=utf-8');
    },

    async export(visit, wanted) {
      const { report, shareId, projecting, prepared } = await open(visit);
      refuseLive(report);
      const { format, profile } = wanted;
      const file = await renderings.file({
        report,
        projecting,
        prepared,
        form: format,
        profile: format === 'sarif' ? profile : undefined,
      });
      await recordExport(report, wanted, { actorId: visit.viewerId, shareId });
      return file;
    },
  };
}
