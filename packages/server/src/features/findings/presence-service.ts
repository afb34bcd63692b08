/**
 * Changes which findings of a project are present, other than by a report that becomes final: when a report ends, when
 * a tool is no longer used, and for reports from before the service counted findings.
 */
import { identityKey, toolDigest } from '@svc/report';
import { MINUTE_MS } from '#platform/clock';
import type { Tx } from '#platform/database/database';
import type { Job } from '#platform/sweeper';
import { createCatchingUp, type CatchingUp, type CatchingUpPorts } from './catching-up.ts';
import { hold, withdraw, type EndingReport } from './ending-reports.ts';
import { findersIn, packedFinders, SEVERAL_BYTES_MIN } from './finders-policy.ts';
import { listPresent, listPresentWithAreas, type KnownRow } from './identities-store.ts';
import { knownWithout } from './policy.ts';
import { dayOf, openProject, saveRows, saveProject } from './project-state.ts';
import { listProjectsToCount } from './reports-store.ts';
import { recountTools } from './tool-history.ts';
import { hasToolDays } from './tool-history-store.ts';

const COUNTS_EVERY_MS = MINUTE_MS;
const PROJECTS_AT_ONCE = 100;

export type PresencePorts = CatchingUpPorts;

export interface PresenceService extends CatchingUp {
  /** A person deletes the report: findings that only this report keeps present stop being present. */
  withdraw(tx: Tx, report: EndingReport): Promise<void>;
  /** The report expires: its findings stay present, even if other reports with them are deleted later. */
  hold(tx: Tx, report: EndingReport): Promise<void>;
  forgetTool(tx: Tx, projectId: string, name: string): Promise<void>;
  /** Begins the counts by tool of a project whose findings have not changed since the upgrade to this version. */
  beginToolHistory(projectId: string): Promise<void>;
  readonly job: Job;
}

export function createPresence(ports: PresencePorts): PresenceService {
  const { database, clock, projectKeys } = ports;
  const catchingUp = createCatchingUp(ports);

  return {
    ...catchingUp,

    withdraw: (tx, report) => withdraw(tx, report, clock.now()),

    hold: (tx, report) => hold(tx, report, clock.now()),

    async forgetTool(tx, projectId, name) {
      const now = clock.now();
      const state = await openProject(tx, projectId, now);
      if (!state) return;
      const digest = toolDigest(name, projectKeys.ofFindings(projectId));
      const rows = await listPresent(tx, projectId, [digest]);
      for (const row of await listPresentWithAreas(tx, projectId, SEVERAL_BYTES_MIN))
        rows.set(identityKey(row.identity), row);
      const changed: KnownRow[] = [];
      for (const row of rows.values()) {
        const finders = findersIn(row);
        const [first, ...others] = finders.filter(({ tool }) => identityKey(tool) !== identityKey(digest));
        if (first === undefined) state.ledger.withdraw(row);
        if (first === undefined) changed.push({ ...knownWithout(row), identity: row.identity });
        else if (others.length + 1 < finders.length) {
          const after = { ...row, ...packedFinders([first, ...others]) };
          state.ledger.replace(row, after);
          changed.push(after);
        }
      }
      await saveRows(tx, projectId, changed);
      await saveProject(tx, state, now);
    },

    beginToolHistory: (projectId) =>
      database.transaction(async (tx) => {
        const now = clock.now();
        if ((await openProject(tx, projectId, now)) === null || (await hasToolDays(tx, projectId))) return;
        await recountTools(tx, projectId, dayOf(now), []);
      }),

    job: {
      name: 'reports to count',
      everyMs: COUNTS_EVERY_MS,
      async run() {
        for (let last = ''; ;) {
          const projectIds = await listProjectsToCount(database.read, last, PROJECTS_AT_ONCE);
          for (const projectId of projectIds) await catchingUp.catchUp(projectId);
          if (projectIds.length < PROJECTS_AT_ONCE) return;
          last = projectIds.at(-1) ?? last;
        }
      },
    },
  };
}
