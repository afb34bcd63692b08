/** Linked devices: found by their credential, listed and revoked by their owner. */
import type { Device } from '@svc/contract';
import { AppError } from '#app-error';
import { isoTime, isoTimeOrNull, toTheHour, type Clock } from '#platform/clock';
import type { Bus } from '#platform/bus/bus';
import { createRecordMemory } from '#platform/bus/record-memory';
import { topics } from '#platform/bus/topics';
import type { Database, Db, Tx } from '#platform/database/database';
import { isRecordId } from '#platform/ids';
import type { AuditRecorder } from '#features/audit';
import { hashOfKey, type TokenKey } from '#platform/tokens';
import type { DevicePrincipal } from '#principal';
import * as store from './store.ts';
import type { DeviceRow } from './store.ts';

export interface DeviceService {
  find(key: TokenKey): Promise<{ principal: DevicePrincipal; revoked: boolean } | null>;
  get(userId: string, deviceId: string): Promise<Device>;
  list(userId: string): Promise<Device[]>;
  /** @throws AppError NOT_FOUND for a device that is not this user's. */
  revoke(userId: string, deviceId: string): Promise<void>;
  /** All of the user's, within the transaction that deletes the account. */
  revokeAll(tx: Tx, userId: string): Promise<void>;
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

  /** A device that is revoked already keeps the time at which it was. */
  async function revoke(tx: Tx, userId: string, deviceId?: string): Promise<void> {
    const given = deviceId === undefined ? {} : { deviceId };
    const revoked = await store.revokeDevices(tx, userId, { ...given, now: clock.now() });
    for (const subjectId of revoked)
      await audit.recordForMember(tx, userId, { action: 'device_revoked', actorId: userId, subjectId });
  }

  return {
    async find(key) {
      const device = await memory.find(key, () => store.findDeviceByToken(db, hashOfKey(key)));
      if (!device) return null;
      const hour = toTheHour(clock.now());
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
        await revoke(tx, userId, deviceId);
        await bus.publish(tx, topics.user(userId));
      });
    },
    revokeAll: revoke,
  };
}

/**
 * For what takes long: a device that may have been revoked since its request began.
 * @throws AppError DEVICE_REVOKED; UNAUTHENTICATED when it is gone with its account.
 */
export async function requireDevice(db: Db, { userId, deviceId }: DevicePrincipal): Promise<void> {
  const device = await store.findDevice(db, userId, deviceId);
  if (!device) throw new AppError('UNAUTHENTICATED');
  if (device.revokedAt !== null) throw new AppError('DEVICE_REVOKED');
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
  };
}
