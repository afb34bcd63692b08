import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { AT, newReport, TemporaryFolder } from '../../test/local-reports.ts';
import { freeze } from './freezing.ts';
import { claim, LEASE_SILENCE_MS_MAX, ownerOf, release, renew, type Lease } from './leases.ts';
import { livenessOf, ownIdentity } from './processes.ts';
import { createReport } from './reports.ts';
import { openStore, type Store } from './store.ts';

const PROGRAM = path.join(import.meta.dirname, '../../test/holding-process.ts');
const ID = 'local-report-1';
const NOW_MS = Date.parse(AT);

async function withReport(work: (store: Store, folder: string) => void | Promise<void>): Promise<void> {
  using folder = new TemporaryFolder();
  using store = await openStore(folder.path);
  createReport(store, newReport());
  await work(store, folder.path);
}

async function startHolding(folder: string) {
  const child = spawn(process.execPath, [PROGRAM, folder, ID], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}

const finish = (store: Store, lease?: Lease) =>
  freeze(store, ID, (set) => ({ set, bytes: Buffer.from('{}'), result: 'frozen' }), {
    at: AT,
    ...(lease && { lease }),
  });

/** Makes the lease look like one from another machine, whose processes are invisible here. */
function movedElsewhere(store: Store): void {
  store.run('UPDATE leases SET owner = ?', JSON.stringify({ ...ownIdentity(), place: 'elsewhere' }));
}

describe('a lease', () => {
  test('is held by one process', () =>
    withReport((store) => {
      const lease = claim(store, ID, NOW_MS);
      expect(claim(store, ID, NOW_MS)).toBeUndefined();
      expect(ownerOf(store, ID, NOW_MS)).toMatchObject({ pid: process.pid, heartbeatAtMs: NOW_MS });
      release(store, lease!);
      expect(ownerOf(store, ID, NOW_MS)).toBeUndefined();
      expect(claim(store, ID, NOW_MS)).toBeDefined();
    }));

  test('of a live process keeps others from freezing the report', () =>
    withReport(async (store, folder) => {
      const { child, said } = await startHolding(folder);
      expect(said).toBe('held');
      expect(() => finish(store)).toThrow(`Another svc (process ${child.pid}) is working on this report.`);
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(finish(store)).toBe('frozen');
    }));

  test('of a process that died is free immediately', () =>
    withReport(async (store, folder) => {
      const { child } = await startHolding(folder);
      expect(claim(store, ID, Date.now())).toBeUndefined();
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(claim(store, ID, Date.now())).toBeDefined();
    }));

  test('stays with its owner, who freezes the report under it', () =>
    withReport((store) => {
      const lease = claim(store, ID, NOW_MS)!;
      expect(() => finish(store, { ...lease, token: 'another' })).toThrow('took over');
      expect(finish(store, lease)).toBe('frozen');
    }));

  test('of an invisible process is free after a silence, and its owner then loses it', () =>
    withReport((store) => {
      const lease = claim(store, ID, NOW_MS)!;
      movedElsewhere(store);
      expect(claim(store, ID, NOW_MS + LEASE_SILENCE_MS_MAX)).toBeUndefined();
      expect(renew(store, lease, NOW_MS + 1000)).toBe(true);
      expect(claim(store, ID, NOW_MS + LEASE_SILENCE_MS_MAX + 1000)).toBeUndefined();
      const other = claim(store, ID, NOW_MS + LEASE_SILENCE_MS_MAX + 1001);
      expect(other).toBeDefined();
      expect(renew(store, lease, NOW_MS)).toBe(false);
      release(store, lease);
      expect(renew(store, other!, NOW_MS)).toBe(true);
    }));
});

describe('a process', () => {
  test('is identified by more than its number', () => {
    const own = ownIdentity();
    expect(livenessOf(own)).toBe('alive');
    expect(livenessOf({ ...own, began: '1' })).toBe('dead');
    expect(livenessOf({ ...own, place: 'elsewhere' })).toBe('unknown');
    expect(livenessOf({ ...own, began: null })).toBe('unknown');
  });
});
