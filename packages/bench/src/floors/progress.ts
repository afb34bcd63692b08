/**
 * The floor of progress: parses events, checks them with the compiled schema, numbers and inserts them, with group
 * commit. Argument: the folder.
 */
import path from 'node:path';
import { ProgressBody, type ProgressEvent } from '@svc/contract';
import { validatorOf } from '@svc/contract/validation';
import { openGrouped } from './group-commit.ts';
import { answerJson, readWhole, serve } from './serve.ts';

const [folder = ''] = process.argv.slice(2);

const { connection, write } = openGrouped(
  path.join(folder, 'floor.db'),
  `CREATE TABLE reports (id TEXT PRIMARY KEY, last_number INTEGER NOT NULL);
   CREATE TABLE events (report_id TEXT NOT NULL, number INTEGER NOT NULL, event_id TEXT NOT NULL, type TEXT NOT NULL,
     occurred_at INTEGER NOT NULL, phase TEXT, safe_code TEXT, PRIMARY KEY (report_id, number),
     UNIQUE (report_id, event_id));`,
);
const takeNumbers = connection.prepare(
  `INSERT INTO reports VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET last_number = last_number + excluded.last_number
   RETURNING last_number`,
);
const insert = connection.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)');

serve(async (request, response) => {
  const [, reportId = ''] = (request.url ?? '').split('/');
  const body: unknown = JSON.parse(Buffer.from(await readWhole(request)).toString());
  if (!validatorOf(ProgressBody).Check(body)) {
    answerJson(response, 422, {});
    return;
  }
  const { events } = body as { events: ProgressEvent[] };
  await write(() => {
    const last = Number(takeNumbers.get(reportId, events.length)?.['last_number']);
    for (const [index, event] of events.entries()) {
      const { eventId, type, occurredAt, phase, safeCode } = event;
      const number = last - events.length + 1 + index;
      insert.run(reportId, number, eventId, type, Date.parse(occurredAt), phase ?? null, safeCode ?? null);
    }
  });
  answerJson(response, 200, { accepted: events.length, rejected: 0 });
});
