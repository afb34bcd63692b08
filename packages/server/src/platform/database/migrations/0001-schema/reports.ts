/** Reports without their bodies, their uploads and progress events, and the blobs pending deletion. */
import type { Statements } from '../migration.ts';

export const reports: Statements = ({ bytes }) => [
  // No foreign keys to owners, workspaces and projects, because tombstones outlive them.
  `create table reports (
    id text primary key,
    owner_id text not null,
    created_by text not null,
    local_report_id text not null,
    workspace_id text not null,
    project_id text not null,
    project_name text,
    effort_requested text not null,
    effort_resolved text not null,
    agent text,
    host text,
    state text not null,
    upload_id text,
    reservation_id text,
    wrapped_key ${bytes},
    last_event_number integer not null,
    overlay_version integer not null,
    support_accesses integer not null,
    counted_as integer,
    opened_findings integer,
    fixed_findings integer,
    created_at bigint not null,
    finalized_at bigint,
    expires_at bigint not null,
    expired_at bigint,
    lapses_at bigint,
    constraint reports_by_local_id unique (created_by, local_report_id)
  )`,
  `create index reports_by_workspace on reports (workspace_id, created_at)`,
  `create index reports_by_project on reports (project_id, created_at)`,
  `create index reports_of_project_by_finalized on reports (project_id, state, finalized_at)`,
  `create index reports_by_owner on reports (owner_id, created_at)`,
  // For the number of open uploads of an owner, who may have many finalized reports.
  `create index live_reports_by_owner on reports (owner_id) where state = 'live'`,
  `create index reports_by_lapse on reports (lapses_at) where lapses_at is not null`,
  `create index reports_to_expire on reports (expires_at) where state <> 'expired'`,
  `create index tombstones_with_events on reports (id) where state = 'expired' and last_event_number > 0`,

  `create table uploads (
    id text primary key,
    report_id text not null references reports (id) on delete cascade,
    sha256 ${bytes} not null,
    size_bytes integer not null,
    blob_name text,
    open_findings text,
    created_at bigint not null,
    expires_at bigint not null,
    received_at bigint,
    replaced_at bigint,
    finding_snapshots ${bytes},
    finding_facts ${bytes},
    finding_texts ${bytes}
  )`,
  `create index uploads_by_report on uploads (report_id)`,
  `create index uploads_by_blob on uploads (blob_name)`,
  `create index uploads_by_expiry on uploads (expires_at)`,

  `create table progress_events (
    report_id text not null references reports (id) on delete cascade,
    number integer not null,
    event_id text not null,
    type text not null,
    phase text,
    safe_code text,
    occurred_at bigint not null,
    constraint progress_events_by_number primary key (report_id, number),
    constraint progress_events_by_id unique (report_id, event_id)
  )`,

  `create table pending_deletions (
    blob_name text primary key,
    pending_since bigint not null
  )`,
  // After many reports have expired, there are too many to sort for each batch.
  `create index pending_deletions_by_time on pending_deletions (pending_since)`,
];
