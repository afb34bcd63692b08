/**
 * Linking a device: the device sends the hash of a verifier, a person approves in a browser, and the device exchanges
 * the verifier for a credential, once.
 *
 * Every step that changes a link locks its row and checks its state in the same transaction. So of any number of
 * parallel exchanges only one gets the credential, and the limit of wrong verifiers holds.
 */
import { limits, type DeviceLink } from '@svc/contract';
import { AppError } from '#app-error';
import { DAY_MS, MINUTE_MS, isoTime, toTheHour, type Clock } from '#platform/clock';
import type { Bus } from '#platform/bus/bus';
import type { Database, Tx } from '#platform/database/database';
import type { Ids } from '#platform/ids';
import type { Random } from '#platform/random';
import type { Job } from '#platform/sweeper';
import type { Throttles } from '#platform/throttles';
import { hashToken, isLinkToken, newDeviceToken, newLinkToken } from '#platform/tokens';
import type { SessionPrincipal } from '#principal';
import type { AuditRecorder } from '#features/audit';
import { requireAccount } from '#features/auth';
import { rejectClientVersion, type ClientVersionRules } from './client-version.ts';
import { matchCode } from './match-code.ts';
import { linkState, sanitized } from './policy.ts';
import * as store from './store.ts';
import type { LinkRow } from './store.ts';
import { isVerifierOf, verifierHashBytes } from './verifier.ts';

/** Links are kept for a day after their expiry, so that a late caller still learns their state. */
const KEPT_AFTER_EXPIRY_MS = DAY_MS;

export interface DevicePorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly throttles: Throttles;
  readonly clientVersions: ClientVersionRules;
  readonly appBaseUrl: string;
  readonly apiBaseUrl: string;
  readonly audit: Pick<AuditRecorder, 'recordForMember'>;
  /** @throws AppError UNAUTHENTICATED, FORBIDDEN */
  readonly requireConfirmed: (tx: Tx, sessionId: string) => Promise<void>;
}

/** What the approving person sent. */
export interface Approval {
  /** The account that the page showed them. */
  readonly userId?: string;
  readonly lifetimeMinutes?: number;
}

export interface DeviceDescription {
  readonly verifierHash: string;
  readonly deviceName: string;
  readonly clientVersion: string;
  readonly osFamily: string;
  readonly arch: string;
}

export interface LinkService {
  create(
    given: DeviceDescription,
    network: string,
  ): Promise<{ publicRequestId: string; approvalUrl: string; expiresAt: string; pollIntervalMs: number }>;
  /** @throws AppError unless the link is approved. */
  status(publicRequestId: string, network: string): Promise<{ status: 'approved'; expiresAt: string }>;
  describe(publicRequestId: string): Promise<DeviceLink>;
  /**
   * The same account can approve again. Until the device has its credential, the last approval decides when the device
   * expires.
   */
  approve(publicRequestId: string, by: SessionPrincipal, approval: Approval): Promise<void>;
  deny(publicRequestId: string, userId: string): Promise<void>;
  exchange(
    publicRequestId: string,
    verifier: string,
  ): Promise<{
    deviceId: string;
    deviceName: string;
    deviceToken: string;
    userId: string;
    email: string;
    apiBaseUrl: string;
  }>;
  readonly job: Job;
}

