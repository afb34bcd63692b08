/**
 * A folder for the output of tools. Nobody else can read it. It is deleted when the scan ends, or when the process
 * exits before that.
 */
import { rmSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export async function withPrivateFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  // Node creates the folder for this user only (0700).
  const folder = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), 'svc-scan-'));
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', remove);
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    await fs.rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
