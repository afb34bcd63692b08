/** Moving findings on, for those who may. */
import type { FindingStatus, ProjectedFinding } from '@svc/contract';
import { movesFrom } from '@svc/contract/status-moves';
import { findingStatuses } from '@svc/contract/words';
import { messageOf } from '../../ui/failure.tsx';

/** What a page gives to readers who may change the status of findings. */
export interface Triage {
  /** One move; fails with what the service said. */
  readonly move: (findingId: string, to: FindingStatus) => Promise<ProjectedFinding>;
  /** What they are findings of. */
  readonly report: { readonly reportId: string; readonly projectId: string };
  /** Puts the findings as they are now into the report. */
  readonly keep: (moved: readonly ProjectedFinding[]) => void;
}

export interface MovedAll {
  readonly moved: readonly ProjectedFinding[];
  /** Why, by the id of the finding. */
  readonly failed: ReadonlyMap<string, string>;
}

const AT_A_TIME = 4;

/** Each is a move of its own: what is refused of one says nothing of the others. */
export async function moveAll(
  { move }: Pick<Triage, 'move'>,
  ids: readonly string[],
  to: FindingStatus,
  onDone: (count: number) => void,
): Promise<MovedAll> {
  const moved: ProjectedFinding[] = [];
  const failed = new Map<string, string>();
  const left = ids.values();
  async function work(): Promise<void> {
    for (const id of left) {
      try {
        moved.push(await move(id, to));
      } catch (error) {
        failed.set(id, messageOf(error));
      }
      onDone(moved.length + failed.size);
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return { moved, failed };
}

/** Where at least one of them can go. */
export function movesOfAll(findings: readonly ProjectedFinding[]): readonly FindingStatus[] {
  const from = new Set(findings.map(({ status }) => status ?? 'open'));
  const to = new Set([...from].flatMap((status) => movesFrom(status)));
  return findingStatuses.filter((status) => to.has(status));
}
