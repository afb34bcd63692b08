/** The built program as a process, in folders of a test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { programFile } from './svc.ts';

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly notes: string;
}

export interface Svc {
  /** Where it is called. */
  readonly repository: string;
  readonly data: string;
  (words: readonly string[], input?: string | Uint8Array): Promise<Outcome>;
}

/** A program of its own: nothing of the person's folders or variables is seen. */
export function svcIn(root: string): Svc {
  const [repository, home] = [path.join(root, 'someone', 'shop'), path.join(root, 'home')];
  mkdirSync(repository, { recursive: true });
  const run = async (words: readonly string[], input: string | Uint8Array = ''): Promise<Outcome> => {
    const env = { PATH: process.env['PATH'], SVC_HOME: home, HOME: path.join(root, 'someone') };
    const child = spawn(process.execPath, [programFile, ...words], { cwd: repository, env });
    const read = (stream: NodeJS.ReadableStream) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      return () => Buffer.concat(chunks).toString();
    };
    const [output, notes] = [read(child.stdout), read(child.stderr)];
    // A program that refuses what it is given need not read it to its end.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output: output(), notes: notes() };
  };
  return Object.assign(run, { repository, data: path.join(home, 'data') });
}
