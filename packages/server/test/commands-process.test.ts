/** Commands as processes: which stream has what, exit codes and signals. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { builtService } from '@svc/testkit/service-process';
import { afterAll, beforeAll, expect, test } from 'vitest';

const program = await builtService();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-commands-'));
});
afterAll(() => rm(folder, { recursive: true }));

function start(...words: string[]) {
  const env = { PATH: process.env['PATH'], DATA_DIR: path.join(folder, 'data') };
  return spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function ended(...words: string[]) {
  const child = start(...words);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, output, errors };
}

test('a result is on standard output, or on standard error if the exit code is not 0', async () => {
  expect(await ended('migrate', '--check')).toMatchObject({
    code: 1,
    output: '',
    errors: expect.stringContaining('pending:'),
  });
  expect(await ended('--version')).toMatchObject({ code: 0, errors: '' });
});

test('--json prints one object on standard output, whatever the exit code', async () => {
  const { code, output, errors } = await ended('migrate', '--check', '--json', '--quiet');
  expect([code, errors, output.split('\n').length]).toEqual([1, '', 2]);
  expect(JSON.parse(output)).toMatchObject({ command: 'migrate', exitCode: 1 });
  const failed = await ended('no-such-command', '--json');
  expect([failed.code, JSON.parse(failed.output)]).toEqual([
    2,
    { command: null, exitCode: 2, error: expect.stringContaining('There is no command') },
  ]);
});

test('without a terminal, --all asks no question and ends nothing', async () => {
  await ended('migrate');
  expect(await ended('end-sessions', '--all')).toEqual({
    code: 2,
    output: '',
    errors: 'Can’t prompt: not a terminal. Pass --yes to confirm.\n',
  });
});
