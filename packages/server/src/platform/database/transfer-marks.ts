/**
 * The facts by which a database says that its data is being copied or was moved. No service starts on half of the data,
 * or on data that is no longer used.
 */
import { StartError } from '#start-error';
import type { Database, Db, ReadingDatabase, Tx } from './database.ts';
import { deleteFact, findFact, findFacts, putFact } from './deployment.ts';
import { COMPATIBLE_FROM } from './migrations/compatibility.ts';
import { PROBE } from './probe.ts';
import type { CopiedTo } from './transfer.ts';

/** In the source, from the first step on. */
const MOVED = 'moved';
/** In the target, until the copy is complete. */
const INCOMING = 'incoming';
/** In the target, once the copy is complete: the id of the transfer that filled it. */
const FILLED_BY = 'filled-by';
/** Facts about one database, which a copy of it does not have. */
const LEFT_OUT = new Set([MOVED, INCOMING, FILLED_BY, PROBE, COMPATIBLE_FROM]);

export interface MovedAway {
  readonly id: string;
  /** The destination, for people. */
  readonly to: string;
}

interface Incoming {
  readonly id: string;
  readonly copiedTo: CopiedTo | null;
}

/** @throws StartError when the data is only partly here, or is elsewhere. */
export async function rejectTransferred(database: ReadingDatabase, described: string): Promise<void> {
  const facts = await findFacts(database.read, [MOVED, INCOMING]);
  if (facts[INCOMING] !== undefined)
    throw new StartError(
      `${described} has only a part of its data. Run the same "svc-server move" or "svc-server restore" again until it has finished.`,
    );
  const moved = facts[MOVED];
  if (moved === undefined) return;
  const { to } = JSON.parse(moved) as MovedAway;
  throw new StartError(
    `${described} was moved to ${to}, or its move has begun. Set DATABASE_URL to use that one, or run "svc-server move --undo" to use this one again.`,
  );
}

export async function findMovedAway(db: Db): Promise<MovedAway | null> {
  const value = await findFact(db, MOVED);
  return value === null ? null : (JSON.parse(value) as MovedAway);
}

export async function putMovedAway(db: Db, moved: MovedAway): Promise<void> {
  await putFact(db, MOVED, JSON.stringify(moved));
}

/** Returns false when there was no such mark. */
export async function deleteMovedAway(db: Db): Promise<boolean> {
  return deleteFact(db, MOVED, null);
}

export type TargetState =
  | { readonly kind: 'new' }
  | { readonly kind: 'incoming'; readonly id: string; readonly copiedTo: CopiedTo | null }
  | { readonly kind: 'filled'; readonly id: string }
  /** Used by a service, or filled by something else. */
  | { readonly kind: 'used' };

export async function findTargetState(db: Db): Promise<TargetState> {
  const rows = await db.selectFrom('deployment').selectAll().execute();
  const facts = new Map(rows.map(({ name, value }) => [name, value]));
  const incoming = facts.get(INCOMING);
  if (incoming !== undefined) return { kind: 'incoming', ...(JSON.parse(incoming) as Incoming) };
  const id = facts.get(FILLED_BY);
  if (id !== undefined) return { kind: 'filled', id };
  return [...facts.keys()].every((name) => LEFT_OUT.has(name)) ? { kind: 'new' } : { kind: 'used' };
}

export async function beginIncoming(db: Db, id: string): Promise<void> {
  await putFact(db, INCOMING, JSON.stringify({ id, copiedTo: null } satisfies Incoming));
}

/**
 * Stores the checkpoint.
 * @throws StartError when another process copies into the same database.
 */
export async function keepIncoming(tx: Tx, before: Incoming, copiedTo: CopiedTo): Promise<Incoming> {
  const row = await tx
    .selectFrom('deployment')
    .select('value')
    .where('name', '=', INCOMING)
    .forUpdate()
    .executeTakeFirst();
  if (row?.value !== JSON.stringify(before))
    throw new StartError('Another process is copying into the same database. Let one of them finish.');
  const after: Incoming = { id: before.id, copiedTo };
  await putFact(tx, INCOMING, JSON.stringify(after));
  return after;
}

/** Copies the facts of the deployment. */
export async function copyFacts(from: Db, to: Tx): Promise<void> {
  const facts = await from.selectFrom('deployment').selectAll().execute();
  for (const { name, value } of facts) if (!LEFT_OUT.has(name)) await putFact(to, name, value);
}

/** Makes the target a usable database, with the facts of the source and the given ones. */
export async function finishIncoming(
  to: Database,
  from: Db,
  id: string,
  facts: Readonly<Record<string, string>>,
): Promise<void> {
  await to.transaction(async (tx) => {
    await copyFacts(from, tx);
    for (const [name, value] of Object.entries(facts)) await putFact(tx, name, value);
    await putFact(tx, FILLED_BY, id);
    await deleteFact(tx, INCOMING, null);
  });
}
