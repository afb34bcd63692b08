/** Product analytics: daily counts, and digests of the events that were counted. Neither names an account. */
import type { Statements } from '../migration.ts';

export const analytics: Statements = ({ bytes, underPrimaryKey }) => [
  `create table analytics_counts (
    day text not null,
    name text not null,
    surface text not null,
    format text not null,
    client_version text not null,
    count bigint not null,
    constraint analytics_counts_key primary key (day, name, surface, format, client_version)
  )`,

  // A hidden row id would reveal the order of events.
  `create table analytics_seen (
    digest ${bytes} primary key,
    day text not null
  ) ${underPrimaryKey}`,
  `create index analytics_seen_by_day on analytics_seen (day)`,
];
