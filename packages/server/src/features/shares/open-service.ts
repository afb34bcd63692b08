/**
 * Reads reports through shares. The checks have an order in which they reveal no more than a viewer may know: whether
 * the share exists for the viewer, then the password, then the sign-in, and only then whether the report has expired.
 */
import type { ShareCover, SharedReport, ShareUnlocked } from '@svc/contract';
import { liveProjection } from '@svc/report';
import { inertText, renderFirstScreen } from '@svc/report/render/first-screen';
import { AppError } from '#app-error';
import {
  rejectLive,
  type Envelope,
  type ExportRecorder,
  type ProjectionInput,
  type Renderings,
  type Requester,
  type ShareInput,
  type WantedFile,
} from '#features/exports';
import type { PreparedProjection, ProjectionsService } from '#features/projections';
import { rejectExpired } from '#features/reports';
import { topics } from '#platform/bus/topics';
import { isoTime, type Clock } from '#platform/clock';
import { answerChanged, preparedText, type Holding, type Prepared } from '#prepared';
import { coverOf } from './covers.ts';
import { liveCover } from './live-cover.ts';
import type { ShareOfReport } from './lookup.ts';
import type { ShareMessages } from './messages.ts';
import type { SharePasswords } from './passwords.ts';
import type { AvailableShare, ShareFinder } from './share-finder.ts';
import type { ShareUnlocks } from './unlocks.ts';
import type { ViewCounts } from './view-counts.ts';

export interface Visit {
  readonly slug: string;
  /** Null for a viewer who is not signed in. */
  readonly viewerId: string | null;
  readonly password: Uint8Array | undefined;
  /** Takes precedence over the password. */
  readonly unlockToken: string | undefined;
  /** The network as rate limits count it. */
  readonly network: string;
}

export interface OpenService {
  /**
   * Returns a SharedReport.
   * @param how whether the read counts as a view, and whether the response has the cover.
   * @throws AppError SHARE_NOT_AVAILABLE, SHARE_PASSWORD_REQUIRED, UNAUTHENTICATED, REPORT_EXPIRED; RATE_LIMITED.
   */
  read(visit: Visit, how: { readonly isView: boolean; readonly wantsCover: boolean }): Promise<Prepared>;
  /**
   * A token that replaces the password. Creating it does not count as a view.
   * @throws AppError as `read` does.
   */
  unlock(visit: Visit): Promise<ShareUnlocked>;
  /**
   * The page's document with the first screen in it. Loading it never counts as a view.
   * @param around returns the document around the first screen, for that viewer.
   * @throws AppError as `read` does.
   */
  page(visit: Visit, around: (viewer: SharedReport['viewer']) => Envelope): Promise<Prepared>;
  /** @throws AppError as `read` does, and CONFLICT while the report is live. */
  export(visit: Visit, wanted: WantedFile): Promise<Prepared>;
}

export interface OpenPorts {
  readonly clock: Clock;
  readonly recordExport: ExportRecorder;
  readonly renderings: Pick<Renderings, 'enclosed' | 'file'>;
  readonly projections: Pick<ProjectionsService, 'require'>;
  /** Records the ends of decisions that have lapsed. */
  readonly lapses: {
    isDue(lapsing: { readonly lapsesAt: number | null }): boolean;
    settleReport(reportId: string): Promise<void>;
  };
}

/** A share that passed all checks for this visit. */
interface OpenedShare {
  readonly report: ShareOfReport['report'];
  readonly projectionInput: ProjectionInput<ShareInput>;
  /** Null when the whole report is rendered. */
  readonly prepared: PreparedProjection | null;
  readonly by: Requester & { readonly shareId: string };
  readonly viewerLabel: string;
  readonly holding: Holding;
  readonly share: ShareOfReport;
  readonly endsAt: number;
}

