/** The audit log, as workspace owners and platform administrators read it. */
import Type, { type Static } from 'typebox';
import { closed, nullable, recordId, timestamp } from './schema.ts';
import { auditActions } from './enums.ts';

export type AuditAction = (typeof auditActions)[number];

export const AuditEntry = closed(
  {
    entryId: recordId('aud'),
    at: timestamp,
    action: Type.Enum([...auditActions]),
    actorId: nullable(
      Type.String({ description: 'Who acted; null for a viewer without an account and for the service.' }),
    ),
    workspaceId: nullable(Type.String()),
    reportId: nullable(Type.String()),
    subjectId: nullable(
      Type.String({
        description: 'The object of the action: a share, a device, a user, an invitation or a support grant.',
      }),
    ),
    detail: nullable(Type.String({ description: 'One value, such as the role, the plan or the format.' })),
    count: Type.Integer({
      minimum: 1,
      description:
        'How often the action happened. Exports of one report in one format, and equal triage decisions about one report, by one actor within a minute form one entry. So do the queries of decisions by one device on one day (UTC). Each change of rights and each support access has an entry of its own.',
    }),
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;

/** An entry with the current display names; the log itself contains no names. */
export const WorkspaceAuditEntry = closed(
  {
    ...AuditEntry.properties,
    actorName: nullable(Type.String({ description: 'Null if the account was deleted, and for support.' })),
    subjectName: nullable(Type.String({ description: 'The name of a user; null for other subjects.' })),
  },
  { title: 'WorkspaceAuditEntry' },
);
export type WorkspaceAuditEntry = Static<typeof WorkspaceAuditEntry>;

/** The head of the log. Anyone who keeps it can later detect whether an entry up to it was removed or changed. */
export const AuditHead = closed(
  { sequence: Type.Integer({ minimum: 1 }), hash: Type.String({ pattern: '^[0-9a-f]{64}$' }) },
  { title: 'AuditHead' },
);
export type AuditHead = Static<typeof AuditHead>;
