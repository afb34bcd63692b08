/**
 * Which process is meant by a number, now that numbers are given out again: with when it began and where its numbers
 * come from, a dead owner is told from a live one, and from a stranger who got its number.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

export interface ProcessIdentity {
  readonly pid: number;
  /** The system's own mark of when it began; null where the system has none that is cheap to read. */
  readonly began: string | null;
  /** Machine, boot and set of process numbers. Of a process of another place nothing can be known from here. */
  readonly place: string;
}

export type Liveness = 'alive' | 'dead' | 'unknown';

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, began: beganOf(process.pid), place: ownPlace() };
}

export function livenessOf({ pid, began, place }: ProcessIdentity): Liveness {
  if (place !== ownPlace()) return 'unknown';
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another user's process is a process too.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'dead';
  }
  if (began === null) return 'unknown';
  return beganOf(pid) === began ? 'alive' : 'dead';
}

/** Field 22 of `/proc/<pid>/stat`; the name in field 2 can hold anything, a closing bracket included. */
function beganOf(pid: number): string | null {
  const stat = readOrNull(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function ownPlace(): string {
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
