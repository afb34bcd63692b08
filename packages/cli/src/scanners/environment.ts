/**
 * What the programs that a scan starts get to see: how to find programs, caches and the network, and nothing else of the
 * caller's environment, which holds credentials. Programs inside the repository are never found: whoever wrote the
 * repository would be run by scanning it, for npm puts its `node_modules/.bin` first in the search path.
 */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../environment.ts';

const passedOn = [
  'HOME',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  // Proxies and private authorities, without which nothing can be downloaded in many companies.
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'NODE_EXTRA_CA_CERTS',
  // Windows starts few programs without these.
  'SystemRoot',
  'SYSTEMROOT',
  'windir',
  'ComSpec',
  'PATHEXT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
];

/** Git runs the file system monitor and the hooks that a repository's own configuration names. */
const harmlessGit = {
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'core.fsmonitor',
  GIT_CONFIG_VALUE_0: 'false',
  GIT_CONFIG_KEY_1: 'core.hooksPath',
  GIT_CONFIG_VALUE_1: process.platform === 'win32' ? 'NUL' : '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
};

/** @param temporaryFolder where programs may write what nobody needs afterwards */
export function environmentOfTool(
  environment: Environment,
  searchPath: readonly string[],
  temporaryFolder: string,
): Record<string, string> {
  const passed = passedOn.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(passed),
    ...harmlessGit,
    PATH: searchPath.join(path.delimiter),
    LC_ALL: 'C.UTF-8',
    NO_COLOR: '1',
    TMPDIR: temporaryFolder,
    TEMP: temporaryFolder,
    TMP: temporaryFolder,
  };
}

/** The folders of PATH that programs may be taken from: absolute ones outside the repository. */
export async function safeSearchPath(environment: Environment, root: string): Promise<string[]> {
  const folders = (environment['PATH'] ?? environment['Path'] ?? '').split(path.delimiter);
  const safe: string[] = [];
  for (const folder of folders.filter((entry) => path.isAbsolute(entry))) {
    const real = await fs.realpath(folder).catch(() => undefined);
    if (real !== undefined && !isWithin(root, real) && !safe.includes(folder)) safe.push(folder);
  }
  return safe;
}

/** The first program of a name, as an absolute path. */
export async function findProgram(
  name: string,
  searchPath: readonly string[],
  root: string,
): Promise<string | undefined> {
  const names = process.platform === 'win32' ? [`${name}.exe`] : [name];
  for (const file of searchPath.flatMap((folder) => names.map((each) => path.join(folder, each)))) {
    if ((await isProgram(file)) && !isWithin(root, await fs.realpath(file))) return file;
  }
  return undefined;
}

export async function isProgram(file: string): Promise<boolean> {
  try {
    await fs.access(file, fs.constants.X_OK);
    return (await fs.stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Both absolute and real. A folder is within itself. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative === '' || (!path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..');
}
