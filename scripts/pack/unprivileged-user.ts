/** An unprivileged user of the machine with a folder, who runs commands as someone who installs the packages. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** `nobody` on Linux. */
const NOBODY = 65_534;

/** npm's settings of this machine, such as its registry; they are passed on in the environment, never written. */
const NPM_SETTINGS = ['registry', 'cafile', 'proxy', 'https-proxy', 'noproxy'];

export interface UnprivilegedUser extends Disposable {
  /** Only this user can read it. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  run(command: readonly string[], environment?: Readonly<Record<string, string>>, folder?: string): Result;
  start(command: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess;
}

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without root privileges, this is the current user with another home folder. */
export function createUnprivilegedUser(): UnprivilegedUser {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'svc-user-'));
  const ids = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (ids.uid !== undefined) fs.chownSync(folder, ids.uid, ids.gid);
  // The Node that runs this may be in a folder that others cannot read.
  const programs = fs.mkdtempSync(path.join(os.tmpdir(), 'svc-programs-'));
  fs.chmodSync(programs, 0o755);
  fs.copyFileSync(process.execPath, path.join(programs, 'node'));
  const environment = {
    PATH: [path.join(folder, 'node_modules/.bin'), programs, process.env['PATH']].join(path.delimiter),
    HOME: folder,
    ...npmSettings(),
  };

  return {
    folder,
    environment,
    run([program = '', ...words], more = {}, inFolder = folder) {
      const env = { ...environment, ...more };
      const { status, stdout, stderr } = spawnSync(program, words, {
        ...ids,
        cwd: inFolder,
        env,
        encoding: 'utf8',
        timeout: 300_000,
      });
      return { code: status, stdout, stderr };
    },
    start([program = '', ...words], more) {
      const env = { ...environment, ...more };
      return spawn(program, words, { ...ids, cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    },
    [Symbol.dispose]() {
      for (const each of [folder, programs]) fs.rmSync(each, { recursive: true, force: true });
    },
  };
}

function npmSettings(): Record<string, string> {
  const env = { ...process.env, HOME: os.userInfo().homedir };
  const printed = execFileSync('npm', ['config', 'get', ...NPM_SETTINGS, '--no-workspaces'], {
    env,
    cwd: os.tmpdir(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const given = [...printed.matchAll(/^([a-z-]+) ?= ?(.+)$/gm)].flatMap(([, name = '', value = '']) =>
    ['', 'null', 'undefined'].includes(value) ? [] : [[`npm_config_${name.replaceAll('-', '_')}`, value]],
  );
  const ca = process.env['NODE_EXTRA_CA_CERTS'];
  return Object.fromEntries(ca === undefined ? given : [...given, ['NODE_EXTRA_CA_CERTS', ca]]) as Record<
    string,
    string
  >;
}
