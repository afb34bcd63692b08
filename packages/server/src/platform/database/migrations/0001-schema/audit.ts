/**
 * The append-only audit log. Its triggers protect against mistakes of a program; the hash chain reveals changes by the
 * owner of the database.
 */
import type { DialectName } from '../../dialect-name.ts';
import type { Statements } from '../migration.ts';

export const audit: Statements = ({ name, bytes, wholeNumberKey }) => [
  // No foreign keys: an entry stays when its subject is deleted.
  `create table audit_log (
    sequence ${wholeNumberKey} primary key,
    id text not null unique,
    at bigint not null,
    action text not null,
    actor_id text,
    workspace_id text,
    report_id text,
    subject_id text,
    detail text,
    previous_hash ${bytes} not null,
    hash ${bytes} not null
  )`,
  `create index audit_log_by_workspace on audit_log (workspace_id, sequence)`,

  `create table audit_counts (
    sequence ${wholeNumberKey} primary key,
    repeat_key text not null,
    count integer not null,
    started_at bigint not null
  )`,
  `create index audit_counts_by_key on audit_counts (repeat_key, started_at)`,

  ...triggers[name],
];

const triggers: Readonly<Record<DialectName, readonly string[]>> = {
  sqlite: [
    `create trigger audit_log_refuses_update before update on audit_log
      begin select raise(abort, 'the audit log is only added to'); end`,
    `create trigger audit_log_refuses_delete before delete on audit_log
      begin select raise(abort, 'the audit log is only added to'); end`,
    `create trigger audit_counts_only_rise before update on audit_counts
      when new.count <= old.count or new.sequence <> old.sequence
      begin select raise(abort, 'the counts of the audit log only rise'); end`,
    `create trigger audit_counts_stay before delete on audit_counts
      begin select raise(abort, 'the counts of the audit log only rise'); end`,
  ],
  postgres: [
    `create function refuse_change_of_audit_log() returns trigger language plpgsql as
      $$ begin raise exception 'the audit log is only added to'; end $$`,
    `create trigger audit_log_refuses_changes before update or delete or truncate on audit_log
      for each statement execute function refuse_change_of_audit_log()`,
    `create function refuse_change_of_audit_counts() returns trigger language plpgsql as
      $$ begin raise exception 'the counts of the audit log only rise'; end $$`,
    `create trigger audit_counts_only_rise before update on audit_counts
      for each row when (new.count <= old.count or new.sequence <> old.sequence)
      execute function refuse_change_of_audit_counts()`,
    `create trigger audit_counts_stay before delete or truncate on audit_counts
      for each statement execute function refuse_change_of_audit_counts()`,
  ],
};
