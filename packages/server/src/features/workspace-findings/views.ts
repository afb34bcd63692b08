/**
 * The views of projects, cached by the project's version. An outdated view is never shown, because the version is read
 * for each list. The least recently used views are evicted.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock';
import type { Db } from '#platform/database/database';
import type { ListedFinding } from './listed.ts';
import { buildView, type ProjectView, type ProjectViewPorts } from './project-view.ts';
import type { ListedProject } from './store.ts';

const MIB = 1024 * 1024;
const KEPT_BYTES_MAX = 64 * MIB;
const FINDING_BYTES = 400;
const BUILT_AT_ONCE = 4;

interface CachedView {
  readonly version: number;
  readonly view: ProjectView;
}

export interface Views {
  /**
   * The views of these projects, in their order.
   * @throws AppError REPORT_EXPIRED when a report ended meanwhile.
   */
  of(projects: readonly ListedProject[]): Promise<ProjectView[]>;
  forget(projectId: string): void;
}

export function createViews(db: Db, clock: Clock, ports: ProjectViewPorts): Views {
  const cached = new LRUCache<string, CachedView>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: ({ view }) => 1 + view.findings.reduce((sum, each) => sum + sizeOf(each), 0),
  });
  const underWay = new Map<string, Promise<ProjectView>>();

  function viewOf(project: ListedProject): Promise<ProjectView> | ProjectView {
    const { id, name, version } = project;
    const now = clock.now();
    const known = cached.get(id);
    if (known?.version === version && known.view.validUntil > now) return known.view;
    const key = JSON.stringify([id, name, version]);
    const building =
      underWay.get(key) ??
      buildView(db, ports, project, now)
        .then((view) => {
          cached.set(id, { version, view });
          return view;
        })
        .finally(() => underWay.delete(key));
    underWay.set(key, building);
    return building;
  }

  return {
    async of(projects) {
      const views: ProjectView[] = [];
      let next = 0;
      const buildNext = async (): Promise<void> => {
        for (let at = next++; at < projects.length; at = next++) {
          const project = projects[at];
          if (project) views[at] = await viewOf(project);
        }
      };
      await Promise.all(Array.from({ length: BUILT_AT_ONCE }, buildNext));
      return views;
    },
    forget: (projectId) => void cached.delete(projectId),
  };
}

/** Text is counted as two bytes a character, in the row and in the searched text. */
function sizeOf({ searchText }: ListedFinding): number {
  return FINDING_BYTES + 4 * searchText.length;
}
