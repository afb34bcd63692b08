/**
 * Shares of a report, as its owner and the owners of its team workspace create, change and end them.
 *
 * Each command first locks the report. So shares of one report are created one after the other within the plan's limit,
 * and neither the report nor its owner changes meanwhile. A share that has ended stays ended. Hashing a password is
 * slow, so it happens before the transaction, after a first check of the permission.
 */
import {
  passwordBytes,
  type ChangeShareBody,
  type CreateShareBody,
  type Share,
  type ShareCreated,
} from '@svc/contract';
import { AppError, validationFailed } from '#app-error';
import type { AuditRecorder } from '#features/audit';
import { policyDigestOf, type ProjectionsService } from '#features/projections';
import type { PlanTable } from '#features/quota';
import type { ReportRow, ReportsFeature } from '#features/reports';
import { requireMembership } from '#features/workspaces';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import { chargedTransaction } from '#platform/charged-transaction';
import type { Clock } from '#platform/clock';
import type { Database, Db, Tx } from '#platform/database/database';
import { isRecordId, type Ids } from '#platform/ids';
import type { PasswordHash, PasswordHasher } from '#platform/password-hash';
import type { Random } from '#platform/random';
import type { Throttles } from '#platform/throttles';
import { hashToken, newSlug } from '#platform/tokens';
import type { SessionPrincipal } from '#principal';
import { rejectSecrets, type ShareMessages } from './messages.ts';
import { defaultMode, isActive } from './policy.ts';
import { readPrincipals, type Principal } from './principals-policy.ts';
import { replacePrincipals } from './principals.ts';
import { roomAmong } from './room.ts';
import { toShare } from './share-answer.ts';
import * as store from './store.ts';
import type { ShareRow } from './store.ts';
import type { ViewCounts } from './view-counts.ts';

export interface SharePorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly hasher: PasswordHasher;
  readonly throttles: Pick<Throttles, 'chargeIfDue'>;
  readonly plans: PlanTable;
  readonly appBaseUrl: string;
  readonly requireReport: ReportsFeature['requireReport'];
  /** @throws AppError UNAUTHENTICATED, FORBIDDEN */
  readonly requireConfirmed: (db: Db, sessionId: string) => Promise<void>;
  readonly audit: Pick<AuditRecorder, 'record'>;
  readonly projections: Pick<ProjectionsService, 'settle' | 'makeMissing'>;
}

export interface ShareService {
  /**
   * @throws AppError NOT_FOUND, FORBIDDEN for members who may not share the report, REPORT_EXPIRED. All other methods
   * also throw these.
   */
  list(userId: string, reportId: string): Promise<Share[]>;
  /**
   * @throws AppError VALIDATION_FAILED; UNSAFE_PAYLOAD_REJECTED for a secret in the message; CONFLICT when the plan
   * allows no more, or the size limit is reached; RATE_LIMITED, also under load.
   */
  create(by: SessionPrincipal, reportId: string, body: CreateShareBody): Promise<ShareCreated>;
  /**
   * @throws AppError VALIDATION_FAILED; UNSAFE_PAYLOAD_REJECTED for a secret in the message; SHARE_NOT_AVAILABLE when
   * the share has ended; CONFLICT at the size limit; RATE_LIMITED under load.
   */
  change(userId: string, shareId: string, body: ChangeShareBody): Promise<Share>;
  /** Revokes a share. Also succeeds for a share that has ended. @throws AppError RATE_LIMITED. */
  revoke(userId: string, shareId: string, reportId: string): Promise<void>;
}

