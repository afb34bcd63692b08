/** A bound on a process's memory that the kernel keeps, where it lets us set one. */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { residentBytes } from '../harness/process-usage.ts';

export interface Confinement {
  /** False where the kernel does not let us, and the peak alone tells. */
  readonly isEnforced: boolean;
  /** Once the process is gone. */
  lift(): void;
}

/** The two generations of control groups: where they are, and how a limit is named. */
const generations = [
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
  { root: '/sys/fs/cgroup', limit: 'memory.max' },
];

/** What the process has taken already is not counted by the kernel, so the limit is lower by as much. */
export function confine(pid: number, maxBytes: number): Confinement {
  for (const { root, limit } of generations) {
    const folder = join(root, `svc-faults-${pid}`);
    try {
      if (!existsSync(root)) continue;
      mkdirSync(folder);
      writeFileSync(join(folder, limit), String(maxBytes - residentBytes(pid)));
      writeFileSync(join(folder, 'cgroup.procs'), String(pid));
      return { isEnforced: true, lift: () => rmdirSync(folder) };
    } catch {
      if (existsSync(folder)) rmdirSync(folder);
    }
  }
  return { isEnforced: false, lift: () => undefined };
}
