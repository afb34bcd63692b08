/** The program that `npm start` runs is another than the one that all other tests run: what is loaded late must load. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { startServiceProcess } from '@svc/testkit';
import { expect, test } from 'vitest';

const prepare = path.join(import.meta.dirname, '../../../scripts/prepare.mjs');

test('the bundle makes accounts, refuses common passwords and links devices', async () => {
  execFileSync(process.execPath, [prepare, '--build'], { stdio: 'ignore' });
  await using service = await startServiceProcess({ program: 'bundle' });
  const person = await service.signUp();
  const device = await service.linkDevice(person);
  expect(await device.api.getCurrentDevice()).toMatchObject({ ok: true });
  const common = await service.anonymous.api.signUp({
    body: { email: 'other@example.test', password: '1qaz2wsx3edc' },
  });
  expect(common).toMatchObject({ ok: false, error: { code: 'VALIDATION_FAILED' } });
}, 60_000);
