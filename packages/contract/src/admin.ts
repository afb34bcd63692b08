/** Platform administration: counts, plans, the audit log, and reading a report under a support grant. */
import Type, { type Static } from 'typebox';
import { PasswordAgainBody } from './accounts.ts';
import { AuditEntry } from './audit.ts';
import { readyChecks } from './health.ts';
import { limits } from './limits.ts';
import { ReportProjection } from './projections.ts';
import { Plan, plans } from './quota.ts';
import {
  closed,
  codePointsWithin,
  idGiven,
  LENGTH_KEY,
  nullable,
  recordId,
  time,
  timestamp,
} from './schema.ts';
import { WorkspaceKind } from './workspaces.ts';

const { supportGrant: bounds } = limits;
const count = Type.Integer({ minimum: 0 });

/** How often each event happened within a period that ends now. */
const Activity = closed(
  {
    signUps: count,
    devicesLinked: count,
    reportsSynced: count,
    exports: count,
    sharesMade: count,
    supportAccesses: count,
  },
  { title: 'Activity' },
);
export type Activity = Static<typeof Activity>;

const plansOf = Object.fromEntries(plans.map((plan) => [plan, count])) as Record<Plan, typeof count>;

export const AdminOverview = closed(
  {
    at: timestamp,
    accounts: count,
    devices: Type.Integer({ minimum: 0, description: 'Devices that are not revoked.' }),
    workspaces: closed({ personal: count, team: count }),
    plans: closed(plansOf),
    projects: count,
    reports: closed({ live: count, finalized: count }),
    shares: Type.Integer({ minimum: 0, description: 'Share links that are active now.' }),
    supportGrants: Type.Integer({ minimum: 0, description: 'Support grants that are active now.' }),
    lastDay: Activity,
    lastWeek: Activity,
  },
  { title: 'AdminOverview', description: 'Counts of the whole service.' },
);
export type AdminOverview = Static<typeof AdminOverview>;

const size = Type.Integer({ minimum: 0 });

export const AdminHealth = closed(
  {
    at: timestamp,
    version: Type.String(),
    offeredRelease: nullable(
      Type.String({
        description: 'The version in the release manifest; null without a manifest that can be used.',
      }),
    ),
    lastBackupAt: nullable(
      Type.String({
        format: 'date-time',
        description: 'When `backup` last finished for this data folder; null if it never did.',
      }),
    ),
    dependencies: readyChecks,
    process: closed(
      {
        startedAt: timestamp,
        disk: nullable(
          closed(
            { freeBytes: size, sizeBytes: size },
            { description: 'The file system of the data folder; null if it does not answer.' },
          ),
        ),
        requestsUnderWay: count,
        streams: closed({ open: count, max: count }),
        queues: Type.Array(
          closed({
            name: Type.String(),
            waiting: count,
            rejected: Type.Integer({ minimum: 0, description: 'Since the process started.' }),
          }),
        ),
        jobs: Type.Array(
          closed({
            name: Type.String(),
            last: nullable(
              closed(
                {
                  at: timestamp,
                  result: Type.Enum(['done', 'failed', 'elsewhere'], {
                    description: '`elsewhere`: another replica was running the job.',
                  }),
                  tookMs: count,
                },
                { description: 'Null until the first run.' },
              ),
            ),
          }),
        ),
        errors: Type.Array(closed({ code: Type.String(), count }), {
          description:
            'Error responses by code in this hour and the 23 hours before it; the most frequent first.',
        }),
      },
      { description: 'Figures of the process that served this request. Each replica has its own.' },
    ),
  },
  { title: 'AdminHealth', description: 'The state of the service.' },
);
export type AdminHealth = Static<typeof AdminHealth>;

export const AdminWorkspace = closed(
  {
    workspaceId: recordId('ws'),
    name: Type.String(),
    kind: WorkspaceKind,
    plan: Plan,
    ownerEmail: nullable(Type.String({ description: 'Email of the owner who joined first.' })),
    members: count,
    projects: count,
    reports: Type.Integer({ minimum: 0, description: 'Reports that have not expired.' }),
    createdAt: timestamp,
  },
  { title: 'AdminWorkspace' },
);
export type AdminWorkspace = Static<typeof AdminWorkspace>;

export const ChangePlanBody = closed({ plan: Plan }, { title: 'ChangePlan' });

/** An entry with its position in the log of the whole service. */
export const AdminAuditEntry = closed(
  { sequence: Type.Integer({ minimum: 1 }), ...AuditEntry.properties },
  { title: 'AdminAuditEntry' },
);
export type AdminAuditEntry = Static<typeof AdminAuditEntry>;

const Reason = Type.Refine(
  Type.String({
    [LENGTH_KEY]: [bounds.reasonLengthMin, bounds.reasonLengthMax],
    description: 'Shown to the owner of the report. Leading and trailing white space is removed.',
  }),
  (value) =>
    codePointsWithin(value.trim(), bounds.reasonLengthMin, bounds.reasonLengthMax) && value.isWellFormed(),
  () => `must be text of ${bounds.reasonLengthMin} to ${bounds.reasonLengthMax} characters`,
);

export const CreateSupportGrantBody = closed(
  { reportId: idGiven, reason: Reason, expiresAt: time, password: PasswordAgainBody.properties.password },
  { title: 'CreateSupportGrant' },
);
export type CreateSupportGrantBody = Static<typeof CreateSupportGrantBody>;

export const SupportGrant = closed(
  {
    grantId: recordId('grt'),
    reportId: recordId('rep'),
    administratorId: recordId('usr'),
    reason: nullable(Type.String({ description: 'Null once the report has expired.' })),
    active: Type.Boolean({ description: 'Whether the grant gives access to the report now.' }),
    createdAt: timestamp,
    expiresAt: timestamp,
    revokedAt: nullable(timestamp),
    uses: count,
    lastUsedAt: nullable(timestamp),
  },
  { title: 'SupportGrant' },
);
export type SupportGrant = Static<typeof SupportGrant>;

/** A report read under a support grant. */
export const SupportRead = closed(
  {
    reportId: recordId('rep'),
    state: Type.Enum(['live', 'finalized']),
    createdAt: timestamp,
    finalizedAt: nullable(timestamp),
    expiresAt: timestamp,
    grant: SupportGrant,
    report: nullable(ReportProjection),
  },
  { title: 'SupportRead' },
);
export type SupportRead = Static<typeof SupportRead>;
