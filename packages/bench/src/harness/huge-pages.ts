/** Huge pages for the shared memory of PostgreSQL, as OPERATING.md recommends. */
import { readFile, writeFile } from 'node:fs/promises';

const SETTING = '/proc/sys/vm/nr_hugepages';
const PAGE_MIB = 2;

/** Gives the huge pages back when it is disposed. */
export interface HugePages extends AsyncDisposable {
  /** False where the system has no huge pages to give, or only root may reserve them. */
  readonly areReserved: boolean;
}

/** Reserves huge pages of 2 MiB beside those that are already reserved. */
export async function reserveHugePages(sizeMib: number): Promise<HugePages> {
  const before = Number(await readFile(SETTING, 'utf8').catch(() => '0'));
  const wanted = before + Math.ceil(sizeMib / PAGE_MIB);
  const restore = () => writeFile(SETTING, String(before));
  try {
    await writeFile(SETTING, String(wanted));
  } catch {
    return { areReserved: false, [Symbol.asyncDispose]: async () => Promise.resolve() };
  }
  const reserved = Number(await readFile(SETTING, 'utf8'));
  if (reserved < wanted) await restore();
  return {
    areReserved: reserved >= wanted,
    [Symbol.asyncDispose]: restore,
  };
}
