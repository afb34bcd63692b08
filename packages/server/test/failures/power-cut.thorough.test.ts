/** A power cut: what was acknowledged is on disk, not only in the system's buffers. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { diskImagesMissing, makeDiskImage, type DiskImage } from '@svc/testkit/disk-image';
import { bodyOf } from '@svc/testkit/outcomes';
import { startServiceProcess } from '@svc/testkit/service-process';
import { expect, test } from 'vitest';

const WRITES = 50;

test.skipIf(diskImagesMissing)(
  'every acknowledged write is in an image of the disk taken at the moment of the last response',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-power-'));
    const disk = makeDiskImage(folder, 'before');
    const names = Array.from({ length: WRITES }, (_, number) => `workspace ${number}`);
    let after: DiskImage | undefined;
    try {
      const { cookie, image } = await writeUntilPowerCut(disk, names);
      after = image;
      expect(existsSync(join(after.path, 'unsynced'))).toBe(false);
      await using recovered = await startServiceProcess({ dataDir: join(after.path, 'data') });
      const { workspaces } = bodyOf(await recovered.withCookie(cookie).api.listWorkspaces());
      expect(workspaces.map(({ name }) => name)).toEqual(['Personal', ...names]);
    } finally {
      disk.unmount();
      after?.unmount();
      await rm(folder, { recursive: true, force: true });
    }
  },
  120_000,
);

async function writeUntilPowerCut(disk: DiskImage, names: readonly string[]) {
  await using service = await startServiceProcess({ dataDir: join(disk.path, 'data') });
  const { api, cookie } = await service.signUp();
  for (const name of names) bodyOf(await api.createWorkspace({ body: { name } }));
  service.signal('SIGSTOP');
  while (!isStopped(service.pid)) await turn();
  // Shows that the image excludes unsynced data, without which this test could not fail. Nothing is synced from here
  // on.
  writeFileSync(join(disk.path, 'unsynced'), 'gone');
  const image = disk.copyAsAfterPowerCut('after');
  service.signal('SIGCONT');
  return { cookie, image };
}

/** Whether every thread of the process is stopped: one that is not might be syncing. */
function isStopped(pid: number): boolean {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).every((task) => /\) T /.test(readFileSync(join(tasks, task, 'stat'), 'utf8')));
}
