/** Releases for tests: signed ones, their programs, a server that serves anything, and a machine with a copy of svc. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Release } from '@svc/contract';
import { startServer } from '@svc/testkit';
import { sealed } from '../src/manifest/envelope.ts';
import type { PrivateKey } from '../src/manifest/keys.ts';
import { version } from '../src/version.ts';
import { createMachine, builtProgram, type Machine } from './svc.ts';

const DAY_MS = 86_400_000;

/** Higher than the built version. */
export const NEXT = '0.2.0';

/** The built program with another version. */
export function programOf(other: string): Buffer {
  const built = readFileSync(builtProgram(), 'latin1');
  const here = `name:"@svc/cli",version:"${version}"`;
  if (built.split(here).length !== 2) throw new Error('The program must contain its version exactly once.');
  return Buffer.from(built.replace(here, `name:"@svc/cli",version:"${other}"`), 'latin1');
}

/** A program that prints a line repeatedly, as fast as it is read. */
export const endlessly = (line: string) =>
  `const more = () => { while (process.stdout.write('${line}\\n')); process.stdout.once('drain', more); }; more();`;

/** A valid release with these changes; its artifact is `program`. */
export function releaseOf(program: Uint8Array, url: string, changes: Partial<Release> = {}): Release {
  const now = Date.now();
  return {
    schemaVersion: 1,
    channel: 'stable',
    version: NEXT,
    releasedAt: new Date(now - DAY_MS).toISOString(),
    expiresAt: new Date(now + DAY_MS).toISOString(),
    minimumVersion: '0.1.0',
    revokedVersions: [],
    artifacts: [
      {
        platform: process.platform,
        arch: process.arch,
        url,
        sha256: digestOf(program),
        size: program.length,
      },
    ],
    ...changes,
  };
}

export function signed(release: unknown, ...keys: readonly PrivateKey[]): Buffer {
  return Buffer.from(JSON.stringify(sealed(Buffer.from(JSON.stringify(release)), keys)));
}

export type ResponseHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface FileServer extends AsyncDisposable {
  readonly url: string;
  /** The response for each path, as bytes or from a handler. */
  readonly files: Map<string, Uint8Array | ResponseHandler>;
}

export async function openFileServer(): Promise<FileServer> {
  const files: FileServer['files'] = new Map();
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    const file = files.get(request.url ?? '');
    if (typeof file === 'function') file(request, response);
    else if (file) response.writeHead(200, { 'content-length': file.length }).end(file);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A real service that serves manifests, and the address of the next release's program. */
export interface ReleaseService extends AsyncDisposable {
  readonly url: string;
  readonly programs: FileServer;
  readonly next: Buffer;
  /** The address of the program. */
  readonly address: string;
  publish(manifest: Uint8Array): Promise<void>;
}

export async function startReleaseService(): Promise<ReleaseService> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-release-'));
  const manifest = path.join(folder, 'manifest.json');
  const server = await startServer({ config: { updateManifestPath: manifest } });
  const programs = await openFileServer();
  return {
    url: server.url,
    programs,
    next: programOf(NEXT),
    address: `${programs.url}/svc-${NEXT}.mjs`,
    async publish(content) {
      await writeFile(`${manifest}.new`, content);
      await rename(`${manifest}.new`, manifest);
    },
    async [Symbol.asyncDispose]() {
      await programs[Symbol.asyncDispose]();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

export const MANIFEST = '/api/v1/updates/manifest';

export interface InstalledMachine extends Machine {
  /** The copy that is run. */
  readonly program: string;
  /** The complete content of the program's folder. */
  installed(): Promise<Record<string, string>>;
  /** All files in the home folder of svc. */
  kept(): Promise<Record<string, string>>;
  says(): Promise<string>;
  /** Restores the built program. */
  reinstall(): Promise<void>;
}

/** A machine on which svc was installed into a separate folder. */
export async function installedMachine(
  url: string,
  keys: readonly PrivateKey[],
  name = 'svc.mjs',
): Promise<InstalledMachine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-installed-'));
  const program = path.join(folder, name);
  const reinstall = async () => {
    await copyFile(builtProgram(), `${program}.built`);
    await rename(`${program}.built`, program);
  };
  await reinstall();
  const trusted = keys.map(({ publicKey }) => publicKey.line).join(',');
  const machine = await createMachine(url, { SVC_UPDATE_KEYS: trusted }, { program });
  return {
    ...machine,
    program,
    reinstall,
    installed: () => treeOf(folder),
    kept: () => treeOf(machine.home),
    says: async () => (await machine.start(['--version']).ended).stdout,
    async [Symbol.asyncDispose]() {
      await machine[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Every file by its path: mode, time of change, inode and digest. */
async function treeOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  const entries = names.map(async (name) => {
    const file = path.join(folder, name);
    const { mode, mtimeMs, ino } = await stat(file);
    const content = (await stat(file)).isFile() ? digestOf(await readFile(file)) : 'folder';
    return [name, [mode.toString(8), mtimeMs, ino, content].join(' ')] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
