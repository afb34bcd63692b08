/** What a viewer would see under a policy, for the owner who is about to share. */
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
import * as store from './store.ts';

export interface PreviewPorts {
  readonly database: Database;
  readonly random: Random;
  readonly shareKeys: ShareKeys;
  readonly requireReport: ReportsFeature['requireReport'];
  readonly requireCurrent: ReportsFeature['requireCurrent'];
  readonly renderings: Pick<Renderings, 'enclosed' | 'answerOnce'>;
}

export interface PreviewService {
  /**
   * With a share's id the result is what that share shows, byte for byte.
   * @throws AppError NOT_FOUND, also for a share of another report; FORBIDDEN for members; REPORT_EXPIRED; RATE_LIMITED.
   */
  preview(userId: string, reportId: string, network: string, body: PreviewBody): Promise<Prepared>;
}

const envelope = { before: '{"report":', after: '}' };

export function createPreviewService(ports: PreviewPorts): PreviewService {
  const { database, random, shareKeys, renderings } = ports;

  async function requireShare(shareId: string, reportId: string): Promise<string> {
    const share = isRecordId('shr', shareId) ? await store.findShare(database.read, shareId, reportId) : null;
    if (!share) throw new AppError('NOT_FOUND');
    return share.id;
  }

  function heldBy(userId: string, { id, ownerId, expiresAt }: ReportRow): Holding {
    const recheck = async () => (await ports.requireReport('owned', userId, id)).row.expiresAt;
    const right = { topics: [topics.report(id), topics.user(userId)], endsAt: expiresAt, recheck };
    return { ownerId, shareId: null, needsSession: true, right };
  }

  return {
    async preview(userId, reportId, network, { policy, principalType, label, shareId: given }) {
      const report = (await ports.requireCurrent('owned', userId, reportId)).row;
      const shareId = given === undefined ? null : await requireShare(given, reportId);
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
          `${envelope.before}${JSON.stringify(liveProjection(projectionInput, policy))}${envelope.after}`,
        );
      const request = { report, projectionInput, by: { shareId, network } };
      // Not cached, because the key is discarded.
      const answer = await (shareId === null
        ? renderings.answerOnce(request, envelope)
        : renderings.enclosed({ ...request, form: 'data' }, envelope));
      return { ...answer, holding: heldBy(userId, report) };
    },
  };
}
