/** One suite for every database, which checks what the port promises. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestPostgres, postgresUrl } from '@svc/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '#app-error';
import { compiledOnce } from './compiled-once.ts';
import type { Database, Tx } from './database.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

interface TestDatabase {
  open(onEffectError?: (error: unknown) => void): Promise<Database>;
  remove(): Promise<void>;
}

async function makeSqlite(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-database-'));
  return {
    open: (onEffectError) => openSqlite(join(folder, 'svc.db'), { onEffectError }),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function makePostgres(): Promise<TestDatabase> {
  const { url, drop } = await createTestPostgres();
  return {
    open: (onEffectError) => openPostgres(url, () => undefined, { onEffectError }),
    remove: drop,
  };
}

const workspaceRow = (id: string) => ({ id, name: 'x', kind: 'team', plan: 'free', createdAt: 0 }) as const;
const projectRow = (id: string, workspaceId: string) => ({
  id,
  workspaceId,
  name: 'x',
  bindingPublicId: id,
  createdAt: 0,
  lastReportAt: null,
  openFindings: null,
  findingsVersion: 0,
  reportsCounted: 0,
  decisionsMade: 0,
  notesBytes: 0,
  notesToCheck: 0 as const,
});

describe('the database on SQLite', () => {
  suite(makeSqlite);
});
describe.skipIf(postgresUrl === undefined)('the database on PostgreSQL', () => {
  suite(makePostgres);
});

function suite(makeDatabase: () => Promise<TestDatabase>): void {
  let place: TestDatabase;
  let database: Database;
  let names = 0;

  beforeAll(async () => {
    place = await makeDatabase();
    database = await place.open();
  });
  afterAll(async () => {
    await database.close();
    await place.remove();
  });

  const freshName = () => {
    names += 1;
    return `name-${names}`;
  };
  const write = (tx: Tx, name: string, value: string) =>
    tx.insertInto('deployment').values({ name, value }).execute();
  async function read(name: string, from: Pick<Database, 'read'> = database): Promise<string | undefined> {
    const row = await from.read
      .selectFrom('deployment')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.value;
  }

  test('a transaction commits as a whole, and returns what its work returned', async () => {
    const [one, other] = [freshName(), freshName()];
    const result = await database.transaction(async (tx) => {
      await write(tx, one, '1');
      await write(tx, other, '2');
      return 'done';
    });
    expect([result, await read(one), await read(other)]).toEqual(['done', '1', '2']);
  });

  test.each([
    ['an error', new Error('no')],
    ['a rejection', new AppError('CONFLICT')],
  ])(
    '%s thrown by the work is thrown by the transaction, and its changes are rolled back',
    async (_, thrown) => {
      const name = freshName();
      const failing = database.transaction(async (tx) => {
        await write(tx, name, '1');
        throw thrown;
      });
      await expect(failing).rejects.toBe(thrown);
      expect(await read(name)).toBeUndefined();
    },
  );

  test('a failed statement fails the transaction, and the next one succeeds', async () => {
    const name = freshName();
    const failing = database.transaction(async (tx) => {
      await write(tx, name, '1');
      await write(tx, name, '2');
    });
    await expect(failing).rejects.toThrow(/unique|duplicate/i);
    expect(await read(name)).toBeUndefined();
    await database.transaction((tx) => write(tx, name, '3'));
    expect(await read(name)).toBe('3');
  });

  test('uncommitted changes are invisible to others', async () => {
    const name = freshName();
    const other = await place.open();
    try {
      await database.transaction(async (tx) => {
        await write(tx, name, '1');
        expect(await read(name, other)).toBeUndefined();
      });
      expect(await read(name, other)).toBe('1');
    } finally {
      await other.close();
    }
  });

  test('a compiled query uses the values of each call, within transactions too', async () => {
    let compiled = 0;
    const between = compiledOnce((db, { not, first, last }: Record<'not' | 'first' | 'last', string>) => {
      compiled += 1;
      return db
        .selectFrom('deployment')
        .select(['name', 'value'])
        .where('name', '>=', first)
        .where('name', '<=', last)
        .where('name', '<>', sql.lit('between-2'))
        .where((eb) => eb.or([eb('name', '<>', not), eb('value', '=', first), eb('value', '=', last)]))
        .orderBy('name');
    });
    const seen = await database.transaction(async (tx) => {
      for (const number of [1, 2, 3, 4]) await write(tx, `between-${number}`, `${number}`);
      return between(tx, { not: 'between-4', last: 'between-4', first: 'between-1' });
    });
    expect(seen).toEqual([
      { name: 'between-1', value: '1' },
      { name: 'between-3', value: '3' },
    ]);
    const asked = { not: 'between-3', last: 'between-4', first: 'between-3' };
    expect(await between(database.read, asked)).toEqual([{ name: 'between-4', value: '4' }]);
    const other = await place.open();
    expect(await between(other.read, asked)).toEqual([{ name: 'between-4', value: '4' }]);
    await other.close();
    expect(compiled).toBe(2);
  });

  test('a compiled query takes rows and lists, and is compiled once for each length', async () => {
    let compiled = 0;
    const insert = compiledOnce((db, { rows }: { rows: { name: string; value: string }[] }) => {
      compiled += 1;
      return db.insertInto('deployment').values(rows).returning('name');
    });
    const among = compiledOnce((db, { wanted }: { wanted: string[] }) =>
      db.selectFrom('deployment').select(['name', 'value']).where('name', 'in', wanted).orderBy('name'),
    );
    const rowsOf = (...given: string[]) => given.map((name) => ({ name, value: `of ${name}` }));
    const inserted = await insert(database.read, { rows: rowsOf('rows-1', 'rows-2') });
    expect(inserted).toEqual([{ name: 'rows-1' }, { name: 'rows-2' }]);
    await database.transaction(async (tx) => {
      await insert(tx, { rows: rowsOf('rows-3', 'rows-4') });
      await insert(tx, { rows: rowsOf('rows-5') });
    });
    expect(await among(database.read, { wanted: ['rows-5', 'rows-2'] })).toEqual(rowsOf('rows-2', 'rows-5'));
    expect(compiled).toBe(2);
    await expect(insert(database.read, { rows: rowsOf('rows-6', 'rows-1') })).rejects.toThrow(
      /unique|duplicate/i,
    );
    expect(await among(database.read, { wanted: ['rows-6'] })).toEqual([]);
  });

  test('parallel changes of a row that was read with its lock lose nothing', async () => {
    const name = freshName();
    await database.transaction((tx) => write(tx, name, '0'));
    const increment = () =>
      database.transaction(async (tx) => {
        const row = await tx
          .selectFrom('deployment')
          .select('value')
          .where('name', '=', name)
          .forUpdate()
          .executeTakeFirstOrThrow();
        await tx
          .updateTable('deployment')
          .set({ value: String(Number(row.value) + 1) })
          .where('name', '=', name)
          .execute();
      });
    await Promise.all(Array.from({ length: 50 }, increment));
    expect(await read(name)).toBe('50');
  });

  test('transactions that lock the same name run one after the other', async () => {
    const steps: string[] = [];
    const locking = (name: string, locked: readonly string[]) =>
      database.transaction(async (tx) => {
        await database.lockNames(tx, locked);
        steps.push(`${name} begins`);
        await tx.selectFrom('deployment').selectAll().execute();
        steps.push(`${name} ends`);
      });
    const all = Array.from({ length: 5 }, (_, at) =>
      // Locks in both orders, and with a duplicate name.
      locking(`${at}`, at % 2 === 0 ? ['a', 'b', 'a'] : ['b', 'a']),
    );
    await locking('none', []);
    await Promise.all(all);
    const ofThose = steps.filter((step) => !step.startsWith('none'));
    expect(ofThose).toHaveLength(10);
    for (let at = 0; at < 10; at += 2) expect(ofThose[at + 1]).toBe(ofThose[at]?.replace('begins', 'ends'));
  });

  test('a name is free again after a rollback', async () => {
    const failing = database.transaction(async (tx) => {
      await database.lockNames(tx, ['a']);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await database.transaction((tx) => database.lockNames(tx, ['a']));
  });

  test('of parallel inserts of the same unique value, one succeeds and the others detect that', async () => {
    const name = freshName();
    const insert = (value: string) =>
      database.transaction(async (tx) => {
        const inserted = await tx
          .insertInto('deployment')
          .values({ name, value })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .returning('name')
          .executeTakeFirst();
        return inserted !== undefined;
      });
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => insert(String(index))));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await read(name)).toBe(String(outcomes.indexOf(true)));
  });

  test('bytes, large numbers, nulls and every character are read as they were written', async () => {
    const [workspaceId, id] = [freshName(), freshName()];
    const text = 'Zoë 🦉 \u202e ‘’ "\' \\ %_ \n\t';
    const createdAt = Date.parse('9999-12-31T23:59:59.999Z');
    const workspace = { ...workspaceRow(workspaceId), name: text, createdAt };
    const project = { ...projectRow(id, workspaceId), name: text };
    await database.transaction(async (tx) => {
      await tx.insertInto('workspaces').values(workspace).execute();
      await tx.insertInto('projects').values(project).execute();
    });
    const { read: from } = database;
    const workspaces = await from
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', workspaceId)
      .execute();
    expect(workspaces).toEqual([workspace]);
    const projects = await from.selectFrom('projects').selectAll().where('id', '=', id).execute();
    expect(projects).toMatchObject([project]);
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await database.read
      .insertInto('deviceLinks')
      .values({
        requestIdHash: bytes as never,
        verifierHash: bytes,
        deviceName: '',
        clientVersion: '',
        osFamily: '',
        arch: '',
        createdAt: 1,
        expiresAt: 1,
        approvedBy: null,
        deniedAt: null,
        consumedAt: null,
        wrongVerifiers: 0,
      })
      .execute();
    const link = await database.read
      .selectFrom('deviceLinks')
      .select('verifierHash')
      .where('requestIdHash', '=', bytes as never)
      .executeTakeFirst();
    expect(Buffer.compare(Buffer.from(link?.verifierHash ?? []), Buffer.from(bytes))).toBe(0);
  });

  test('a reference to a missing row is rejected, and a row is deleted with the row it refers to', async () => {
    const workspaceId = freshName();
    const project = projectRow(freshName(), workspaceId);
    const insert = () => database.transaction((tx) => tx.insertInto('projects').values(project).execute());
    await expect(insert()).rejects.toThrow(/foreign key/i);
    const workspace = workspaceRow(workspaceId);
    await database.transaction((tx) => tx.insertInto('workspaces').values(workspace).execute());
    await insert();
    await database.transaction((tx) => tx.deleteFrom('workspaces').where('id', '=', workspaceId).execute());
    const left = await database.read
      .selectFrom('projects')
      .select('id')
      .where('id', '=', project.id)
      .execute();
    expect(left).toEqual([]);
  });

  test('effects run in order after the commit, and before anyone who waits for it continues', async () => {
    const name = freshName();
    const order: string[] = [];
    const transaction = database.transaction(async (tx) => {
      database.afterCommit(tx, () => order.push('first'));
      await write(tx, name, '1');
      database.afterCommit(tx, () => order.push('second'));
      order.push('work');
    });
    await transaction.then(() => order.push('continuation'));
    expect(order).toEqual(['work', 'first', 'second', 'continuation']);
  });

  test('the last work of a transaction runs after everything else in it, in order, and is part of it', async () => {
    const [name, last] = [freshName(), freshName()];
    const order: string[] = [];
    await database.transaction(async (tx) => {
      database.afterCommit(tx, () => order.push('effect'));
      database.beforeCommit(tx, async () => {
        order.push('last');
        expect(await read(name, { read: tx })).toBe('1');
        await write(tx, last, '2');
      });
      database.beforeCommit(tx, async () => void order.push('very last'));
      await write(tx, name, '1');
      order.push('work');
    });
    expect(order).toEqual(['work', 'last', 'very last', 'effect']);
    expect(await read(last)).toBe('2');
  });

  test('last work that fails rolls everything back, and does not run after an earlier failure', async () => {
    const name = freshName();
    const ran: string[] = [];
    const failed = database.transaction(async (tx) => {
      database.afterCommit(tx, () => ran.push('effect'));
      database.beforeCommit(tx, () => Promise.reject(new AppError('CONFLICT')));
      await write(tx, name, '1');
    });
    await expect(failed).rejects.toThrow(AppError);
    const rejected = database.transaction(async (tx) => {
      database.beforeCommit(tx, async () => void ran.push('last'));
      await write(tx, name, '1');
      throw new AppError('CONFLICT');
    });
    await expect(rejected).rejects.toThrow(AppError);
    expect([await read(name), ran]).toEqual([undefined, []]);
  });

  test('an effect sees the committed changes', async () => {
    const name = freshName();
    const seen = await new Promise<string | undefined>((resolve, reject) => {
      database
        .transaction(async (tx) => {
          database.afterCommit(tx, () => void read(name).then(resolve, reject));
          await write(tx, name, '1');
        })
        .catch(reject);
    });
    expect(seen).toBe('1');
  });

  test('effects of a transaction that is rolled back never run, whether its work or a statement failed', async () => {
    const name = freshName();
    const effects: string[] = [];
    const rejected = database.transaction(async (tx) => {
      database.afterCommit(tx, () => effects.push('rejected'));
      await write(tx, name, '1');
      throw new AppError('CONFLICT');
    });
    await expect(rejected).rejects.toThrow(AppError);
    const failed = database.transaction(async (tx) => {
      database.afterCommit(tx, () => effects.push('failed'));
      await write(tx, name, '1');
      await write(tx, name, '2');
    });
    await expect(failed).rejects.toThrow(/unique|duplicate/i);
    await database.transaction(async (tx) => {
      database.afterCommit(tx, () => effects.push('committed'));
      await write(tx, name, '3');
    });
    expect(effects).toEqual(['committed']);
  });

  test('an effect that throws is reported, and neither stops the others nor fails the transaction', async () => {
    const reported: unknown[] = [];
    const other = await place.open((error) => reported.push(error));
    const fault = new Error('an effect must not throw');
    const name = freshName();
    let ran = false;
    const result = await other.transaction(async (tx) => {
      other.afterCommit(tx, () => {
        throw fault;
      });
      other.afterCommit(tx, () => void (ran = true));
      await write(tx, name, '1');
      return 'committed';
    });
    expect([result, ran, reported, await read(name)]).toEqual(['committed', true, [fault], '1']);
    await other.close();
  });

  test('an effect for a transaction that has ended is rejected, because it would never run', async () => {
    let over: Tx | undefined;
    await database.transaction((tx) => Promise.resolve((over = tx)));
    expect(() => database.afterCommit(over as Tx, () => undefined)).toThrow(TypeError);
    const failing = database.transaction((tx) => {
      over = tx;
      return Promise.reject(new Error('no'));
    });
    await expect(failing).rejects.toThrow('no');
    expect(() => database.afterCommit(over as Tx, () => undefined)).toThrow(TypeError);
  });

  test('the check succeeds when the database can be read and written', async () => {
    await expect(database.check()).resolves.toBeUndefined();
  });

  test('[D15] opening the database again, even several times simultaneously, keeps everything', async () => {
    const name = freshName();
    await database.transaction((tx) => write(tx, name, 'kept'));
    const migrations = () => sql`select name from kysely_migration order by name`.execute(database.read);
    const before = await migrations();
    const again = await Promise.all([place.open(), place.open(), place.open()]);
    expect(await Promise.all(again.map((other) => read(name, other)))).toEqual(['kept', 'kept', 'kept']);
    for (const other of again) await other.close();
    expect((await migrations()).rows).toEqual(before.rows);
  });
}
