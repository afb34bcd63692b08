/** Opens a web page with the desktop's own opener, which is found outside of every tree and gets no credentials. */
import path from 'node:path';
import type { Environment } from '../environment.ts';
import { environmentOfProgram } from './environment.ts';
import { startDetached } from './run-program.ts';
import { findProgram, isProgram, safeSearchPath, type SearchPath } from './search-path.ts';

interface Opener {
  readonly file: string;
  readonly arguments: readonly string[];
}

const RUNDLL = 'rundll32.exe';
const HANDLER = 'url.dll,FileProtocolHandler';
const wslOpeners = ['wslview', RUNDLL];

/**
 * @param address of an http or https page.
 * @returns whether an opener was started.
 */
export async function startBrowser(
  address: string,
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const searchPath = await safeSearchPath(environment);
  const opener = await openerOf(address, environment, searchPath, platform);
  if (opener === undefined) return false;
  const passed = await environmentOfProgram({ environment, searchPath, purpose: 'browser' });
  const browser = await chosenBrowser(environment, searchPath);
  return startDetached({
    ...opener,
    // The current folder may belong to a stranger.
    folder: path.parse(opener.file).root,
    environment: browser === undefined ? passed : { ...passed, BROWSER: browser },
  });
}

async function openerOf(
  address: string,
  environment: Environment,
  searchPath: SearchPath,
  platform: NodeJS.Platform,
): Promise<Opener | undefined> {
  if (platform === 'darwin') return { file: '/usr/bin/open', arguments: [address] };
  if (platform === 'win32') {
    const root = environment['SystemRoot'] ?? environment['SYSTEMROOT'] ?? 'C:\\Windows';
    const file = path.join(root, 'System32', RUNDLL);
    return { file, arguments: [HANDLER, address] };
  }
  const openers = environment['WSL_DISTRO_NAME'] ? [...wslOpeners, 'xdg-open'] : ['xdg-open'];
  for (const name of openers) {
    const file = await findProgram(name, searchPath);
    if (file === undefined) continue;
    return { file, arguments: name === RUNDLL ? [HANDLER, address] : [address] };
  }
  return undefined;
}

/** The program in BROWSER, which `xdg-open` starts; undefined unless it is outside of every tree. */
async function chosenBrowser(environment: Environment, searchPath: SearchPath): Promise<string | undefined> {
  const named = environment['BROWSER'];
  if (!named || /[%:\s]/.test(named)) return undefined;
  if (!named.includes('/')) return findProgram(named, searchPath);
  if (!path.isAbsolute(named) || !(await isProgram(named))) return undefined;
  return findProgram(path.basename(named), { ...searchPath, folders: [path.dirname(named)] });
}
