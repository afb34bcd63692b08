/** Collects the data of one account as one JSON value. Times are in ISO 8601, and stored JSON is parsed. */
import { isoTime, isoTimeOrNull } from '#platform/clock';
import type { Db } from '#platform/database/database';
import * as store from './store.ts';

const ROWS_AT_ONCE = 500;

export type AccountExport = Readonly<Record<string, unknown>>;

/** What is needed to read the body of a report that the account owns; `uploadId` is null without a body. */
export interface ExportedReport {
  readonly id: string;
  readonly wrappedKey: Uint8Array | null;
  readonly uploadId: string | null;
}

export type MessageOpener = (
  report: Pick<ExportedReport, 'id' | 'wrappedKey'>,
  share: { readonly shareId: string; readonly message: Uint8Array },
) => Promise<string | null>;

/** What the export does not contain, and why. */
const NOT_BY_ACCOUNT = [
  'Passwords, recovery codes, session cookies, device tokens, share links and share passwords are stored as hashes and are not exported.',
  'Usage counts are stored without accounts. Whether they are sent is set in the browser and on the machine of the CLI.',
  'Rate limits are counted for at most a day under digests of addresses and accounts.',
  'What a project knows about findings is stored as keyed digests, without names of people.',
];

/** A note as it is stored, with the key that opens it. */
export interface SealedNote {
  readonly projectId: string;
  readonly number: number;
  readonly note: Uint8Array | null;
  readonly notesKey: Uint8Array | null;
}

/** Opens the notes of triage decisions. */
export type OpenNote = (sealed: SealedNote) => string | null;

export interface AccountOpeners {
  readonly message: MessageOpener;
  /** Called only when there are notes. */
  readonly noteOpener: () => Promise<OpenNote>;
}

/**
 * @param onReport called after each batch of reports, with the number of reports read so far.
 * @param openers decrypt the messages of shares and the notes of triage decisions.
 * @returns null when the account no longer exists.
 */
export async function exportAccount(
  db: Db,
  userId: string,
  onReport: (count: number) => void,
  openers: AccountOpeners,
): Promise<{ readonly content: AccountExport; readonly bodies: readonly ExportedReport[] } | null> {
  const account = await store.findAccount(db, userId);
  if (account === undefined) return null;
  const devices = await store.listDevices(db, userId);
  const memberships = await store.listMemberships(db, userId);
  const workspaceIds = memberships.map(({ id }) => id);
  const owned = memberships.filter(({ role }) => role === 'owner').map(({ id }) => id);
  const { reports, bodies } = await reportsOf(db, userId, onReport);
  const content = {
    account: {
      userId: account.id,
      email: account.email,
      displayName: account.displayName,
      signedUpAsAdministrator: account.adminFlag === 1,
      createdAt: isoTime(account.createdAt),
    },
    sessions: (await store.listSessions(db, userId)).map(readable),
    devices: devices.map(readable),
    deviceLinkApprovals: (await store.listApprovals(db, userId)).map(readable),
    workspaces: memberships.map(readable),
    subscriptions: (await store.listSubscriptions(db, owned)).map(readable),
    invitations: (await store.listInvitations(db, userId)).map(readable),
    projects: (await store.listProjects(db, workspaceIds)).map(readable),
    quota: {
      usage: (await store.listQuotaUsage(db, userId)).map(readable),
      reservations: (await store.listQuotaReservations(db, userId)).map(readable),
    },
    reports,
    triageDecisions: (await store.listDecisions(db, userId)).map(readable),
    decisionTexts: await decisionTextsOf(db, userId, openers.noteOpener),
    shares: await sharesOf(db, userId, openers.message),
    namedInSharesOfOthers: (await store.listNamedIn(db, userId, account.email)).map(readable),
    supportGrants: await grantsOf(db, userId),
    audit: await auditOf(db, userId, [userId, ...devices.map(({ id }) => id)]),
    notByAccount: NOT_BY_ACCOUNT,
  };
  return { content, bodies };
}

