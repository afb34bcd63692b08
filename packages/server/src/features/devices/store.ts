/** Devices and device links. */
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import type { DeviceLinksTable, DevicesTable } from '#platform/database/schema';
import type { TokenHash } from '#platform/tokens';

export type DeviceRow = DevicesTable;
export type LinkRow = DeviceLinksTable;

export async function insertLink(db: Db, link: LinkRow): Promise<void> {
  await db.insertInto('deviceLinks').values(link).execute();
}

export async function findLink(db: Db, requestIdHash: TokenHash): Promise<LinkRow | null> {
  const row = await db
    .selectFrom('deviceLinks')
    .selectAll()
    .where('requestIdHash', '=', requestIdHash)
    .executeTakeFirst();
  return row ?? null;
}

/** Locks the link, so that its state stays the same until the transaction ends. */
export async function lockLink(tx: Tx, requestIdHash: TokenHash): Promise<LinkRow | null> {
  const row = await tx
    .selectFrom('deviceLinks')
    .selectAll()
    .where('requestIdHash', '=', requestIdHash)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function updateLink(
  tx: Tx,
  requestIdHash: TokenHash,
  change: Partial<
    Pick<LinkRow, 'approvedBy' | 'lifetimeMinutes' | 'deniedAt' | 'consumedAt' | 'wrongVerifiers'>
  >,
): Promise<void> {
  await tx.updateTable('deviceLinks').set(change).where('requestIdHash', '=', requestIdHash).execute();
}

export async function deleteLinksBefore(db: Db, expiredBefore: number): Promise<void> {
  await db.deleteFrom('deviceLinks').where('expiresAt', '<=', expiredBefore).execute();
}

/** Denies the links that the user approved and whose device has not fetched its credential. */
export async function denyApprovedLinks(tx: Tx, userId: string, deniedAt: number): Promise<void> {
  await tx
    .updateTable('deviceLinks')
    .set({ deniedAt })
    .where('approvedBy', '=', userId)
    .where('consumedAt', 'is', null)
    .where('deniedAt', 'is', null)
    .execute();
}

export async function insertDevice(tx: Tx, device: DeviceRow): Promise<void> {
  await tx.insertInto('devices').values(device).execute();
}

export async function findDeviceByToken(db: Db, tokenHash: TokenHash): Promise<DeviceRow | null> {
  const [row] = await byToken(db, { tokenHash });
  return row ?? null;
}

const byToken = compiledOnce((db, { tokenHash }: { tokenHash: TokenHash }) =>
  db.selectFrom('devices').selectAll().where('tokenHash', '=', tokenHash),
);

export async function findDevice(db: Db, userId: string, deviceId: string): Promise<DeviceRow | null> {
  const [row] = await ofUser(db, { userId, deviceId });
  return row ?? null;
}

const ofUser = compiledOnce((db, { userId, deviceId }: { userId: string; deviceId: string }) =>
  db.selectFrom('devices').selectAll().where('id', '=', deviceId).where('userId', '=', userId),
);

export async function listDevices(db: Db, userId: string): Promise<DeviceRow[]> {
  return db
    .selectFrom('devices')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export async function touchDevice(db: Db, deviceId: string, lastSeenAt: number): Promise<void> {
  await db.updateTable('devices').set({ lastSeenAt }).where('id', '=', deviceId).execute();
}

/** Revokes one or all of the user's devices that are not revoked yet, and returns their ids. */
export async function revokeDevices(
  tx: Tx,
  userId: string,
  { deviceId, now }: { readonly deviceId?: string; readonly now: number },
): Promise<string[]> {
  let query = tx
    .updateTable('devices')
    .set({ revokedAt: now })
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null);
  if (deviceId !== undefined) query = query.where('id', '=', deviceId);
  const rows = await query.returning('id').execute();
  return rows.map(({ id }) => id).toSorted();
}

export async function deleteDevicesExpiredBefore(db: Db, expiredBefore: number): Promise<void> {
  await db.deleteFrom('devices').where('expiresAt', '<=', expiredBefore).execute();
}

/** The email address of the account that a device is linked to. */
export async function emailOf(db: Db, userId: string): Promise<string> {
  const row = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow();
  return row.email;
}
