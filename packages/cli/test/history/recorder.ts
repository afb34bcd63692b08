/** Writes the states of a history to a git repository, scans each with the CLI, and reads the results. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { foldersOf } from '../../src/folders.ts';
import { findingsOf } from '../../src/store/findings.ts';
import type { LocalReport } from '../../src/store/local-report.ts';
import { listReports } from '../../src/store/reports.ts';
import { openStore } from '../../src/store/store.ts';
import { recordFinalized } from '../../src/store/sync-state.ts';
import { git, initRepository, writeFiles } from '../repository.ts';
import { jsonOf, type Machine } from '../svc.ts';
import type { SeenReport } from './follow.ts';
import { resultKeysIn } from './scanner.ts';
import { seenIn } from './seen.ts';
import { textOf, type Tree } from './tree.ts';

export interface Recorder {
  /**
   * Writes and commits the files, and scans them.
   * @param logs returns the scanners' logs
   */
  scan(title: string, tree: Tree, logs: (folder: string) => readonly string[]): Promise<SeenReport>;
  /** Marks the newest report as synced. */
  synced(): Promise<void>;
  /** The fingerprints that `svc compare` counts as fixed since the previous report. */
  fixed(): Promise<string[]>;
}

export function recorderOf(machine: Machine): Recorder {
  initRepository(machine.folder);
  const { data } = foldersOf({ SVC_HOME: machine.home });
  let written: Tree = new Map();

  function write(title: string, tree: Tree): void {
    for (const file of written.keys()) if (!tree.has(file)) rmSync(path.join(machine.folder, file));
    const changed = [...tree].filter(([file, lines]) => written.get(file) !== lines);
    writeFiles(machine.folder, Object.fromEntries(changed.map(([file, lines]) => [file, textOf(lines)])));
    written = tree;
    git(machine.folder, 'add', '--all');
    git(machine.folder, 'commit', '--quiet', '--allow-empty', '--message', title);
  }

  async function newest(): Promise<{
    local: LocalReport;
    findings: ReturnType<typeof findingsOf>['findings'];
  }> {
    using store = await openStore(data);
    const [local] = listReports(store);
    if (local === undefined) throw new Error('There is no report.');
    return { local, findings: findingsOf(store, local.localReportId).findings };
  }

  return {
    async scan(title, tree, logsOf) {
      write(title, tree);
      const logs = logsOf(machine.folder);
      const files = logs.map((log, index) => {
        const file = path.join(machine.home, `${index}.sarif`);
        writeFileSync(file, log);
        return file;
      });
      const given = files.length === 0 ? [] : ['--sarif', ...files];
      const ended = await machine.svc(['scan', '.', '--only', 'secrets', '--no-sync', '--json', ...given]);
      if (ended.code !== 0) throw new Error(`${title}: ${ended.stdout}${ended.stderr}`);
      const { local, findings } = await newest();
      return {
        title,
        at: Date.parse(local.scan.finishedAt ?? local.createdAt),
        moves: local.moves ?? [],
        complete: new Set(
          local.coverageAreas.flatMap(({ id, status }) =>
            status === 'covered' && id.startsWith('tool:') ? [id.slice('tool:'.length)] : [],
          ),
        ),
        resultCount: logs.reduce((count, log) => count + resultKeysIn(log).size, 0),
        findings: findings.map((finding) => seenIn(tree, finding)),
      };
    },

    async synced() {
      using store = await openStore(data);
      const [local] = listReports(store);
      if (local) recordFinalized(store, local.localReportId, new Date().toISOString());
    },

    async fixed() {
      const ended = await machine.svc(['compare', '--json']);
      const { fixed } = jsonOf(ended.stdout) as { fixed: { fingerprint: string }[] };
      return fixed.map(({ fingerprint }) => fingerprint);
    },
  };
}
