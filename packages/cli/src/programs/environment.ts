/**
 * The environment of started programs: an allowlist, so that it contains no credential of the caller. Neither
 * `NODE_OPTIONS`, `LD_PRELOAD`, `GIT_*`, `npm_*` nor any `SVC_*` variable is passed on.
 */
import os from 'node:os';
import path from 'node:path';
import { realFolderOf } from '../files/paths.ts';
import type { Environment } from '../environment.ts';
import { harmlessGit } from './git-settings.ts';
import type { SearchPath } from './search-path.ts';
import { isWithinAny } from './trees.ts';

/** Programs load their settings from these folders, which must therefore not be inside a tree. */
const folderVariables = [
  'HOME',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
];

/** Few programs start on Windows without these. */
const systemVariables = ['SystemRoot', 'SYSTEMROOT', 'windir', 'ComSpec', 'PATHEXT'];

/** Proxies and private certificate authorities, without which downloads fail in many companies. */
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

/** The screen on which a browser opens. */
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

/** Why a program is started. Only a scanner gets the network's settings, which can contain a proxy's password. */
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
  /** The folder for temporary files of programs. */
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
