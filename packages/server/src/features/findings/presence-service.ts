/** Changes which findings of a project are present, other than by a report: when one ends, and when a tool is removed. */
import { toolDigest } from '@svc/report';
import type { Clock } from '#platform/clock';
import type { Tx } from '#platform/database/database';
import type { ProjectKeys } from '#platform/project-keys';
import { hold, withdraw, type EndingReport } from './ending-reports.ts';
import { listPresent } from './identities-store.ts';
import { knownWithout } from './policy.ts';
import { openProject, saveRows, saveProject } from './project-state.ts';

export interface PresencePorts {
  readonly clock: Clock;
  readonly projectKeys: ProjectKeys;
}

export interface PresenceService {
  /** A person deletes the report: findings that only this report keeps present stop being present. */
  withdraw(tx: Tx, report: EndingReport): Promise<void>;
  /** The report expires: its findings stay present, even if other reports with them are deleted later. */
  hold(tx: Tx, report: EndingReport): Promise<void>;
  forgetTool(tx: Tx, projectId: string, name: string): Promise<void>;
}

export function createPresence({ clock, projectKeys }: PresencePorts): PresenceService {
  return {
    withdraw: (tx, report) => withdraw(tx, report, clock.now()),

    hold: (tx, report) => hold(tx, report, clock.now()),

    async forgetTool(tx, projectId, name) {
      const now = clock.now();
      const state = await openProject(tx, projectId, now);
      if (!state || state.project.openFindings === null) return;
      const digest = toolDigest(name, projectKeys.ofFindings(projectId));
      const rows = [...(await listPresent(tx, projectId, [digest])).values()];
      for (const row of rows) state.ledger.withdraw(row);
      const changed = rows.map((row) => ({ ...knownWithout(row), identity: row.identity }));
      await saveRows(tx, projectId, changed);
      await saveProject(tx, state, now);
    },
  };
}
