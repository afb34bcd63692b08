/** A memory limit of a process, enforced by the kernel if possible. */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { residentBytes } from '../harness/process-usage.ts';

export interface Confinement {
  /** False if the kernel does not allow it; then only the peak is checked. */
  readonly isEnforced: boolean;
  /** Removes the limit. Call it after the process has ended. */
  lift(): void;
}

/** Control groups v1 and v2: their paths and the names of their limits. */
const generations = [
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
  { root: '/sys/fs/cgroup', limit: 'memory.max' },
];

/** The kernel does not count memory that the process already has, so the limit is reduced by it. */
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