export function createShareService(
  ports: SharePorts,
  messages: ShareMessages,
  views: Pick<ViewCounts, 'pendingOf'>,
): ShareService {
  const { database, bus, clock, hasher, ids, random, throttles, audit, projections } = ports;

  /** @throws AppError VALIDATION_FAILED unless it is in the future. */
  function readExpiry(given: string | null | undefined): number | null {
    if (given === undefined || given === null) return null;
    const expiresAt = Date.parse(given);
    if (expiresAt <= clock.now())
      throw validationFailed({ path: '/expiresAt', message: 'must be in the future' });
    return expiresAt;
  }

  const hashOf = (password: string) => hasher.hash(passwordBytes(password));

  async function rejectOneMore(tx: Tx, userId: string, reportId: string, workspaceId: string): Promise<void> {
    const { plan } = await requireMembership(tx, userId, workspaceId);
    const most = ports.plans[plan].activeShares;
    if ((await store.countActive(tx, reportId, clock.now())) < most) return;
    throw new AppError('CONFLICT', {
      message: `The plan allows ${most} active share links for each report. Revoke one first.`,
    });
  }

  /** @throws AppError CONFLICT when the policies of the report's shares exceed the size limit. */
  async function makeRoom(tx: Tx, reportId: string): Promise<void> {
    const { forgotten, isEnough } = roomAmong(await store.weighShares(tx, reportId), clock.now());
    if (!isEnough)
      throw new AppError('CONFLICT', {
        message:
          'The shares of this report name too many sections, findings and principals. Shorten their lists, or revoke a share first.',
      });
    await store.forgetShares(tx, forgotten);
  }

  /** @throws AppError NOT_FOUND for a share of another report. */
  async function lockShare(
    tx: Tx,
    userId: string,
    shareId: string,
    reportId: string,
  ): Promise<{ readonly share: ShareRow; readonly report: ReportRow }> {
    const { row: report } = await ports.requireReport('shareable', userId, reportId, tx);
    const share = isRecordId('shr', shareId) ? await store.lockShare(tx, shareId, reportId) : null;
    if (!share) throw new AppError('NOT_FOUND');
    return { share, report };
  }

  async function listed(
    tx: Tx,
    report: ReportRow,
    of: { readonly reportId: string } | { readonly shareId: string },
  ): Promise<Share[]> {
    const rows = await store.listShares(tx, of);
    const named = Map.groupBy(await store.listPrincipals(tx, of), ({ shareId }) => shareId);
    return rows.map((row) =>
      toShare(row, {
        principals: named.get(row.id) ?? [],
        message: messages.open(report, row.id, row.message),
        pending: views.pendingOf(row.id),
      }),
    );
  }

  return {
    list: (userId, reportId) =>
      database.transaction(async (tx) => {
        const { row: report } = await ports.requireReport('shareable', userId, reportId, tx);
        return listed(tx, report, { reportId });
      }),

    async create({ userId, sessionId }, reportId, body) {
      const principals = requirePrincipals(body.principals ?? []);
      rejectSecrets(body);
      const expiresAt = readExpiry(body.expiresAt);
      const slug = newSlug(random);
      const anonymousAllowed = body.anonymousAllowed ?? false;
      const share: ShareRow = {
        id: ids.random('shr'),
        reportId,
        slugHash: hashToken(slug),
        label: body.label?.trim() ?? null,
        mode: body.mode ?? defaultMode(anonymousAllowed),
        passwordHash: null,
        anonymousAllowed: anonymousAllowed ? 1 : 0,
        defaultPolicy: JSON.stringify(body.defaultPolicy),
        policyDigest: policyDigestOf(body.defaultPolicy),
        createdAt: clock.now(),
        expiresAt,
        revokedAt: null,
        viewCount: 0,
        lastViewedAt: null,
        endedAt: null,
        createdBy: userId,
        message: null,
        showSender: body.showSender ? 1 : 0,
        policyVersion: 0,
      };
      await throttles.chargeIfDue(['recordsAccount', userId], async (due) => {
        let passwordHash: PasswordHash | null = null;
        if (body.password !== undefined) {
          await ports.requireReport('shareable', userId, reportId);
          await ports.requireConfirmed(database.read, sessionId);
          due();
          passwordHash = await hashOf(body.password);
        }
        await database.transaction(async (tx) => {
          const { row: report } = await ports.requireReport('shareable', userId, reportId, tx);
          const { workspaceId } = report;
          await ports.requireConfirmed(tx, sessionId);
          due();
          await rejectOneMore(tx, userId, reportId, workspaceId);
          const message = await messages.seal(tx, report, share.id, body.message?.trim() ?? '');
          await store.insertShare(tx, { ...share, passwordHash, message });
          await replacePrincipals(tx, database, share.id, principals);
          await makeRoom(tx, reportId);
          await projections.settle(tx, reportId);
          const about = { workspaceId, reportId, subjectId: share.id };
          audit.record(tx, { action: 'share_created', actorId: userId, ...about });
        });
      });
      // Nobody knows the slug before it is returned, so the projections exist before the first reader comes.
      await projections.makeMissing(reportId);
      return { shareId: share.id, slug, url: `${ports.appBaseUrl}/s/${slug}` };
    },

    async change(userId, shareId, body) {
      const principals = body.principals && requirePrincipals(body.principals);
      rejectSecrets(body);
      const change = changeOf(body, readExpiry(body.expiresAt));
      if (typeof body.password === 'string') {
        await ports.requireReport('shareable', userId, body.reportId);
        change.passwordHash = await hashOf(body.password);
      }
      const changed = await database.transaction(async (tx) => {
        const { share, report } = await lockShare(tx, userId, shareId, body.reportId);
        if (!isActive(share, clock.now())) throw new AppError('SHARE_NOT_AVAILABLE');
        if (body.message !== undefined)
          change.message = await messages.seal(tx, report, shareId, body.message?.trim() ?? '');
        if (principals || body.defaultPolicy) change.policyVersion = share.policyVersion + 1;
        if (Object.keys(change).length > 0) await store.updateShare(tx, shareId, change);
        if (principals) await replacePrincipals(tx, database, shareId, principals);
        if (principals || body.defaultPolicy) await makeRoom(tx, body.reportId);
        await projections.settle(tx, body.reportId);
        if (Object.keys(change).length > 0) {
          const about = { workspaceId: report.workspaceId, reportId: body.reportId, subjectId: shareId };
          audit.record(tx, { action: 'share_changed', actorId: userId, ...about });
        }
        await bus.publish(tx, topics.share(shareId));
        const now = (await ports.requireReport('shareable', userId, body.reportId, tx)).row;
        const [answer] = await listed(tx, now, { shareId });
        if (!answer) throw new AppError('NOT_FOUND');
        return answer;
      });
      await projections.makeMissing(body.reportId);
      return changed;
    },

    revoke: (userId, shareId, reportId) =>
      chargedTransaction(ports, userId, async (tx, due) => {
        const { share, report } = await lockShare(tx, userId, shareId, reportId);
        if (share.revokedAt !== null) return;
        due();
        await store.updateShare(tx, shareId, { revokedAt: clock.now() });
        await projections.settle(tx, reportId);
        const about = { workspaceId: report.workspaceId, reportId, subjectId: shareId };
        audit.record(tx, { action: 'share_revoked', actorId: userId, ...about });
        await bus.publish(tx, topics.share(shareId));
      }),
  };
}

/** @throws AppError VALIDATION_FAILED */
function requirePrincipals(given: NonNullable<CreateShareBody['principals']>): readonly Principal[] {
  const { principals, issues } = readPrincipals(given, isRecordId);
  if (issues) throw validationFailed(...issues);
  return principals;
}

/** The columns that a body changes, without those of a new password or a new message. */
function changeOf(body: ChangeShareBody, expiresAt: number | null): Partial<ShareRow> {
  const change: Partial<ShareRow> = {};
  if (body.mode !== undefined) change.mode = body.mode;
  if (body.password === null) change.passwordHash = null;
  if (body.expiresAt !== undefined) change.expiresAt = expiresAt;
  if (body.anonymousAllowed !== undefined) change.anonymousAllowed = body.anonymousAllowed ? 1 : 0;
  if (body.showSender !== undefined) change.showSender = body.showSender ? 1 : 0;
  if (body.label !== undefined) change.label = body.label?.trim() ?? null;
  if (body.defaultPolicy !== undefined) {
    change.defaultPolicy = JSON.stringify(body.defaultPolicy);
    change.policyDigest = policyDigestOf(body.defaultPolicy);
  }
  return change;
}
