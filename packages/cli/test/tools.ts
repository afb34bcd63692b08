/** Programs for tests: only git, whatever else is installed, and without settings of this machine. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A search path. One folder for all runs of a user, so that it need not be deleted. */
export const toolsPath = path.join(os.tmpdir(), `svc-test-tools-${os.userInfo().username}`);

/** The environment for programs that a test itself starts. */
export const plainEnvironment = { PATH: toolsPath, HOME: toolsPath, LC_ALL: 'C.UTF-8', TZ: 'UTC' };

const folders = (process.env['PATH'] ?? '').split(path.delimiter);
const git = folders.map((folder) => path.join(folder, 'git')).find((file) => fs.existsSync(file));
if (git === undefined) throw new Error('These tests need git.');
fs.mkdirSync(toolsPath, { recursive: true });
// Two test processes may write the file simultaneously.
const draft = path.join(toolsPath, `git.${process.pid}`);
if (hasSettings(git))
  fs.writeFileSync(draft, `#!/bin/sh\nGIT_CONFIG_NOSYSTEM=1 exec '${git}' "$@"\n`, { mode: 0o755 });
// A link where possible: starting a shell for each call of git takes as long as git itself.
else fs.symlinkSync(git, draft);
fs.renameSync(draft, path.join(toolsPath, 'git'));

/** Whether this machine has git settings that apply to all users. */
function hasSettings(file: string): boolean {
  return spawnSync(file, ['config', '--system', '--list'], { env: {} }).stdout.length > 0;
}
