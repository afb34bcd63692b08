/** Status changes of findings. */
import type { FindingStatus, ProjectedFinding } from '@svc/contract';
import { movesFrom } from '@svc/contract/status-moves';
import { findingStatuses } from '@svc/contract/enums';
import { messageOf } from '../../ui/failure.tsx';

/** The triage operations for viewers who may change the status of findings. */
export interface Triage {
  /** Changes one finding. @throws the API error. */
  readonly move: (findingId: string, to: FindingStatus) => Promise<ProjectedFinding>;
  /** The report of the findings. */
  readonly report: { readonly reportId: string; readonly projectId: string };
  /** Stores the changed findings in the cached report. */
  readonly keep: (moved: readonly ProjectedFinding[]) => void;
}

export interface MovedAll {
  readonly moved: readonly ProjectedFinding[];
  /** Error messages by finding id. */
  readonly failed: ReadonlyMap<string, string>;
}

const AT_A_TIME = 4;

/** Each change is a separate call, so that one failure does not affect the others. */
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

/** Whether the finding can change to the status. */
export function canBecome({ status = 'open' }: ProjectedFinding, to: FindingStatus): boolean {
  return movesFrom(status).includes(to);
}

/** The statuses that at least one of them can change to. */
export function movesOfAll(findings: readonly ProjectedFinding[]): readonly FindingStatus[] {
  const from = new Set(findings.map(({ status }) => status ?? 'open'));
  const to = new Set([...from].flatMap((status) => movesFrom(status)));
  return findingStatuses.filter((status) => to.has(status));
}
