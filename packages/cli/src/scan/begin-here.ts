/** Begins a report of the repository that contains the current folder. */
import type { Invocation } from '../command.ts';
import { realPath } from '../files/paths.ts';
import { repositoryRootOf } from '../project/binding.ts';
import { ownBindingOf } from '../project/standing.ts';
import { nameOfRepository } from '../project/name.ts';
import { projectOf } from '../project/project.ts';
import { beginReport, type Beginning } from '../report/begin.ts';
import { readRepository } from '../report/git.ts';
import { randomUUID } from 'node:crypto';
import { appendEvents } from '../store/events.ts';
import type { LocalReport } from '../store/local-report.ts';
import type { Store } from '../store/store.ts';

export type Wishes = Pick<Beginning, 'effort' | 'agent' | 'authorization' | 'isSyncWanted'> & {
  readonly facts?: Pick<Beginning['facts'], 'languages' | 'fileCount' | 'part'>;
};

/**
 * @param within runs in the transaction that creates the report, so that its changes to the store are committed together.
 */
export async function beginHere(
  store: Store,
  invocation: Pick<Invocation, 'environment' | 'folder'>,
  { facts, ...wishes }: Wishes,
  within?: (report: LocalReport) => void,
): Promise<LocalReport> {
  const { folder, environment } = invocation;
  const repositoryRoot = await realPath(repositoryRootOf(folder) ?? folder);
  const here = { environment, folder: repositoryRoot };
  // A binding for another remote does not apply to this repository.
  const [repository, binding, project] = await Promise.all([
    readRepository(repositoryRoot, environment),
    ownBindingOf(repositoryRoot, environment),
    projectOf(here),
  ]);
  const at = new Date().toISOString();
  return store.write(() => {
    const report = beginReport(store, {
      ...wishes,
      at,
      repositoryRoot,
      facts: { ...repository.facts, ...facts },
      projectName: project?.name ?? nameOfRepository(repositoryRoot, repository.remote),
      ...(binding !== null && { bindingPublicId: binding.bindingPublicId }),
    });
    const event = { eventId: randomUUID(), type: 'scan_started', occurredAt: at } as const;
    appendEvents(store, report.localReportId, [event]);
    within?.(report);
    return report;
  });
}
