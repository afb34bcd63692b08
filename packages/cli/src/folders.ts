/**
 * The program's folders, by the rules of each system: data (reports and findings), config (choices and the linked service),
 * cache (what can be created again). `SVC_HOME` replaces all three, for portable use and for tests.
 */
import { homedir } from 'node:os';
import path from 'node:path';
import type { Environment } from './environment.ts';

export interface Folders {
  readonly data: string;
  readonly config: string;
  readonly cache: string;
}

/** Returns only the paths; nothing is created. */
export function foldersOf(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): Folders {
  const own = environment['SVC_HOME'];
  if (own) {
    const root = path.resolve(own);
    return {
      data: path.join(root, 'data'),
      config: path.join(root, 'config'),
      cache: path.join(root, 'cache'),
    };
  }
  if (platform === 'darwin') {
    const library = path.join(home, 'Library');
    const support = path.join(library, 'Application Support', 'svc');
    return {
      data: path.join(support, 'data'),
      config: path.join(support, 'config'),
      cache: path.join(library, 'Caches', 'svc'),
    };
  }
  if (platform === 'win32') {
    const roaming = environment['APPDATA'] || path.join(home, 'AppData', 'Roaming');
    const local = environment['LOCALAPPDATA'] || path.join(home, 'AppData', 'Local');
    return {
      data: path.join(local, 'svc', 'data'),
      config: path.join(roaming, 'svc', 'config'),
      cache: path.join(local, 'svc', 'cache'),
    };
  }
  // https://specifications.freedesktop.org/basedir-spec: a relative path must be ignored.
  const base = (variable: string, ...otherwise: string[]) => {
    const given = environment[variable];
    return path.join(given && path.isAbsolute(given) ? given : path.join(home, ...otherwise), 'svc');
  };
  return {
    data: base('XDG_DATA_HOME', '.local', 'share'),
    config: base('XDG_CONFIG_HOME', '.config'),
    cache: base('XDG_CACHE_HOME', '.cache'),
  };
}