async function reportsOf(db: Db, userId: string, onReport: (count: number) => void) {
  const reports: unknown[] = [];
  const bodies: ExportedReport[] = [];
  for (let after = ''; ;) {
    const rows = await store.listReports(db, userId, after, ROWS_AT_ONCE);
    const events =
      rows.length === 0
        ? []
        : await store.listProgress(
            db,
            rows.map(({ id }) => id),
          );
    const byReport = Map.groupBy(events, ({ reportId }) => reportId);
    for (const { wrappedKey, uploadId, ...row } of rows) {
      if (row.ownerId === userId) bodies.push({ id: row.id, wrappedKey, uploadId });
      const progress = (byReport.get(row.id) ?? []).map(({ reportId: _, ...event }) => readable(event));
      reports.push({ ...readable(row), progress });
    }
    onReport(reports.length);
    if (rows.length < ROWS_AT_ONCE) return { reports, bodies };
    after = rows.at(-1)?.id ?? after;
  }
}

async function decisionTextsOf(
  db: Db,
  userId: string,
  noteOpener: () => Promise<OpenNote>,
): Promise<unknown[]> {
  const rows = await store.listDecisionTexts(db, userId);
  const open = rows.some(({ note }) => note !== null) ? await noteOpener() : () => null;
  return rows.map(({ note, notesKey, until, ...row }) => ({
    ...readable(row),
    until: isoTimeOrNull(until),
    note: open({ projectId: row.projectId, number: row.number, note, notesKey }),
  }));
}

async function sharesOf(db: Db, userId: string, openMessage: MessageOpener): Promise<unknown[]> {
  const principals = Map.groupBy(await store.listPrincipals(db, userId), ({ shareId }) => shareId);
  const shares: unknown[] = [];
  for (const { wrappedKey, message, ...share } of await store.listShares(db, userId)) {
    const named = principals.get(share.id) ?? [];
    shares.push({
      ...readable(share),
      message:
        message && (await openMessage({ id: share.reportId, wrappedKey }, { shareId: share.id, message })),
      principals: named.map(({ shareId: _, ...principal }) => readable(principal)),
    });
  }
  return shares;
}

async function grantsOf(db: Db, userId: string): Promise<unknown[]> {
  const grants = await store.listGrants(db, userId);
  const uses = await store.listGrantUses(
    db,
    grants.map(({ id }) => id),
  );
  const byGrant = Map.groupBy(uses, ({ grantId }) => grantId);
  return grants.map((grant) => ({
    ...readable(grant),
    usedAt: (byGrant.get(grant.id) ?? []).map(({ usedAt }) => isoTime(usedAt)),
  }));
}

async function auditOf(db: Db, actorId: string, subjectIds: readonly string[]): Promise<unknown[]> {
  const entries: unknown[] = [];
  for (let after = 0; ;) {
    const rows = await store.listAudit(db, subjectIds, { actorId, after, most: ROWS_AT_ONCE });
    entries.push(...rows.map(({ count, ...row }) => ({ ...readable(row), count: count ?? 1 })));
    if (rows.length < ROWS_AT_ONCE) return entries;
    after = rows.at(-1)?.sequence ?? after;
  }
}

/** Columns that hold JSON. */
const JSON_COLUMNS = new Set(['agent', 'host', 'openFindings', 'defaultPolicy', 'policy']);
/** Columns that hold 0 or 1. */
const FLAG_COLUMNS = new Set(['anonymousAllowed', 'hasPassword', 'showSender', 'cancelAtPeriodEnd']);

/** The row in readable form: times in ISO 8601, flags as booleans, JSON parsed and bytes in hexadecimal. */
function readable(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]: [string, unknown]) => [column, readableValue(column, value)]),
  );
}

function readableValue(column: string, value: unknown): unknown {
  if (value === null) return null;
  if (typeof value === 'number' && (column === 'at' || /(?:At|PeriodEnd)$/.test(column)))
    return isoTimeOrNull(value);
  if (FLAG_COLUMNS.has(column)) return Boolean(value);
  if (JSON_COLUMNS.has(column) && typeof value === 'string') return JSON.parse(value) as unknown;
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
