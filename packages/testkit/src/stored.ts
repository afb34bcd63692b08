/** The rows and files that a service has stored, for tests that check more than responses. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plan } from '@svc/contract';
import type { TestServer } from './server.ts';

const ROWS_AT_ONCE = 1000;

type Stored = Pick<TestServer, 'service'>;

/** The row of a report. */
export function reportRow({ service }: Stored, reportId: string) {
  const { read } = service.database;
  return read.selectFrom('reports').selectAll().where('id', '=', reportId).executeTakeFirstOrThrow();
}

/** Puts a workspace on a plan, as an administrator or a payment does. */
export async function setPlan({ service }: Stored, workspaceId: string, plan: Plan): Promise<void> {
  const { read } = service.database;
  await read.updateTable('workspaces').set({ plan }).where('id', '=', workspaceId).execute();
}

/** Inserts events of a report as if they had been sent, with phases and codes so that they have a realistic length. */
export async function storeEvents({ service }: Stored, reportId: string, count: number): Promise<void> {
  await service.database.transaction(async (tx) => {
    for (let from = 0; from < count; from += ROWS_AT_ONCE) {
      const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, count - from) }, (_, at) => ({
        reportId,
        number: from + at + 1,
        eventId: randomUUID(),
        type: 'phase_progressed' as const,
        occurredAt: 0,
        phase: 'static_analysis' as const,
        safeCode: 'ok' as const,
      }));
      await tx.insertInto('progressEvents').values(rows).execute();
    }
    await tx.updateTable('reports').set({ lastEventNumber: count }).where('id', '=', reportId).execute();
  });
}

/** Every value in every table as text, with one character per byte for binary values. */
export async function columnsOf({ service }: Stored): Promise<string[]> {
  const db = service.database.read;
  const values: unknown[] = [];
  for (const { name } of await db.introspection.getTables()) {
    const rows = await db
      .selectFrom(name as 'users')
      .selectAll()
      .execute();
    values.push(...rows.flatMap((row) => Object.values(row)));
  }
  return values.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
  );
}

/** The paths of all files in a folder and below it. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The files of report bodies and prepared projections in a data folder, without the file that marks their folder. */
export function blobFilesIn(dataDir: string): string[] {
  return filesIn(join(dataDir, 'blobs')).filter((file) => basename(file) !== '.deployment');
}

/** The contents of all files in a folder as text, with one character per byte. */
export function contentOfFilesIn(folder: string): string {
  return filesIn(folder)
    .map((file) => contentOf(file).toString('latin1'))
    .join('\n');
}

/** The files of a folder that contain any of the texts or bytes. */
export function filesHolding(folder: string, wanted: readonly (string | Buffer)[]): string[] {
  return filesIn(folder).filter((file) => {
    const content = contentOf(file);
    return wanted.some((part) => content.includes(part));
  });
}

/** The bytes of a file; empty if it is gone, since a running service deletes files after its response. */
export function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
