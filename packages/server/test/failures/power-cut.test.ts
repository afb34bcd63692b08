/** A power cut: what was acknowledged is on the disk, and not only on its way there. */
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bodyOf, diskImagesMissing, makeDiskImage, startServiceProcess } from '@svc/testkit';
import { expect, test } from 'vitest';

const WRITES = 50;

test.skipIf(diskImagesMissing)(
  'every acknowledged write is in an image of the disk taken at the moment of the last answer',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-power-'));
    const disk = makeDiskImage(folder, 'before');
    const service = await startServiceProcess({ dataDir: join(disk.path, 'data') });
    const person = await service.signUp();
    const names = Array.from({ length: WRITES }, (_, number) => `workspace ${number}`);
    for (const name of names) bodyOf(await person.api.createWorkspace({ body: { name } }));
    // Shows that the image leaves out what nobody synced; without it this test could not fail.
    writeFileSync(join(disk.path, 'unsynced'), 'gone');
    service.signal('SIGSTOP');
    const after = disk.copyAsAfterPowerCut('after');
    service.signal('SIGCONT');
    await service.stop();
    disk.unmount();

    expect(existsSync(join(after.path, 'unsynced'))).toBe(false);
    const recovered = await startServiceProcess({ dataDir: join(after.path, 'data') });
    const { workspaces } = bodyOf(await recovered.withCookie(person.cookie).api.listWorkspaces());
    expect(workspaces.map(({ name }) => name)).toEqual(['Personal', ...names]);
    expect(await recovered.stop()).toBe(0);
    after.unmount();
    await rm(folder, { recursive: true, force: true });
  },
  60_000,
);
