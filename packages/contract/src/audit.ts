/** The audit log, as owners of workspaces and the platform's administrator read it. */
import Type, { type Static } from 'typebox';
import { closed, nullable, recordId, timestamp } from './schema.ts';
import { auditActions } from './words.ts';

export type AuditAction = (typeof auditActions)[number];

export const AuditEntry = closed(
  {
    entryId: recordId('aud'),
    at: timestamp,
    action: Type.Enum([...auditActions]),
    actorId: nullable(
      Type.String({ description: 'Who did it; null for a viewer without an account and for the service.' }),
    ),
    workspaceId: nullable(Type.String()),
    reportId: nullable(Type.String()),
    subjectId: nullable(
      Type.String({ description: 'What it was done to: a link, a device, a user, an invitation, a grant.' }),
    ),
    detail: nullable(Type.String({ description: 'One word, such as the role, the plan or the format.' })),
    count: Type.Integer({
      minimum: 1,
      description:
        'How often it was done: exports by one actor of one report and format within a minute are one entry.',
    }),
  },
  { title: 'AuditEntry' },
);
export type AuditEntry = Static<typeof AuditEntry>;

/** With what people are called now; the log itself holds no names. */
export const WorkspaceAuditEntry = closed(
  {
    ...AuditEntry.properties,
    actorName: nullable(Type.String({ description: 'Null once the account is gone, and for support.' })),
    subjectName: nullable(Type.String({ description: 'Of a user; else null.' })),
  },
  { title: 'WorkspaceAuditEntry' },
);
export type WorkspaceAuditEntry = Static<typeof WorkspaceAuditEntry>;

/** Where the log ends: who keeps it can tell later whether anything up to there was taken away or changed. */
export const AuditHead = closed(
  { sequence: Type.Integer({ minimum: 1 }), hash: Type.String({ pattern: '^[0-9a-f]{64}$' }) },
  { title: 'AuditHead' },
);
export type AuditHead = Static<typeof AuditHead>;
