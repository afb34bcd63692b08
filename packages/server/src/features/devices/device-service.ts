/** Linked devices: found by their credential, listed and revoked by their owner. */
import type { Device } from '@svc/contract';
import { AppError } from '#app-error';
import { DAY_MS, isoTime, isoTimeOrNull, toTheHour, type Clock } from '#platform/clock';
import type { Bus } from '#platform/bus/bus';
import { createRecordMemory } from '#platform/bus/record-memory';
import { topics } from '#platform/bus/topics';
import type { Database, Db, Tx } from '#platform/database/database';
import { isRecordId } from '#platform/ids';
import type { AuditRecorder } from '#features/audit';
import { hashOfKey, type TokenKey } from '#platform/tokens';
import type { DevicePrincipal } from '#principal';
import type { Job } from '#platform/sweeper';
import { hasExpired } from './policy.ts';
import * as store from './store.ts';
import type { DeviceRow } from './store.ts';

/** An expired device is kept for this long, so that its owner still sees it in the list. */
const KEPT_AFTER_EXPIRY_MS = DAY_MS;

export interface DeviceService {
  /** Null for an unknown credential, and for an expired one that was not revoked. */
  find(key: TokenKey): Promise<{ principal: DevicePrincipal; revoked: boolean } | null>;
  get(userId: string, deviceId: string): Promise<Device>;
  list(userId: string): Promise<Device[]>;
  /** @throws AppError NOT_FOUND for a device that is not this user's. */
  revoke(userId: string, deviceId: string): Promise<void>;
  /**
   * Revokes all of the user's devices, and approvals that no device has used yet. The caller publishes the user's
   * topic.
   * @param actorId who revokes them: the user, or null for the operator.
   * @returns the number of devices.
   */
  revokeAll(tx: Tx, userId: string, actorId?: string | null): Promise<number>;
  readonly job: Job;
}

export function createDeviceService({
  database,
  bus,
  clock,
  audit,
}: {
  database: Database;
  bus: Bus;
  clock: Clock;
  audit: Pick<AuditRecorder, 'recordForMember'>;
}): DeviceService {
  const db = database.read;
  const memory = createRecordMemory<DeviceRow>(database, bus, {
    topicsOf: ({ userId }) => [topics.user(userId)],
  });

  /** A device that is already revoked keeps the time of its revocation. */
  async function revoke(tx: Tx, userId: string, actorId: string | null, deviceId?: string): Promise<number> {
    const given = deviceId === undefined ? {} : { deviceId };
    const revoked = await store.revokeDevices(tx, userId, { ...given, now: clock.now() });
    for (const subjectId of revoked)
      await audit.recordForMember(tx, userId, { action: 'device_revoked', actorId, subjectId });
    return revoked.length;
  }

  return {
    async find(key) {
      const device = await memory.find(key, () => store.findDeviceByToken(db, hashOfKey(key)));
      const now = clock.now();
      // Until it is deleted, a revoked device gets DEVICE_REVOKED even after its expiry.
      if (!device || (device.revokedAt === null && hasExpired(device, now))) return null;
      const hour = toTheHour(now);
      if (device.revokedAt === null && device.lastSeenAt < hour) {
        await store.touchDevice(db, device.id, hour);
        memory.forget(key);
      }
      return {
        principal: { kind: 'device', userId: device.userId, deviceId: device.id },
        revoked: device.revokedAt !== null,
      };
    },
    async get(userId, deviceId) {
      const device = await store.findDevice(db, userId, deviceId);
      if (!device) throw new AppError('UNAUTHENTICATED');
      return toDevice(device);
    },
    async list(userId) {
      return (await store.listDevices(db, userId)).map(toDevice);
    },
    async revoke(userId, deviceId) {
      if (!isRecordId('dev', deviceId)) throw new AppError('NOT_FOUND');
      await database.transaction(async (tx) => {
        if (!(await store.findDevice(tx, userId, deviceId))) throw new AppError('NOT_FOUND');
        await revoke(tx, userId, userId, deviceId);
        await bus.publish(tx, topics.user(userId));
      });
    },
    async revokeAll(tx, userId, actorId = userId) {
      // In this order: an exchange under way ends first, and its device is then among those that are revoked.
      await store.denyApprovedLinks(tx, userId, clock.now());
      return revoke(tx, userId, actorId);
    },
    job: {
      name: 'expired devices',
      everyMs: 60_000,
      run: () => store.deleteDevicesExpiredBefore(db, clock.now() - KEPT_AFTER_EXPIRY_MS),
    },
  };
}

/**
 * Slow requests call this again, because the device may have been revoked since they began.
 * @throws AppError DEVICE_REVOKED; UNAUTHENTICATED when it has expired or was deleted with its account.
 */
export async function requireDevice(
  db: Db,
  { userId, deviceId }: DevicePrincipal,
  now: number,
): Promise<void> {
  const device = await store.findDevice(db, userId, deviceId);
  if (!device) throw new AppError('UNAUTHENTICATED');
  if (device.revokedAt !== null) throw new AppError('DEVICE_REVOKED');
  if (hasExpired(device, now)) throw new AppError('UNAUTHENTICATED');
}

function toDevice(row: DeviceRow): Device {
  return {
    deviceId: row.id,
    deviceName: row.name,
    clientVersion: row.clientVersion,
    osFamily: row.osFamily,
    arch: row.arch,
    createdAt: isoTime(row.createdAt),
    lastSeenAt: isoTime(row.lastSeenAt),
    revokedAt: isoTimeOrNull(row.revokedAt),
    expiresAt: isoTimeOrNull(row.expiresAt),
  };
}
