/** Support grants, and each read under one. */
import type { Statements } from '../migration.ts';

export const support: Statements = () => [
  `create table support_grants (
    id text primary key,
    report_id text not null references reports (id) on delete cascade,
    administrator_id text not null,
    reason text,
    uses integer not null,
    created_at bigint not null,
    expires_at bigint not null,
    revoked_at bigint,
    last_used_at bigint
  )`,
  `create index support_grants_by_report on support_grants (report_id)`,

  `create table support_uses (
    grant_id text not null references support_grants (id) on delete cascade,
    number integer not null,
    used_at bigint not null,
    constraint support_uses_by_grant primary key (grant_id, number)
  )`,
];
