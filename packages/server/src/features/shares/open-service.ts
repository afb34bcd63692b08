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
import { topics } from '#platform/bus/topics';
import type { Clock } from '#platform/clock';
import { answerChanged, preparedText, type Holding, type Prepared } from '#prepared';
import type { FoundLink, FoundLinks, Opening } from './found-link.ts';
import type { SharePasswords } from './passwords.ts';
import type { SharedProjecting } from './projecting.ts';
import type { ViewCounts } from './view-counts.ts';

export interface Visit {
  readonly slug: string;
  /** Null for somebody who is not signed in. */
  readonly viewerId: string | null;
  readonly password: Uint8Array | undefined;
  /** What budgets count as one network. */
  readonly network: string;
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
  readonly holding: Holding;
}

export function createOpenService(
  { clock, renderings, recordExport, projections }: OpenPorts,
  links: FoundLinks,
  passwords: SharePasswords,
  views: Pick<ViewCounts, 'add'>,
): OpenService {
  /** @throws AppError when the share does not open any more, or what it shows is not the same. */
  async function recheck({ slug, viewerId }: Visit, before: Opening): Promise<number> {
    const opening = await links.find(slug, viewerId);
    if (!opening) throw new AppError('SHARE_NOT_AVAILABLE');
    const { link, access } = opening;
    const { passwordHash } = link;
    if (passwordHash !== null && passwordHash !== before.link.passwordHash)
      throw new AppError('SHARE_PASSWORD_REQUIRED');
    if (access.outcome === 'signInNeeded') throw new AppError('UNAUTHENTICATED');
    refuseExpired(link.report, clock.now());
    if (JSON.stringify(access) !== JSON.stringify(before.access)) throw answerChanged();
    return endOf(link);
  }

  function heldBy(visit: Visit, opening: Opening): Holding {
    const { link } = opening;
    const viewer = visit.viewerId === null ? [] : [topics.user(visit.viewerId)];
    return {
      ownerId: link.ownerId,
      shareId: link.id,
      needsSession: visit.viewerId !== null,
      right: {
        topics: [topics.share(link.id), topics.report(link.report.id), topics.user(link.ownerId), ...viewer],
        endsAt: endOf(link),
        recheck: () => recheck(visit, opening),
      },
    };
  }

  async function open(visit: Visit): Promise<Opened> {
    const { slug, viewerId, password } = visit;
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
    const { viewerLabel } = access;
    const holding = heldBy(visit, opening);
    return { report, shareId: link.id, projecting, prepared, viewerLabel, holding };
  }

  return {
    async read(visit, isView) {
      const { report, shareId, projecting, prepared, viewerLabel, holding } = await open(visit);
      const before = '{"report":';
      const after = `,"viewer":${JSON.stringify({ label: viewerLabel })}}`;
      const answer =
        report.state === 'live'
          ? preparedText(
              `${before}${JSON.stringify(liveProjection(projecting, projecting.sharing.policy))}${after}`,
            )
          : await renderings.answer(
              { report, projecting, prepared, by: { shareId, network: visit.network } },
              { before, after },
            );
      if (isView) views.add(shareId);
      return { ...answer, holding };
    },

    async page(visit, around) {
      const { report, shareId, projecting, prepared, viewerLabel, holding } = await open(visit);
      const envelope = around({ label: viewerLabel });
      const by = { shareId, network: visit.network };
      if (report.state !== 'live')
        return { ...(await renderings.page({ report, projecting, prepared, by }, envelope)), holding };
      const { before, after } = envelope;
      const nothingYet = renderFirstScreen(liveProjection(projecting, projecting.sharing.policy));
      return preparedText([before, nothingYet, after].join(''), 'text/html; charset=utf-8');
    },

    async export(visit, wanted) {
      const { report, shareId, projecting, prepared, holding } = await open(visit);
      refuseLive(report);
      const { format, profile } = wanted;
      const file = await renderings.file({
        report,
        projecting,
        prepared,
        by: { shareId, network: visit.network },
        form: format,
        profile: format === 'sarif' ? profile : undefined,
      });
      await recordExport(report, wanted, { actorId: visit.viewerId, shareId });
      return { ...file, holding };
    },
  };
}

/** By the clock. */
function endOf({ expiresAt, report }: FoundLink): number {
  return Math.min(expiresAt ?? Infinity, report.expiresAt);
}
