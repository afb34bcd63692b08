/** Returns a whole report for support, after the use of a grant is recorded. */
import { AppError } from '#app-error';
import type { Renderings } from '#features/exports';
import type { Lapses } from '#features/findings';
import { isoTime, isoTimeOrNull } from '#platform/clock';
import { topics } from '#platform/bus/topics';
import { preparedText, type Holding, type Prepared } from '#prepared';
import type { SupportRead } from '@svc/contract';
import type { GrantService } from './grant-service.ts';

export interface SupportReadingService {
  /**
   * Returns a SupportRead.
   * @throws AppError SUPPORT_GRANT_REQUIRED; REPORT_EXPIRED when the report has ended in the meantime; RATE_LIMITED.
   */
  read(userId: string, reportId: string, network: string): Promise<Prepared>;
}

export interface SupportReadingPorts {
  readonly renderings: Pick<Renderings, 'answerOnce'>;
  readonly grants: Pick<GrantService, 'use' | 'endOfRight'>;
  readonly lapses: Pick<Lapses, 'isDue' | 'settleReport'>;
}

export function createSupportReadingService({
  renderings,
  grants,
  lapses,
}: SupportReadingPorts): SupportReadingService {
  return {
    async read(userId, reportId, network) {
      const { report, grant } = await grants.use(userId, reportId);
      if (report.state === 'expired') throw new AppError('REPORT_EXPIRED');
      const about: Omit<SupportRead, 'report'> = {
        reportId,
        state: report.state,
        createdAt: isoTime(report.createdAt),
        finalizedAt: isoTimeOrNull(report.finalizedAt),
        expiresAt: isoTime(report.expiresAt),
        grant,
      };
      const before = `${JSON.stringify(about).slice(0, -1)},"report":`;
      if (report.state === 'live') return preparedText(`${before}null}`);
      if (lapses.isDue(report)) await lapses.settleReport(reportId);
      const projectionInput = {
        reportId,
        projectedFor: { principalType: 'user' as const },
        share: null,
        isSupport: true as const,
      };
      const by = { network, shareId: null };
      const answer = await renderings.answerOnce({ report, projectionInput, by }, { before, after: '}' });
      const holding: Holding = {
        ownerId: report.ownerId,
        shareId: null,
        needsSession: true,
        right: {
          topics: [topics.report(reportId), topics.user(userId)],
          endsAt: Math.min(Date.parse(grant.expiresAt), report.expiresAt),
          recheck: () => grants.endOfRight(userId, reportId),
        },
      };
      return { ...answer, holding };
    },
  };
}
