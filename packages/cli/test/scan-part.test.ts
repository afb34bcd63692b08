/** `svc scan PATH`: only that folder or file is scanned, and nothing is concluded about the rest. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { secretSamples } from '@svc/report/secret-samples';
import { expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { initRepository, writeFiles } from './repository.ts';
import { createMachine, jsonOf, type CommandResult, type Machine } from './svc.ts';

const [one, other] = secretSamples.filter(({ text }) => !text.includes('\n')).map(({ text }) => text);

interface ScanJson {
  readonly localReportId: string;
  readonly part: string | null;
  readonly fileCount: number;
  readonly carried: readonly string[];
}

interface Listed {
  readonly findings: readonly {
    readonly id: string;
    readonly fingerprint: string;
    readonly status?: string;
    readonly affected: { readonly file: string };
  }[];
}

const OPTIONS = ['--only', 'secrets', '--no-sync', '--json'];

async function shop() {
  const machine = await createMachine();
  writeFiles(machine.folder, {
    'api/a.txt': `${one}\n`,
    'api/b.txt': 'nothing\n',
    'web/c.txt': `${other}\n`,
  });
  initRepository(machine.folder);
  return machine;
}

async function scanned(machine: Machine, words: readonly string[], folder = machine.folder) {
  const ended = await machine.svc(['scan', ...words, ...OPTIONS], {}, folder);
  expect(ended).toMatchObject({ code: 0 });
  const { findings } = jsonOf((await machine.svc(['finding', 'list', '--json'])).stdout) as Listed;
  return { ...(jsonOf(ended.stdout) as ScanJson), findings };
}

const filesOf = ({ findings }: Listed) => findings.map(({ affected }) => affected.file).toSorted();

test('a folder or a file is scanned alone, with paths from the root, and the identities of a whole scan', async () => {
  await using machine = await shop();
  const whole = await scanned(machine, []);
  expect({ part: whole.part, files: filesOf(whole) }).toEqual({
    part: null,
    files: ['api/a.txt', 'web/c.txt'],
  });
  const api = path.join(machine.folder, 'api');
  for (const [words, folder, part] of [
    [['api'], machine.folder, 'api'],
    [['api/'], machine.folder, 'api'],
    [['.'], api, 'api'],
    [[api], path.join(machine.folder, 'web'), 'api'],
    [['api/a.txt'], machine.folder, 'api/a.txt'],
  ] as const) {
    const found = await scanned(machine, words, folder);
    expect({ words, part: found.part, files: filesOf(found) }).toEqual({ words, part, files: ['api/a.txt'] });
    expect(found.findings[0]?.fingerprint).toBe(
      whole.findings.find(({ affected }) => affected.file === 'api/a.txt')?.fingerprint,
    );
  }
  for (const [words, folder] of [
    [['.'], machine.folder],
    [['..'], api],
    [[], api],
  ] as const)
    expect(await scanned(machine, words, folder)).toMatchObject({ part: null, fileCount: 3 });
  expect((await machine.svc(['report', 'validate'])).code).toBe(0);
});

test('a partial scan is marked as partial, on the screen and in the report', async () => {
  await using machine = await shop();
  const ended = await machine.svc(['scan', 'api', '--only', 'secrets', '--no-sync']);
  expect(ended.stderr).toContain('Only api is scanned, and not the rest of');
  expect(ended.stdout).toContain('Only api was scanned; the rest of the repository was not scanned.');
  const report = jsonOf((await machine.svc(['report', 'show', '--json'])).stdout) as Record<string, unknown>;
  expect(report).toMatchObject({
    coverageAreas: expect.arrayContaining([
      expect.objectContaining({ id: 'secrets', status: 'partial' }),
      expect.objectContaining({ id: 'tool:secrets', status: 'partial' }),
      expect.objectContaining({ id: 'tool:svc', status: 'partial' }),
    ]) as unknown,
  });
});

test('decisions about findings inside and outside of a part survive a scan of that part', async () => {
  await using machine = await shop();
  const whole = await scanned(machine, []);
  for (const { id } of whole.findings)
    expect((await machine.svc(['finding', 'status', id, 'accepted_risk'])).code).toBe(0);
  expect((await scanned(machine, ['api'])).carried).toHaveLength(1);
  expect((await scanned(machine, ['api'])).carried).toHaveLength(1);
  expect((await scanned(machine, [])).carried).toHaveLength(2);

  // The whole part was scanned without the finding, so a later one counts as new.
  writeFiles(machine.folder, { 'api/a.txt': 'nothing\n' });
  expect((await scanned(machine, ['api'])).findings).toEqual([]);
  writeFiles(machine.folder, { 'api/a.txt': `${one}\n` });
  const again = await scanned(machine, []);
  expect(again.carried).toHaveLength(1);
  expect(again.findings.find(({ affected }) => affected.file === 'api/a.txt')?.status ?? 'open').toBe('open');
});

test('a report is compared with the previous one of the same or a larger part', async () => {
  await using machine = await shop();
  const whole = await scanned(machine, []);
  const api = await scanned(machine, ['api']);
  const baselineOf = async (ended: Promise<CommandResult>) =>
    (jsonOf((await ended).stdout) as { baseline: { localReportId: string } }).baseline.localReportId;
  expect(await baselineOf(machine.svc(['compare', '--json']))).toBe(whole.localReportId);
  const file = await scanned(machine, ['api/a.txt']);
  expect(await baselineOf(machine.svc(['compare', '--json']))).toBe(api.localReportId);
  const next = await scanned(machine, []);
  expect(await baselineOf(machine.svc(['compare', next.localReportId, '--json']))).toBe(whole.localReportId);
  expect(file.part).toBe('api/a.txt');
});

test('a gate of a partial report judges that part, and findings outside are not known to be fixed', async () => {
  await using machine = await shop();
  await scanned(machine, []);
  await scanned(machine, ['api']);
  const gated = await machine.svc(['compare', '--fail-on-new', 'info', '--json']);
  expect(gated.code).toBe(0);
  const { fixed, unknown } = jsonOf(gated.stdout) as Record<string, { reason: string }[]>;
  expect(fixed).toEqual([]);
  expect(unknown?.map(({ reason }) => reason)).toEqual(['secrets did not scan everything']);
});

test('a link is scanned at its target, and a nested repository separately', async () => {
  await using machine = await shop();
  symlinkSync('api', path.join(machine.folder, 'linked'));
  expect(await scanned(machine, ['linked'])).toMatchObject({ part: 'api', fileCount: 2 });
  const inner = path.join(machine.folder, 'inner');
  mkdirSync(inner);
  writeFiles(inner, { 'd.txt': 'nothing\n' });
  initRepository(inner);
  expect(await scanned(machine, ['inner'])).toMatchObject({ part: null, fileCount: 1 });
});

test('a file outside of any repository is scanned without the files beside it', async () => {
  await using machine = await createMachine();
  writeFiles(machine.folder, { 'a.txt': `${one}\n`, 'b.txt': `${other}\n` });
  expect(await scanned(machine, ['a.txt'])).toMatchObject({ part: 'a.txt', fileCount: 1 });
});

test.each([
  ['nowhere', undefined],
  ['strat', 'Did you mean svc scan start?'],
  ['/dev/null', undefined],
])('%s is rejected, and leaves no report behind', async (name, hint) => {
  await using machine = await shop();
  const ended = await machine.svc(['scan', name, ...OPTIONS]);
  expect(ended.code).toBe(exitCodes.rejected);
  const { error } = jsonOf(ended.stdout) as { error: { message: string; hint?: string } };
  expect(error.hint).toBe(hint);
  expect(error.message).toContain(name);
  expect(jsonOf((await machine.svc(['report', 'list', '--json'])).stdout)).toEqual({ reports: [] });
});
