/** Processes that add findings to one report. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { createReport } from '../src/store/reports.ts';
import { openStore } from '../src/store/store.ts';
import { newReport } from './local-reports.ts';

const PROGRAM = path.join(import.meta.dirname, 'adding-process.ts');
export const REPORT = 'local-report-1';

type Adding = ChildProcessByStdio<Writable, Readable, null>;

export function startAdding(folder: string): Adding {
  return spawn(process.execPath, [PROGRAM, folder, REPORT], { stdio: ['pipe', 'pipe', 'inherit'] });
}

/**
 * Sends all submissions in one write.
 * @returns the ids as they are acknowledged.
 */
export function hand(child: Adding, submissions: readonly unknown[]): AsyncIterable<string> {
  // A process that was killed no longer reads.
  child.stdin.on('error', () => undefined);
  child.stdin.end(submissions.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return createInterface({ input: child.stdout });
}

export async function collected(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

export async function withReport(folder: string): Promise<void> {
  using store = await openStore(folder);
  createReport(store, newReport());
}
