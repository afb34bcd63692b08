/** Users, their sessions and devices, and the links by which a device is paired. */
import type { Statements } from '../migration.ts';

export const accounts: Statements = ({ bytes }) => [
  `create table users (
    id text primary key,
    email text not null unique,
    display_name text not null,
    password_hash text not null,
    recovery_code_hash text not null,
    admin_flag integer not null,
    created_at bigint not null
  )`,

  `create table sessions (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    token_hash ${bytes} not null unique,
    system text not null,
    browser text not null,
    network text not null,
    created_at bigint not null,
    last_seen_at bigint not null,
    expires_at bigint not null,
    confirmed_at bigint
  )`,
  `create index sessions_by_user on sessions (user_id)`,
  `create index sessions_by_expiry on sessions (expires_at)`,
  `create index sessions_by_last_seen on sessions (last_seen_at)`,

  `create table devices (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    token_hash ${bytes} not null unique,
    name text not null,
    client_version text not null,
    os_family text not null,
    arch text not null,
    created_at bigint not null,
    last_seen_at bigint not null,
    expires_at bigint,
    revoked_at bigint
  )`,
  `create index devices_by_user on devices (user_id)`,
  `create index devices_by_expiry on devices (expires_at)`,

  `create table device_links (
    request_id_hash ${bytes} primary key,
    verifier_hash ${bytes} not null,
    device_name text not null,
    client_version text not null,
    os_family text not null,
    arch text not null,
    lifetime_minutes integer,
    approved_by text references users (id) on delete cascade,
    wrong_verifiers integer not null,
    created_at bigint not null,
    expires_at bigint not null,
    denied_at bigint,
    consumed_at bigint
  )`,
  `create index device_links_by_approver on device_links (approved_by)`,
  `create index device_links_by_expiry on device_links (expires_at)`,
];
