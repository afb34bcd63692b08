/** Subscriptions from the payment provider's events, and which events were received. */
import type { Statements } from '../migration.ts';

export const billing: Statements = () => [
  `create table subscriptions (
    id text primary key,
    workspace_id text not null references workspaces (id) on delete cascade,
    plan text,
    status text not null,
    cancel_at_period_end integer not null,
    current_period_end bigint,
    event_at bigint not null,
    event_rank integer not null,
    event_id text not null
  )`,
  `create index subscriptions_by_workspace on subscriptions (workspace_id)`,

  `create table billing_events (
    id text primary key,
    received_at bigint not null
  )`,
  `create index billing_events_by_time on billing_events (received_at)`,
];
