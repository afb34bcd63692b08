/** Updates that are killed at moments after the download. */
import { expect, test } from 'vitest';
import { generateKey } from '../src/manifest/keys.ts';
import { version } from '../src/version.ts';
import { installedMachine, NEXT, releaseOf, signed, startReleaseService } from './releases.ts';

const KILLS = 10;
const key = generateKey();

test('[T21] a kill any time after the download leaves a working program', { timeout: 180_000 }, async () => {
  await using service = await startReleaseService();
  const { next, address } = service;
  await service.publish(signed(releaseOf(next, address), key));
  await using machine = await installedMachine(service.url, [key]);
  let fetched = () => undefined as void;
  service.programs.files.set(`/svc-${NEXT}.mjs`, (_, response) => {
    response.end(next, () => fetched());
  });
  /**
   * The delay is counted from the end of the download.
   * @returns how long the update continued after the download.
   */
  const applyAndKill = async (afterMs: number): Promise<number> => {
    const { child, ended } = machine.start(['update', 'apply']);
    let fetchedMs = performance.now();
    let timer: NodeJS.Timeout | undefined;
    fetched = () => {
      fetchedMs = performance.now();
      timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    };
    await ended;
    clearTimeout(timer);
    return performance.now() - fetchedMs;
  };
  const wholeMs = await applyAndKill(60_000);
  expect(await machine.says()).toBe(`svc ${NEXT}\n`);
  const said: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    await machine.reinstall();
    await applyAndKill((wholeMs * kill) / (KILLS - 1));
    said.push(await machine.says());
  }
  expect(said.filter((text) => ![`svc ${version}\n`, `svc ${NEXT}\n`].includes(text))).toEqual([]);
  await machine.reinstall();
  await applyAndKill(60_000);
  expect(await machine.says()).toBe(`svc ${NEXT}\n`);
  expect(Object.keys(await machine.installed())).toEqual(['svc.mjs', 'svc.mjs.previous']);
});
