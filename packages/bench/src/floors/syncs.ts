/**
 * The floor of a sync: its four calls with a token lookup, a quota row, the body as in the floor of uploads, and
 * group commit. Argument: the folder.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { writeDurably } from './durable-write.ts';
import { openGrouped } from './group-commit.ts';
import { checkReport } from './report-check.ts';
import { answerJson, readWhole, serve } from './serve.ts';

const [folder = ''] = process.argv.slice(2);

const { connection, write } = openGrouped(
  path.join(folder, 'floor.db'),
  `CREATE TABLE devices (token_hash BLOB PRIMARY KEY, user_id TEXT NOT NULL);
   CREATE TABLE quota (user_id TEXT PRIMARY KEY, used INTEGER NOT NULL, most INTEGER NOT NULL);
   CREATE TABLE reports (id TEXT PRIMARY KEY, user_id TEXT NOT NULL, local_id TEXT NOT NULL, state TEXT NOT NULL,
     upload_id TEXT, UNIQUE (user_id, local_id));
   CREATE TABLE uploads (id TEXT PRIMARY KEY, report_id TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL,
     received INTEGER NOT NULL DEFAULT 0);`,
);
const statements = {
  findUser: connection.prepare('SELECT user_id FROM devices WHERE token_hash = ?'),
  addDevice: connection.prepare('INSERT INTO devices VALUES (?, ?)'),
  addQuota: connection.prepare('INSERT INTO quota VALUES (?, 0, 1000000)'),
  reserve: connection.prepare(
    'UPDATE quota SET used = used + 1 WHERE user_id = ? AND used < most RETURNING used',
  ),
  quota: connection.prepare('SELECT used, most FROM quota WHERE user_id = ?'),
  addReport: connection.prepare("INSERT INTO reports VALUES (?, ?, ?, 'live', NULL)"),
  findReport: connection.prepare('SELECT state FROM reports WHERE id = ? AND user_id = ?'),
  addUpload: connection.prepare('INSERT INTO uploads (id, report_id, sha256, size) VALUES (?, ?, ?, ?)'),
  findUpload: connection.prepare('SELECT sha256, size, received FROM uploads WHERE id = ?'),
  receive: connection.prepare('UPDATE uploads SET received = 1 WHERE id = ?'),
  finalize: connection.prepare(
    "UPDATE reports SET state = 'finalized', upload_id = ? WHERE id = ? RETURNING id",
  ),
};

/** The only account; the suite registers its devices. */
const USER = 'user';
statements.addQuota.run(USER);

type Call = (id: string, request: IncomingMessage, response: ServerResponse) => Promise<void>;

const calls: Record<string, Call> = {
  async create(_id, request, response) {
    const { localReportId } = await bodyOf<{ localReportId: string }>(request);
    const id = randomUUID();
    const used = await write(() => {
      const reserved = statements.reserve.get(USER);
      if (reserved) statements.addReport.run(id, USER, localReportId);
      return reserved?.['used'];
    });
    answerJson(response, 201, { reportId: id, quota: { used } });
  },
  async declare(id, request, response) {
    const { sha256, byteLength } = await bodyOf<{ sha256: string; byteLength: number }>(request);
    const uploadId = randomUUID();
    const state = await write(() => {
      const report = statements.findReport.get(id, USER);
      if (report) statements.addUpload.run(uploadId, id, sha256, byteLength);
      return report?.['state'];
    });
    answerJson(response, state === 'live' ? 201 : 404, { uploadId });
  },
  async receive(id, request, response) {
    const upload = statements.findUpload.get(id);
    const bytes = await readWhole(request);
    if (checkReport(bytes) !== upload?.['sha256']) {
      answerJson(response, 400, {});
      return;
    }
    await writeDurably(folder, id, bytes);
    await write(() => statements.receive.run(id));
    answerJson(response, 200, { uploadId: id, received: true });
  },
  async finalize(id, request, response) {
    const { uploadId } = await bodyOf<{ uploadId: string }>(request);
    const isFinal = await write(() => {
      const upload = statements.findUpload.get(uploadId);
      return upload?.['received'] === 1 && statements.finalize.get(uploadId, id) !== undefined;
    });
    answerJson(response, isFinal ? 200 : 409, { reportId: id, quota: statements.quota.get(USER) });
  },
};

serve(async (request, response) => {
  const [, name = '', id = ''] = (request.url ?? '').split('/');
  const tokenHash = createHash('sha256')
    .update(request.headers.authorization ?? '')
    .digest();
  if (name === 'devices') {
    statements.addDevice.run(tokenHash, USER);
    answerJson(response, 201, {});
  } else if (statements.findUser.get(tokenHash) === undefined) answerJson(response, 401, {});
  else await calls[name]?.(id, request, response);
});

async function bodyOf<Body>(request: IncomingMessage): Promise<Body> {
  return JSON.parse(Buffer.from(await readWhole(request)).toString()) as Body;
}
