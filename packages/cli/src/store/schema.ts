/**
 * The tables of the local store. Columns that queries select by are separate; the rest of a report is one JSON text,
 * `details` (local-report.ts).
 */
import type { OwnSchema } from './own-schema.ts';

export const localStoreSchema: OwnSchema = {
  /** "svcr". */
  applicationId: 0x73766372,
  version: 1,
  noun: 'local store',
  statements: `
    CREATE TABLE reports (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      local_report_id TEXT NOT NULL UNIQUE,
      repository_root TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('scanning', 'finished', 'synced', 'aborted')),
      created_at TEXT NOT NULL,
      last_finding_number INTEGER NOT NULL DEFAULT 0,
      details TEXT NOT NULL
    ) STRICT;
    CREATE INDEX reports_by_repository ON reports (repository_root, number);

    CREATE TABLE findings (
      report INTEGER NOT NULL REFERENCES reports ON DELETE CASCADE,
      position INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (report, position)
    ) STRICT;

    CREATE TABLE events (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      report INTEGER NOT NULL REFERENCES reports ON DELETE CASCADE,
      event_id TEXT NOT NULL,
      body TEXT NOT NULL,
      is_delivered INTEGER NOT NULL DEFAULT 0,
      UNIQUE (report, event_id)
    ) STRICT;
    CREATE INDEX events_undelivered ON events (report, number) WHERE is_delivered = 0;

    CREATE TABLE frozen (
      report INTEGER PRIMARY KEY REFERENCES reports ON DELETE CASCADE,
      body BLOB NOT NULL,
      sha256 TEXT NOT NULL,
      frozen_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE leases (
      report INTEGER PRIMARY KEY REFERENCES reports ON DELETE CASCADE,
      token TEXT NOT NULL,
      owner TEXT NOT NULL,
      heartbeat_at_ms INTEGER NOT NULL
    ) STRICT;
  `,
};
