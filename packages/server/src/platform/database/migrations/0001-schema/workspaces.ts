/** Workspaces with their members, invitations and projects, and how much of their quota users have spent. */
import type { Statements } from '../migration.ts';

export const workspaces: Statements = ({ bytes }) => [
  `create table workspaces (
    id text primary key,
    name text not null,
    kind text not null,
    plan text not null,
    created_at bigint not null
  )`,

  `create table memberships (
    workspace_id text not null references workspaces (id) on delete cascade,
    user_id text not null references users (id) on delete cascade,
    role text not null,
    joined_at bigint not null,
    constraint memberships_key primary key (workspace_id, user_id)
  )`,
  `create index memberships_by_user on memberships (user_id)`,

  `create table invitations (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    token_hash ${bytes} not null unique,
    invited_by text not null references users (id) on delete cascade,
    accepted_by text references users (id) on delete cascade,
    created_at bigint not null,
    expires_at bigint not null,
    revoked_at bigint
  )`,
  `create index invitations_by_workspace on invitations (workspace_id)`,
  `create index invitations_by_inviter on invitations (invited_by)`,
  `create index invitations_by_accepter on invitations (accepted_by)`,
  `create index invitations_by_expiry on invitations (expires_at)`,

  `create table projects (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    name text not null,
    binding_public_id text not null unique,
    open_findings text,
    findings_version integer not null,
    reports_counted integer not null,
    decisions_made integer not null,
    notes_key ${bytes},
    notes_bytes integer not null,
    notes_to_check integer not null,
    created_at bigint not null,
    last_report_at bigint,
    lapses_at bigint
  )`,
  `create index projects_by_workspace on projects (workspace_id)`,
  `create index projects_by_lapse on projects (lapses_at) where lapses_at is not null`,
  `create index projects_with_notes_to_check on projects (id) where notes_to_check = 1`,

  `create table quota_usage (
    user_id text not null references users (id) on delete cascade,
    "window" text not null,
    starts_at bigint not null,
    used integer not null,
    constraint quota_usage_key primary key (user_id, "window", starts_at)
  )`,
  `create index quota_usage_by_start on quota_usage (starts_at)`,

  `create table quota_reservations (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    day_starts_at bigint not null,
    week_starts_at bigint not null,
    lapses_at bigint not null
  )`,
  `create index quota_reservations_by_user on quota_reservations (user_id, lapses_at)`,
  `create index quota_reservations_by_lapse on quota_reservations (lapses_at)`,
];
