/** What a viewer would see under a policy, for the person who is about to share. */
import type { PreviewBody } from '@svc/contract';
import { liveProjection } from '@svc/report';
import { AppError } from '#app-error';
import type { Renderings } from '#features/exports';
import type { ReportRow, ReportsFeature } from '#features/reports';
import { topics } from '#platform/bus/topics';
import type { Database } from '#platform/database/database';
import { isRecordId } from '#platform/ids';
import type { Random } from '#platform/random';
import { KEY_BYTES } from '#platform/sealing';
import type { ShareKeys } from '#platform/share-keys';
import { preparedText, type Holding, type Prepared } from '#prepared';
import { coverOf } from './covers.ts';
import { liveCover } from './live-cover.ts';
import { rejectSecrets } from './messages.ts';
import * as store from './store.ts';

export interface PreviewPorts {
  readonly database: Database;
  readonly random: Random;
  readonly shareKeys: ShareKeys;
  readonly requireReport: ReportsFeature['requireReport'];
  readonly requireCurrent: ReportsFeature['requireCurrent'];
  readonly renderings: Pick<Renderings, 'enclosed' | 'answerOnce'>;
}

export interface Previewer {
  readonly userId: string;
  /** The network as rate limits count it. */
  readonly network: string;
  /** Whether the response also has the cover, as the body gives it. */
  readonly wantsCover: boolean;
}

export interface PreviewService {
  /**
   * With the id and a policy of a share, the result is what that share shows, byte for byte.
   * @throws AppError NOT_FOUND, also for a share of another report; FORBIDDEN for members; REPORT_EXPIRED;
   * UNSAFE_PAYLOAD_REJECTED for a secret in the message; RATE_LIMITED.
   */
  preview(by: Previewer, reportId: string, body: PreviewBody): Promise<Prepared>;
}

const envelope = { before: '{"report":', after: '}' };

export function createPreviewService(ports: PreviewPorts): PreviewService {
  const { database, random, shareKeys, renderings } = ports;

  async function requireShare(shareId: string, reportId: string): Promise<store.ShareWithCreator> {
    const share = isRecordId('shr', shareId)
      ? (await store.listShares(database.read, { shareId })).find((row) => row.reportId === reportId)
      : undefined;
    if (!share) throw new AppError('NOT_FOUND');
    return share;
  }

  async function nameOf(userId: string): Promise<string | null> {
    return (await store.findDisplayName(database.read, userId)) ?? null;
  }

  function heldBy(userId: string, { id, ownerId, expiresAt }: ReportRow): Holding {
    const recheck = async () => (await ports.requireReport('shareable', userId, id)).row.expiresAt;
    const right = { topics: [topics.report(id), topics.user(userId)], endsAt: expiresAt, recheck };
    return { ownerId, shareId: null, needsSession: true, right };
  }

  return {
    async preview({ userId, network, wantsCover }, reportId, body) {
      rejectSecrets(body);
      const { policy, principalType, label, shareId: given, message, showSender = false } = body;
      const report = (await ports.requireCurrent('shareable', userId, reportId)).row;
      const share = given === undefined ? null : await requireShare(given, reportId);
      const shareId = share?.id ?? null;
      const cover = wantsCover
        ? coverOf(
            {
              message: message?.trim() || null,
              showSender,
              creatorName: share ? share.creatorName : await nameOf(userId),
              expiresAt: share?.expiresAt ?? null,
            },
            policy,
          )
        : null;
      const projectionInput = {
        reportId,
        projectedFor: { principalType, ...(label === undefined ? {} : { label: label.trim() }) },
        share: {
          policy,
          projectNames: [report.projectName, report.nameOfProject].filter((name) => name !== null),
          fingerprintKey: shareId === null ? random.bytes(KEY_BYTES) : shareKeys.fingerprintKey(shareId),
        },
      };
      if (report.state === 'live')
        return preparedText(
          `${envelope.before}${JSON.stringify(liveProjection(projectionInput, policy))}${liveCover(cover, projectionInput.share)}${envelope.after}`,
        );
      const request = { report, projectionInput, cover, by: { shareId, network } };
      // Without a share the answer is not cached, because its random key is discarded.
      const answer = await (shareId === null
        ? renderings.answerOnce(request, envelope)
        : renderings.enclosed({ ...request, form: 'data' }, envelope));
      return { ...answer, holding: heldBy(userId, report) };
    },
  };
}
