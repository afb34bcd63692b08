/** The data folder: who can read it, what its file system does, and how much is free. */
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, open, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.ts';
import { StartError } from '#start-error';
import { fault, ok, warning, type CheckResult } from './check.ts';

const SECRETS = ['master.key', 'setup-token', 'svc.db', 'svc.db-wal'];
const OTHERS = 0o007;
const NOT_OWNER = 0o077;

/** A file that others can read is a fault if they can also enter the folder. */
export function modesFound({ dataDir }: Config): CheckResult[] {
  const folder = path.resolve(dataDir);
  if (process.platform === 'win32') return [ok('File modes are not checked on this system.')];
  const folderMode = modeOf(folder);
  if (folderMode === null) return [warning(`${folder} does not exist yet. The first start creates it.`)];
  const isOpen = (folderMode & OTHERS) !== 0;
  const found = [
    ...((folderMode & NOT_OWNER) === 0
      ? []
      : [warning(`${folder} can be entered by other users of this machine: chmod 700 it.`)]),
    ...SECRETS.map((name) => path.join(folder, name)).flatMap((file) => {
      const mode = modeOf(file) ?? 0;
      if ((mode & NOT_OWNER) === 0) return [];
      const text = `${file} can be read by other users of this machine: chmod 600 it.`;
      return [isOpen && (mode & OTHERS) !== 0 ? fault(text) : warning(text)];
    }),
  ];
  return found.length > 0 ? found : [ok(`Only its owner can read ${folder}.`)];
}

function modeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.mode ?? null;
}

/** Types of file systems that are on another machine, from Linux's magic.h. */
const NETWORKED: Readonly<Record<number, string>> = {
  0x69_69: 'NFS',
  0x51_7b: 'SMB',
  0xff_53_4d_42: 'CIFS',
  0xfe_53_4d_42: 'SMB2',
};

/** What the service relies on: exclusive creation, renaming over a file, and syncing a folder. */
export async function fileSystemFound({ dataDir, database }: Config): Promise<CheckResult[]> {
  const folder = path.resolve(dataDir);
  if (!existsSync(folder)) return [warning(`${folder} does not exist yet. The first start creates it.`)];
  const work = await mkdtemp(path.join(folder, '.doctor-')).catch((error: unknown) => {
    const { code } = error as { code?: string };
    return Promise.reject(
      new StartError(`${folder} cannot be written to (${code}). Make it writable for this user.`),
    );
  });
  try {
    const [one, other] = [path.join(work, 'one'), path.join(work, 'other')];
    await writeFile(one, 'one', { mode: 0o600, flag: 'wx' });
    const second = await writeFile(one, 'two', { flag: 'wx' }).then(
      () => null,
      (error: unknown) => (error as { code?: string }).code,
    );
    await writeFile(other, 'other', { mode: 0o600 });
    await rename(other, one);
    const handle = await open(work, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    const isReplaced = (await readFile(one, 'utf8')) === 'other' && !existsSync(other);
    const networked = NETWORKED[(await statfs(folder)).type];
    return [
      second === 'EEXIST'
        ? ok('Exclusive file creation works: an existing file is not overwritten.')
        : fault(
            'Exclusive file creation does not work: an existing file is overwritten. Use another file system for DATA_DIR.',
          ),
      isReplaced
        ? ok('A rename replaces an existing file.')
        : fault('A rename does not replace an existing file. Use another file system for DATA_DIR.'),
      ...(networked !== undefined && database.kind === 'sqlite'
        ? [fault(`DATA_DIR is on ${networked}, whose locks SQLite cannot rely on. Use a local disk.`)]
        : []),
    ];
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const FREE_WARNING = 0.2;
const FREE_FAULT = 0.05;

export async function diskFound({ dataDir }: Config): Promise<CheckResult[]> {
  const folder = path.resolve(dataDir);
  if (!existsSync(folder)) return [warning(`${folder} does not exist yet. The first start creates it.`)];
  const { bavail, blocks, bsize } = await statfs(folder);
  const free = blocks === 0 ? 1 : bavail / blocks;
  const text = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB are free on the disk of ${folder} (${Math.floor(free * 100)} %).`;
  if (free >= FREE_WARNING) return [ok(text)];
  const advice = `${text} Writes fail on a full disk: free space, or move the folder to a larger disk.`;
  return [free < FREE_FAULT ? fault(advice) : warning(advice)];
}
