/** An account as its owner sees it. */
import type { User } from '@svc/contract';
import { isoTime } from '#platform/clock';
import { isAdministrator } from './administrator.ts';
import type { UserRow } from './store.ts';

export function toUser(row: UserRow, platformAdminEmail: string | null): User {
  return {
    userId: row.id,
    email: row.email,
    displayName: row.displayName,
    createdAt: isoTime(row.createdAt),
    isPlatformAdmin: isAdministrator(row, platformAdminEmail),
  };
}
