/** Describes the machine of a run, to compare runs. */
import { execFileSync } from 'node:child_process';
import os from 'node:os';

const GIB = 1024 ** 3;

export interface MachineFacts {
  readonly at: string;
  readonly commit: string;
  readonly node: string;
  readonly platform: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  /**
   * The load average of the last minute before the run. If it exceeds the number of cores, other programs were running.
   */
  readonly loadAverage: number;
}

export function machineFacts(): MachineFacts {
  return {
    at: new Date().toISOString(),
    commit: commit(),
    node: process.version,
    platform: `${os.platform()} ${os.release()} ${os.arch()}`,
    processor: os.cpus()[0]?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGiB: Math.round((os.totalmem() / GIB) * 10) / 10,
    loadAverage: os.loadavg()[0] ?? 0,
  };
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  } catch {
    return 'unknown';
  }
}
