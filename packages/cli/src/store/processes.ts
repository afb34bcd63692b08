/**
 * Identifies a process, although process numbers are reused. The start time and the place distinguish a dead owner from
 * a live one, even if another process now has its number.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

export interface ProcessIdentity {
  readonly pid: number;
  /** The start of the process as the system records it; null on systems where that is not cheap to read. */
  readonly began: string | null;
  /** Machine, boot and process namespace. Whether a process with another place is alive is unknown. */
  readonly place: string;
}

export type Liveness = 'alive' | 'dead' | 'unknown';

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, began: beganOf(process.pid), place: ownLocation() };
}

export function livenessOf({ pid, began, place }: ProcessIdentity): Liveness {
  if (place !== ownLocation()) return 'unknown';
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'dead';
  }
  if (began === null) return 'unknown';
  return beganOf(pid) === began ? 'alive' : 'dead';
}

/** Field 22 of `/proc/<pid>/stat`; the name in field 2 can contain anything, even a closing bracket. */
function beganOf(pid: number): string | null {
  const stat = readOrNull(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function ownLocation(): string {
  const boot = readOrNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const numbers = readOrNull(() => readlinkSync('/proc/self/ns/pid'));
  return JSON.stringify([os.hostname(), boot, numbers]);
}

function readOrNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
