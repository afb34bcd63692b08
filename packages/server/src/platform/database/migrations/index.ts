/**
 * All migrations in order. Neither the name nor the content of a released migration ever changes. A migration only
 * adds, unless it is listed as a contraction: see compatibility.ts.
 */
import type { Migration } from 'kysely/migration';
import type { DialectName } from '../dialect-name.ts';
import { withCompatibility } from './compatibility.ts';
import { foundation } from './0001-foundation.ts';
import { reports } from './0002-reports.ts';
import { shares } from './0003-shares.ts';
import { findings } from './0004-findings.ts';
import { administration } from './0005-administration.ts';
import { analytics } from './0006-analytics.ts';
import { billing } from './0007-billing.ts';
import { sessions } from './0008-sessions.ts';
import { auditCounts } from './0009-audit-counts.ts';
import { preparedProjections } from './0010-prepared-projections.ts';
import { triage } from './0011-triage.ts';
import { shareCovers } from './0012-share-covers.ts';
import { workspaceFindings } from './0013-workspace-findings.ts';
import { pendingDeletions } from './0015-pending-deletions.ts';
import { formerIdentities } from './0016-former-identities.ts';
import { renamedFindings } from './0017-renamed-findings.ts';
import { toolHistory } from './0018-tool-history.ts';
import { reportChanges } from './0019-report-changes.ts';
import { liveReports } from './0020-live-reports.ts';

/** Migrations that remove or rename what the previous version uses. That version can no longer start after them. */
export const contractions: ReadonlySet<string> = new Set();

export function migrationsFor(dialect: DialectName): Record<string, Migration> {
  return withCompatibility(allMigrations(dialect), contractions);
}

function allMigrations(dialect: DialectName): Record<string, Migration> {
  return {
    '0001-foundation': { up: (db) => foundation(db, dialect) },
    '0002-reports': { up: (db) => reports(db, dialect) },
    '0003-shares': { up: (db) => shares(db, dialect) },
    '0004-findings': { up: (db) => findings(db, dialect) },
    '0005-administration': { up: (db) => administration(db, dialect) },
    '0006-analytics': { up: (db) => analytics(db, dialect) },
    '0007-billing': { up: (db) => billing(db) },
    '0008-sessions': { up: (db) => sessions(db) },
    '0009-audit-counts': { up: (db) => auditCounts(db, dialect) },
    '0010-prepared-projections': { up: (db) => preparedProjections(db, dialect) },
    '0011-triage': { up: (db) => triage(db, dialect) },
    '0012-share-covers': { up: (db) => shareCovers(db, dialect) },
    '0013-workspace-findings': { up: (db) => workspaceFindings(db, dialect) },
    '0015-pending-deletions': { up: (db) => pendingDeletions(db) },
    '0016-former-identities': { up: (db) => formerIdentities(db, dialect) },
    '0017-renamed-findings': { up: (db) => renamedFindings(db) },
    '0018-tool-history': { up: (db) => toolHistory(db, dialect) },
    '0019-report-changes': { up: (db) => reportChanges(db) },
    '0020-live-reports': { up: (db) => liveReports(db) },
  };
}