export function createOpenService(
  { clock, renderings, recordExport, projections, lapses }: OpenPorts,
  {
    shares,
    passwords,
    unlocks,
    messages,
    views,
  }: {
    readonly shares: ShareFinder;
    readonly passwords: SharePasswords;
    readonly unlocks: ShareUnlocks;
    readonly messages: Pick<ShareMessages, 'open'>;
    readonly views: Pick<ViewCounts, 'add'>;
  },
): OpenService {
  /** @throws AppError SHARE_PASSWORD_REQUIRED, RATE_LIMITED */
  async function requirePassword(share: ShareOfReport, { unlockToken, password }: Visit): Promise<void> {
    if (unlockToken === undefined || share.passwordHash === null) return passwords.require(share, password);
    if (!unlocks.isValid(share, unlockToken)) throw new AppError('SHARE_PASSWORD_REQUIRED');
  }

  async function open(visit: Visit): Promise<OpenedShare> {
    const { slug, viewerId, network } = visit;
    const available = await shares.find(slug, viewerId);
    if (!available) throw new AppError('SHARE_NOT_AVAILABLE');
    const { share, access } = available;
    await requirePassword(share, visit);
    if (access.outcome === 'signInNeeded') throw new AppError('UNAUTHENTICATED');
    const { id: shareId, ownerId, report } = share;
    rejectExpired(report, clock.now());
    const projectionInput = available.projectionInput();
    if (!projectionInput) throw new AppError('REPORT_EXPIRED');
    const lookup = report.state === 'finalized' ? available.prepared : null;
    const prepared = lookup && (await projections.require(lookup.key, lookup.row));
    // With a prepared projection, the end of a decision about a hidden finding changes nothing here, not even the
    // timing.
    if (report.state === 'finalized' && lapses.isDue(prepared ?? report)) {
      await lapses.settleReport(report.id);
      return open(visit);
    }
    const viewerTopics = viewerId === null ? [] : [topics.user(viewerId)];
    const right = {
      topics: [topics.share(shareId), topics.report(report.id), topics.user(ownerId), ...viewerTopics],
      endsAt: available.endsAt,
      recheck: () => recheck(slug, viewerId, available),
    };
    const holding = { ownerId, shareId, needsSession: viewerId !== null, right };
    const by = { shareId, network };
    const { endsAt } = available;
    return { report, projectionInput, prepared, by, viewerLabel: access.viewerLabel, holding, share, endsAt };
  }

  /** @throws AppError when the share no longer opens, or would show something else. */
  async function recheck(slug: string, viewerId: string | null, before: AvailableShare): Promise<number> {
    const available = await shares.find(slug, viewerId);
    if (!available) throw new AppError('SHARE_NOT_AVAILABLE');
    const { share, access } = available;
    if (share.passwordHash !== null && share.passwordHash !== before.share.passwordHash)
      throw new AppError('SHARE_PASSWORD_REQUIRED');
    if (access.outcome === 'signInNeeded') throw new AppError('UNAUTHENTICATED');
    rejectExpired(share.report, clock.now());
    if (JSON.stringify(access) !== JSON.stringify(before.access)) throw answerChanged();
    return available.endsAt;
  }

  function coverFor({ share, projectionInput }: OpenedShare): ShareCover {
    const message = messages.open(share.report, share.id, share.cover.message);
    return coverOf({ ...share.cover, message }, projectionInput.share.policy);
  }

  return {
    async unlock(visit) {
      const { share, endsAt } = await open(visit);
      const { unlockToken, expiresAt } = unlocks.issue(share, endsAt);
      return { unlockToken, expiresAt: isoTime(expiresAt) };
    },

    async read(visit, { isView, wantsCover }) {
      const opened = await open(visit);
      const { report, projectionInput, prepared, by, viewerLabel, holding } = opened;
      const cover = wantsCover ? coverFor(opened) : null;
      const before = '{"report":';
      const after = `,"viewer":${JSON.stringify({ label: viewerLabel })}}`;
      const live = () => JSON.stringify(liveProjection(projectionInput, projectionInput.share.policy));
      const answer =
        report.state === 'live'
          ? preparedText([before, live(), liveCover(cover, projectionInput.share), after].join(''))
          : await renderings.enclosed(
              { report, projectionInput, prepared, cover, by, form: 'data' },
              { before, after },
            );
      if (isView) views.add(by.shareId);
      return { ...answer, holding };
    },

    async page(visit, around) {
      const opened = await open(visit);
      const { report, projectionInput, prepared, by, viewerLabel, holding } = opened;
      const cover = coverFor(opened);
      const envelope = around({ label: viewerLabel });
      if (report.state !== 'live')
        return {
          ...(await renderings.enclosed(
            { report, projectionInput, prepared, cover, by, form: 'firstScreen' },
            envelope,
          )),
          holding,
        };
      const { before, after } = envelope;
      const nothingYet = renderFirstScreen(liveProjection(projectionInput, projectionInput.share.policy));
      const share = inertText(liveCover(cover, projectionInput.share));
      return preparedText([before, nothingYet, share, after].join(''), 'text/html; charset=utf-8');
    },

    async export(visit, wanted) {
      const opened = await open(visit);
      const { report, projectionInput, prepared, by, holding } = opened;
      rejectLive(report);
      const { format } = wanted;
      const profile = format === 'sarif' ? wanted.profile : undefined;
      const cover = format === 'html' ? coverFor(opened) : null;
      const file = await renderings.file({
        report,
        projectionInput,
        prepared,
        cover,
        by,
        form: format,
        profile,
      });
      await recordExport(report, wanted, { actorId: visit.viewerId, shareId: by.shareId });
      return { ...file, holding };
    },
  };
}