export function createLinkService(ports: DevicePorts): LinkService {
  const { database, clock, random, ids, throttles } = ports;
  const db = database.read;

  async function find(publicRequestId: string): Promise<LinkRow> {
    const link = isLinkToken(publicRequestId) ? await store.findLink(db, hashToken(publicRequestId)) : null;
    if (!link) throw new AppError('NOT_FOUND');
    return link;
  }

  async function lock(tx: Tx, publicRequestId: string): Promise<LinkRow> {
    const link = isLinkToken(publicRequestId) ? await store.lockLink(tx, hashToken(publicRequestId)) : null;
    if (!link) throw new AppError('NOT_FOUND');
    return link;
  }

  /** Runs a decision about a link while its row is locked. */
  function decide<Result>(
    publicRequestId: string,
    decision: (tx: Tx, link: LinkRow) => Promise<Result>,
  ): Promise<Result> {
    return database.transaction(async (tx) => decision(tx, await lock(tx, publicRequestId)));
  }

  return {
    async create(given, network) {
      await throttles.charge(['deviceLinkNetwork', network]);
      rejectClientVersion(given.clientVersion, ports.clientVersions);
      const publicRequestId = newLinkToken(random);
      const now = clock.now();
      const expiresAt = now + limits.deviceLinkLifetimeMs;
      await store.insertLink(db, {
        requestIdHash: hashToken(publicRequestId),
        verifierHash: verifierHashBytes(given.verifierHash),
        deviceName: sanitized(given.deviceName),
        clientVersion: sanitized(given.clientVersion),
        osFamily: sanitized(given.osFamily),
        arch: sanitized(given.arch),
        createdAt: now,
        expiresAt,
        approvedBy: null,
        lifetimeMinutes: null,
        deniedAt: null,
        consumedAt: null,
        wrongVerifiers: 0,
      });
      return {
        publicRequestId,
        approvalUrl: `${ports.appBaseUrl}/link/${publicRequestId}`,
        expiresAt: isoTime(expiresAt),
        pollIntervalMs: limits.deviceLinkPollIntervalMs,
      };
    },

    async status(publicRequestId, network) {
      const link = await find(publicRequestId);
      await throttles.charge(['deviceLinkPoll', `${publicRequestId} ${network}`]);
      rejectEnded(link, clock.now());
      if (link.approvedBy === null) throw new AppError('DEVICE_LINK_NOT_APPROVED');
      return { status: 'approved', expiresAt: isoTime(link.expiresAt) };
    },

    async describe(publicRequestId) {
      const link = await find(publicRequestId);
      return {
        state: linkState(link, clock.now()),
        matchCode: matchCode(publicRequestId),
        deviceName: link.deviceName,
        clientVersion: link.clientVersion,
        osFamily: link.osFamily,
        arch: link.arch,
        createdAt: isoTime(link.createdAt),
        expiresAt: isoTime(link.expiresAt),
      };
    },

    approve: (publicRequestId, { userId, sessionId }, approval) =>
      database.transaction(async (tx) => {
        // Locked before the link, in the same order as a recovery.
        await requireAccount(database, tx, userId);
        const link = await lock(tx, publicRequestId);
        if (approval.userId !== undefined && approval.userId !== userId) throw shownAnother();
        await ports.requireConfirmed(tx, sessionId);
        rejectEnded(link, clock.now());
        rejectApprovedByAnother(link, userId);
        await store.updateLink(tx, link.requestIdHash, {
          approvedBy: userId,
          lifetimeMinutes: approval.lifetimeMinutes ?? null,
        });
      }),

    deny: (publicRequestId, userId) =>
      decide(publicRequestId, async (tx, link) => {
        const now = clock.now();
        if (linkState(link, now) === 'denied') return;
        rejectEnded(link, now);
        rejectApprovedByAnother(link, userId);
        await store.updateLink(tx, link.requestIdHash, { deniedAt: now });
      }),

    async exchange(publicRequestId, verifier) {
      const outcome = await decide(publicRequestId, async (tx, link) => {
        const now = clock.now();
        rejectEnded(link, now);
        if (link.approvedBy === null) throw new AppError('DEVICE_LINK_NOT_APPROVED');
        if (link.wrongVerifiers >= limits.deviceLinkWrongVerifiersMax) {
          throw new AppError('RATE_LIMITED', { retryAfterMs: link.expiresAt - now });
        }
        if (!isVerifierOf(verifier, link.verifierHash)) {
          await store.updateLink(tx, link.requestIdHash, { wrongVerifiers: link.wrongVerifiers + 1 });
          return null;
        }
        await store.updateLink(tx, link.requestIdHash, { consumedAt: now });
        const deviceToken = newDeviceToken(random);
        const deviceId = ids.timed('dev');
        await store.insertDevice(tx, {
          id: deviceId,
          userId: link.approvedBy,
          tokenHash: hashToken(deviceToken),
          name: link.deviceName,
          clientVersion: link.clientVersion,
          osFamily: link.osFamily,
          arch: link.arch,
          createdAt: now,
          lastSeenAt: toTheHour(now),
          revokedAt: null,
          expiresAt: link.lifetimeMinutes === null ? null : now + link.lifetimeMinutes * MINUTE_MS,
        });
        await ports.audit.recordForMember(tx, link.approvedBy, {
          action: 'device_linked',
          actorId: link.approvedBy,
          subjectId: deviceId,
        });
        const email = await store.emailOf(tx, link.approvedBy);
        return { deviceId, deviceName: link.deviceName, deviceToken, userId: link.approvedBy, email };
      });
      // Thrown here and not in the transaction, so that the count of wrong verifiers is committed.
      if (!outcome)
        throw new AppError('UNAUTHENTICATED', {
          message: 'The verifier does not belong to this device link.',
        });
      return { ...outcome, apiBaseUrl: ports.apiBaseUrl };
    },

    job: {
      name: 'expired device links',
      everyMs: 60_000,
      run: () => store.deleteLinksBefore(db, clock.now() - KEPT_AFTER_EXPIRY_MS),
    },
  };
}

function rejectEnded(link: LinkRow, now: number): void {
  switch (linkState(link, now)) {
    case 'consumed':
      throw new AppError('DEVICE_LINK_ALREADY_CONSUMED');
    case 'expired':
      throw new AppError('DEVICE_LINK_EXPIRED');
    case 'denied':
      throw new AppError('FORBIDDEN', {
        message: 'This device link was denied. Start again in the terminal.',
      });
    case 'pending':
    case 'approved':
  }
}

function shownAnother(): AppError {
  return new AppError('CONFLICT', {
    message: 'This browser is now signed in to another account. Load the page again before you approve.',
  });
}

function rejectApprovedByAnother(link: LinkRow, userId: string): void {
  if (link.approvedBy !== null && link.approvedBy !== userId) {
    throw new AppError('CONFLICT', { message: 'Another account has approved this device link.' });
  }
}
