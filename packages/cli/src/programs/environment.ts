/**
 * What started programs see of the environment: an allowlist, so that no credential of the caller is among it. Neither
 * `NODE_OPTIONS`, `LD_PRELOAD`, `GIT_*`, `npm_*` nor any `SVC_*` variable is passed on.
 */
import os from 'node:os';
import path from 'node:path';
import { realFolderOf } from '../files/places.ts';
import type { Environment } from '../environment.ts';
import { harmlessGit } from './git-settings.ts';
import type { SearchPath } from './search-path.ts';
import { isWithinAny } from './trees.ts';

/** A program would load its settings from there: never from inside a tree. */
const folderVariables = [
  'HOME',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
];

/** Windows starts few programs without these. */
const systemVariables = ['SystemRoot', 'SYSTEMROOT', 'windir', 'ComSpec', 'PATHEXT'];

/** Proxies and private authorities, without which nothing can be downloaded in many companies. */
const networkVariables = [
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
];

/** Which screen a browser opens on. */
const desktopVariables = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'XDG_SESSION_TYPE',
  'XDG_CURRENT_DESKTOP',
  'XDG_DATA_DIRS',
  'XDG_CONFIG_DIRS',
  'DESKTOP_SESSION',
  'KDE_FULL_SESSION',
  'KDE_SESSION_VERSION',
  'GNOME_DESKTOP_SESSION_ID',
  'WSL_DISTRO_NAME',
  'WSL_INTEROP',
];

/** What a program is started for. Only a scanner gets the network's settings, which can hold a proxy's password. */
export type Purpose = 'local' | 'scanner' | 'browser';

const passedOn: Readonly<Record<Purpose, readonly string[]>> = {
  local: systemVariables,
  scanner: [...systemVariables, ...networkVariables],
  browser: [...systemVariables, ...desktopVariables],
};

export interface ProgramEnvironment {
  readonly environment: Environment;
  readonly searchPath: SearchPath;
  readonly purpose: Purpose;
  /** Where programs may write what nobody needs afterwards. */
  readonly temporaryFolder?: string;
}

export async function environmentOfProgram({
  environment,
  searchPath,
  purpose,
  temporaryFolder = os.tmpdir(),
}: ProgramEnvironment): Promise<Record<string, string>> {
  const { folders, trees } = searchPath;
  const passed: Record<string, string> = {};
  for (const name of passedOn[purpose]) {
    const value = environment[name];
    if (value !== undefined) passed[name] = value;
  }
  for (const name of folderVariables) {
    const value = environment[name];
    if (value === undefined || !path.isAbsolute(value)) continue;
    if (!isWithinAny(trees, await realFolderOf(value))) passed[name] = value;
  }
  return {
    ...passed,
    ...harmlessGit,
    PATH: folders.join(path.delimiter),
    LC_ALL: 'C.UTF-8',
    NO_COLOR: '1',
    TMPDIR: temporaryFolder,
    TEMP: temporaryFolder,
    TMP: temporaryFolder,
  };
}
