/** Whether a database takes writes, asked by writing: a full disk or a standby answers every read. */
import type { Db } from './database.ts';

export async function probeWrites(db: Db): Promise<void> {
  await db
    .insertInto('deployment')
    .values({ name: 'checked', value: '' })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '' }))
    .execute();
}
