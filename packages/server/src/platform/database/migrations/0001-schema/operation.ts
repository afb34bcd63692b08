/** Named facts about the deployment, and the counts of rate limits. */
import type { Statements } from '../migration.ts';

export const operation: Statements = () => [
  `create table deployment (
    name text primary key,
    value text not null
  )`,

  `create table throttle_counters (
    key text primary key,
    used integer not null,
    confirmed integer not null,
    window_ends_at bigint not null
  )`,
  `create index throttle_counters_by_end on throttle_counters (window_ends_at)`,

  `create table sliding_windows (
    key text primary key,
    takes text not null,
    ends_at bigint not null
  )`,
  `create index sliding_windows_by_end on sliding_windows (ends_at)`,
];
