/** Begins a report of the repository that a command was called in. */
import type { Invocation } from '../command.ts';
import { realPath } from '../files/places.ts';
import { repositoryRootOf } from '../project/binding.ts';
import { ownBindingOf } from '../project/standing.ts';
import { nameOfRepository } from '../project/name.ts';
import { projectOf } from '../project/project.ts';
import { beginReport, type Beginning } from '../report/begin.ts';
import { repositoryFacts } from '../report/git.ts';
import { randomUUID } from 'node:crypto';
import { appendEvents } from '../store/events.ts';
import type { LocalReport } from '../store/local-report.ts';
import type { Store } from '../store/store.ts';

export type Wishes = Pick<Beginning, 'effort' | 'agent' | 'authorization' | 'isSyncWanted'> & {
  readonly facts?: Pick<Beginning['facts'], 'languages' | 'fileCount'>;
};

/** @param within called in the step in which the report is made: what it does to the store is there with it, or neither is. */
export async function beginHere(
  store: Store,
  invocation: Pick<Invocation, 'environment' | 'folder'>,
  { facts, ...wishes }: Wishes,
  within?: (report: LocalReport) => void,
): Promise<LocalReport> {
  const { folder, environment } = invocation;
  const repositoryRoot = await realPath(repositoryRootOf(folder) ?? folder);
  const here = { environment, folder: repositoryRoot };
  // A binding that was made for another remote says nothing of this repository.
  const [found, binding, project, name] = await Promise.all([
    repositoryFacts(repositoryRoot, environment),
    ownBindingOf(repositoryRoot, environment),
    projectOf(here),
    nameOfRepository(repositoryRoot, environment),
  ]);
  const at = new Date().toISOString();
  return store.write(() => {
    const report = beginReport(store, {
      ...wishes,
      at,
      repositoryRoot,
      facts: { ...found, ...facts },
      projectName: project?.name ?? name,
      ...(binding !== null && { bindingPublicId: binding.bindingPublicId }),
    });
    const event = { eventId: randomUUID(), type: 'scan_started', occurredAt: at } as const;
    appendEvents(store, report.localReportId, [event]);
    within?.(report);
    return report;
  });
}
