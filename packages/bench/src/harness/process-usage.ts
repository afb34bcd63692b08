/** What a process has used so far, as its operating system counts it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in ticks of this length, whatever its own clock. */
const TICK_MS = 10;
const KIB = 1024;

export function residentBytes(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file))
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) * KIB;
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'));
  return Number(match?.[1] ?? Number.NaN) * KIB;
}

/** The maximum of resident memory since the process began; the current value on systems that do not report it. */
export function peakResidentBytes(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return residentBytes(pid);
  const match = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'));
  return Number(match?.[1] ?? Number.NaN) * KIB;
}

/** Processor time over all threads, to the tick; NaN on systems that do not report it this way. */
export function processorTimeMs(pid: number): number {
  const fields = statFieldsOf(pid);
  if (fields === null) return Number.NaN;
  const [userTicks, systemTicks] = [fields[11], fields[12]];
  return (Number(userTicks) + Number(systemTicks)) * TICK_MS;
}

/** The processor time of a process and its children, including children that have ended. */
export function processorTimeOfFamilyMs(pid: number): number {
  const fields = statFieldsOf(pid);
  if (fields === null) return Number.NaN;
  const ended = (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  const children = readdirSync('/proc')
    .map(Number)
    .filter((each) => parentOf(each) === pid);
  // A child may end before its time is read.
  return children.reduce((sum, child) => sum + (processorTimeMs(child) || 0), processorTimeMs(pid) + ended);
}

/** The process that started this one. */
export function parentOf(pid: number): number {
  return Number(statFieldsOf(pid)?.[1]);
}

/** The fields after the program's name; null without such a process, or on other systems. */
function statFieldsOf(pid: number): string[] | null {
  try {
    // The program's name comes second, in parentheses, and may contain spaces.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return null;
  }
}
