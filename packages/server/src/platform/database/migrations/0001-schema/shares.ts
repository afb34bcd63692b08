/** Shares of reports with their principals, and the reports as prepared under the policies of shares. */
import type { Statements } from '../migration.ts';

export const shares: Statements = ({ bytes }) => [
  `create table shares (
    id text primary key,
    report_id text not null references reports (id) on delete cascade,
    created_by text,
    slug_hash ${bytes} not null unique,
    label text,
    mode text not null,
    password_hash text,
    anonymous_allowed integer not null,
    show_sender integer not null,
    policy_digest text,
    policy_version integer not null,
    view_count integer not null,
    created_at bigint not null,
    expires_at bigint,
    revoked_at bigint,
    ended_at bigint,
    last_viewed_at bigint,
    message ${bytes},
    default_policy text
  )`,
  `create index shares_by_report on shares (report_id, created_at)`,
  // Counts active shares without reading their policies.
  `create index shares_not_revoked on shares (expires_at) where revoked_at is null and ended_at is null`,
  `create index shares_to_forget on shares (ended_at) where ended_at is not null`,

  `create table share_principals (
    share_id text not null references shares (id) on delete cascade,
    position integer not null,
    type text not null,
    value text not null,
    user_id text,
    label text,
    policy_digest text,
    policy text,
    constraint share_principals_by_position primary key (share_id, position),
    constraint share_principals_by_value unique (share_id, type, value)
  )`,
  `create index share_principals_by_account on share_principals (share_id, type, user_id)`,
  `create index share_principals_without_account on share_principals (value)
    where type = 'email' and user_id is null`,

  `create table prepared_projections (
    report_id text not null references reports (id) on delete cascade,
    policy_digest text not null,
    blob_name text unique,
    size_bytes integer,
    version integer not null,
    lapses_at bigint,
    listed ${bytes},
    constraint prepared_projections_key primary key (report_id, policy_digest)
  )`,
  `create index prepared_projections_to_make on prepared_projections (report_id) where blob_name is null`,

  `create table prepared_status_changes (
    blob_name text not null,
    version integer not null,
    finding_id text not null,
    to_status text not null,
    action text,
    changed_at bigint not null,
    constraint prepared_status_changes_key primary key (blob_name, version)
  )`,
];
