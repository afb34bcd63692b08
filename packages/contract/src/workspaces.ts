/** Workspaces, their members and invitations. */
import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { closed, line, recordId, timestamp } from './schema.ts';
import { PasswordTried } from './accounts.ts';
import { Plan } from './quota.ts';
import { roles } from './enums.ts';

export type Role = (typeof roles)[number];
export const Role = Type.Enum([...roles]);

export const workspaceKinds = ['personal', 'team'] as const;
export type WorkspaceKind = (typeof workspaceKinds)[number];
export const WorkspaceKind = Type.Enum([...workspaceKinds]);

export const CreateWorkspaceBody = closed({
  name: line(limits.workspaceNameLengthMin, limits.workspaceNameLengthMax),
});

export const Workspace = closed(
  {
    workspaceId: recordId('ws'),
    name: Type.String(),
    kind: WorkspaceKind,
    role: Role,
    plan: Plan,
    createdAt: timestamp,
  },
  { title: 'Workspace' },
);
export type Workspace = Static<typeof Workspace>;

export const Member = closed(
  {
    userId: recordId('usr'),
    email: Type.String(),
    displayName: Type.String(),
    role: Role,
    joinedAt: timestamp,
  },
  { title: 'Member' },
);
export type Member = Static<typeof Member>;

export const ChangeMemberBody = closed({ role: Role, password: PasswordTried });

export const InvitationCreated = closed({
  invitationId: recordId('inv'),
  url: Type.String(),
  expiresAt: timestamp,
});

export const Invitation = closed(
  {
    invitationId: recordId('inv'),
    workspaceName: Type.String(),
    invitedBy: Type.String({ description: 'Display name of the person who created the invitation.' }),
    expiresAt: timestamp,
  },
  { title: 'Invitation' },
);
export type Invitation = Static<typeof Invitation>;

/** An invitation that can be accepted, as owners of the workspace see it. Its URL was shown once. */
export const OpenInvitation = closed(
  {
    invitationId: recordId('inv'),
    createdAt: timestamp,
    expiresAt: timestamp,
    createdBy: closed({ userId: recordId('usr'), displayName: Type.String() }),
  },
  { title: 'OpenInvitation' },
);
export type OpenInvitation = Static<typeof OpenInvitation>;
