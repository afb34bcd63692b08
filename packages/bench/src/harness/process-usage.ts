/** What a process has used so far, as its operating system counts it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

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
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  // The program's name comes second, in parentheses, and may contain spaces.
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const [userTicks, systemTicks] = [fields[11], fields[12]];
  return (Number(userTicks) + Number(systemTicks)) * TICK_MS;
}
