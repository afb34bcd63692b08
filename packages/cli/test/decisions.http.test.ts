/** `--decisions`: what people decided on the service, or on this machine, counts for gates and exports. */
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startServer } from '@svc/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { decideOnService } from './decisions-on-service.ts';
import { impatientClock } from './eager-clock.ts';
import { git } from './repository.ts';
import { sarifOf, type SampleResult } from './sarif-results.ts';
import { containing, createMachine, jsonOf, type Machine } from './svc.ts';
import { syncingMachine, type Syncing } from './syncing.ts';

const server = await startServer();
afterAll(() => server.close());

const high: SampleResult = { file: 'src/high.js', level: 'error' };
const other: SampleResult = { file: 'src/other.js', level: 'error' };
const medium: SampleResult = { ...high, level: 'warning' };
const suppressed: SampleResult = { file: 'src/aside.js', level: 'error', isSuppressed: true };

const SCAN = ['scan', '.', '--only', 'secrets', '--sarif', 'linter.sarif', '--json'];
const GATED = ['--fail-on', 'high'];

async function scan(
  { folder, svc }: Pick<Machine, 'folder' | 'svc'>,
  results: readonly SampleResult[] | string,
  ...more: readonly string[]
) {
  writeFileSync(path.join(folder, 'linter.sarif'), typeof results === 'string' ? results : sarifOf(results));
  const ended = await svc([...SCAN, ...more]);
  return { ...ended, result: jsonOf(ended.stdout) };
}

/** A machine like a runner: bound, and without data of earlier runs. */
async function freshMachine({ gate, device, machine: { folder } }: Syncing): Promise<Machine> {
  const machine = await createMachine(gate.url, { SVC_DEVICE_TOKEN: device.deviceToken });
  return { ...machine, folder, svc: (words, environment) => machine.svc(words, environment, folder) };
}

const asked = ({ gate }: Syncing) => gate.calls.filter(({ name }) => name === 'decisions');
const fromService = (applied: number) => ({ decisions: { source: 'service', applied } });

describe('[D20] svc scan --fail-on', () => {
  test('passes with what is set aside on the service, and says so', async () => {
    await using syncing = await syncingMachine(server);
    expect(await scan(syncing.machine, [high, other], ...GATED)).toMatchObject({
      code: exitCodes.gateFailed,
      result: { ...fromService(0), gate: { count: 2 } },
      stderr: containing('set accepted ones aside on the page of the report'),
    });
    await decideOnService(syncing, high.file);
    const runner = await freshMachine(syncing);
    expect(await scan(runner, [high, other], ...GATED)).toMatchObject({
      code: exitCodes.gateFailed,
      result: { ...fromService(1), gate: { count: 1 } },
    });
    expect((await syncing.svc(['export', '-o', 'report.html'])).stderr).toContain(
      `1 finding is set aside by decisions on ${syncing.gate.url}.`,
    );
    await decideOnService(syncing, other.file, { status: 'false_positive' });
    expect(await scan(runner, [high, other], ...GATED)).toMatchObject({
      code: exitCodes.done,
      result: { ...fromService(2), gate: { passed: true } },
    });
  });

  test('counts a finding that is more severe than when it was set aside', async () => {
    await using syncing = await syncingMachine(server);
    await scan(syncing.machine, [medium]);
    await decideOnService(syncing, medium.file);
    const runner = await freshMachine(syncing);
    expect(await scan(runner, [medium], '--no-sync', '--fail-on', 'medium')).toMatchObject({
      code: exitCodes.done,
      result: fromService(1),
    });
    expect(await scan(runner, [high], '--no-sync', '--fail-on', 'medium')).toMatchObject({
      code: exitCodes.gateFailed,
      result: fromService(0),
    });
  });

  test('takes decisions from the named source', async () => {
    await using syncing = await syncingMachine(server);
    await scan(syncing.machine, [high]);
    await decideOnService(syncing, high.file);
    const runner = await freshMachine(syncing);
    const judged = (source: string) => scan(runner, [high], '--no-sync', ...GATED, '--decisions', source);
    expect(await judged('local')).toMatchObject({
      code: 7,
      result: { decisions: { source: 'local', applied: 0 } },
    });
    expect(await judged('service')).toMatchObject({ code: 0, result: fromService(1) });
    await runner.svc(['finding', 'status', 'F-1', 'false_positive']);
    const calls = asked(syncing).length;
    expect(await judged('local')).toMatchObject({
      code: 0,
      result: { decisions: { source: 'local', applied: 1 } },
    });
    expect(await judged('none')).toMatchObject({
      code: 7,
      result: { decisions: { source: 'none', applied: 0 } },
    });
    const said = await runner.svc(['compare', '--decisions', 'none']);
    expect(said.stderr).toContain('Decisions are ignored, so 1 more finding counts.');
    expect(asked(syncing)).toHaveLength(calls);
    expect(await judged('anywhere')).toMatchObject({ code: exitCodes.usage });
  });

  test('applies a decision of this machine until the service knows it, and then follows the service', async () => {
    await using syncing = await syncingMachine(server);
    const { machine } = syncing;
    await scan(machine, [high], '--no-sync');
    await machine.svc(['finding', 'status', 'F-1', 'accepted_risk']);
    expect(await scan(machine, [high], '--no-sync', ...GATED)).toMatchObject({
      code: 0,
      result: fromService(1),
    });
    expect(await scan(machine, [high], ...GATED)).toMatchObject({ code: 0, result: fromService(1) });
    await decideOnService(syncing, high.file, { status: 'open' });
    const compared = await machine.svc(['compare', '--fail-on-new', 'high', '--json']);
    expect(jsonOf(compared.stdout)).toMatchObject({ unchanged: [{ status: 'open' }], ...fromService(0) });
  });

  test('passes with what the code suppresses, whatever the source', async () => {
    await using syncing = await syncingMachine(server);
    for (const source of ['service', 'local', 'none'])
      expect(
        await scan(syncing.machine, [suppressed], '--no-sync', ...GATED, '--decisions', source),
      ).toMatchObject({ code: 0, result: { decisions: { source, applied: 0 } } });
  });

  test('asks nothing without a gate, a binding or a credential', async () => {
    await using syncing = await syncingMachine(server);
    expect(await scan(syncing.machine, [high])).toMatchObject({ code: 0, result: { decisions: null } });
    const local = { code: 7, result: { decisions: { source: 'local', applied: 0 } } };
    const without = {
      ...syncing.machine,
      svc: (words: readonly string[]) => syncing.svc(words, { SVC_DEVICE_TOKEN: '' }),
    };
    expect(await scan(without, [high], ...GATED)).toMatchObject(local);
    await using unbound = await syncingMachine(server, { bound: false });
    expect(await scan(unbound.machine, [high], ...GATED)).toMatchObject(local);
    expect(await scan(unbound.machine, [high], ...GATED, '--decisions', 'service')).toMatchObject({
      code: exitCodes.failed,
      stderr: containing('svc init'),
    });
    expect([...asked(syncing), ...asked(unbound)]).toEqual([]);
  });

  test('finds the decision about a finding of a renamed file by its earlier fingerprint', async () => {
    await using syncing = await syncingMachine(server, {
      files: { [high.file]: `one();\ntwo();\neval(input) // ${high.file}\nthree();\n` },
    });
    const { machine } = syncing;
    await scan(machine, [high]);
    await decideOnService(syncing, high.file);
    const [before, now] = [high.file, 'src/renamed.js'].map((file) => path.join(machine.folder, file));
    renameSync(before ?? '', now ?? '');
    git(machine.folder, 'add', 'src');
    git(machine.folder, 'commit', '--quiet', '--message', 'rename');
    const log = sarifOf([high]).replace(`"uri":"${high.file}"`, '"uri":"src/renamed.js"');
    expect(await scan(machine, log, '--no-sync', ...GATED)).toMatchObject({
      code: 0,
      result: fromService(1),
    });
    const { fingerprints } = jsonOf(asked(syncing).at(-1)?.body ?? '') as { fingerprints: string[] };
    expect(fingerprints.length).toBeGreaterThan(1);
  });
});

describe('[D20] a service that cannot be asked', () => {
  const lost = { code: 7, result: { decisions: { source: 'local', applied: 0 }, gate: { passed: false } } };

  test('makes the decisions of this machine count, with a warning', async () => {
    await using syncing = await syncingMachine(server);
    await scan(syncing.machine, [high]);
    await decideOnService(syncing, high.file);
    syncing.gate.decide = ({ name }) => (name === 'decisions' ? 'lose_request' : 'pass');
    expect(await scan(syncing.machine, [high], ...GATED)).toMatchObject({
      ...lost,
      stderr: containing('Decisions on this machine count instead.'),
    });
    // A call that is lost is repeated, within the budget of the command.
    expect(asked(syncing)).toHaveLength(4);
    syncing.gate.decide = ({ name }) =>
      name === 'decisions' && asked(syncing).length < 6 ? 'lose_answer' : 'pass';
    expect(await scan(syncing.machine, [high], ...GATED)).toMatchObject({ code: 0, result: fromService(1) });
  });

  test.each([
    ['one that limits the rate', { status: 429, code: 'RATE_LIMITED' }],
    ['one without this endpoint', { status: 404, code: 'NOT_FOUND' }],
  ])('includes %s', async (_name, { status, code }) => {
    await using syncing = await syncingMachine(server);
    const error = { code, message: 'No.', requestId: 'r' };
    syncing.gate.decide = ({ name }) => (name === 'decisions' ? { status, body: { error } } : 'pass');
    expect(await scan(syncing.machine, [high], ...GATED)).toMatchObject(lost);
  });

  test('includes one that takes longer than five seconds', async () => {
    await using syncing = await syncingMachine(server);
    await scan(syncing.machine, [high]);
    syncing.machine.clock = impatientClock(5000);
    expect(await scan(syncing.machine, [high], '--no-sync', ...GATED)).toMatchObject({
      ...lost,
      stderr: containing('did not respond within 5 seconds'),
    });
  });

  test('makes --decisions service end with 5, after the report is stored and the result printed', async () => {
    await using syncing = await syncingMachine(server);
    syncing.gate.decide = ({ name }) => (name === 'decisions' ? 'lose_request' : 'pass');
    const explicit = ['--decisions', 'service'];
    expect(await scan(syncing.machine, [high], ...GATED, ...explicit)).toMatchObject({
      code: exitCodes.unavailable,
      result: { state: 'synced', gate: null, decisions: null },
    });
    await scan(syncing.machine, [high, other]);
    for (const words of [
      ['compare', '--fail-on-new', 'high'],
      ['export', '--format', 'json', '-o', 'out.json'],
    ])
      expect(await syncing.svc([...words, ...explicit])).toMatchObject({ code: exitCodes.unavailable });
  });
});

describe('[D20] svc compare and svc export', () => {
  test('a new finding that is set aside on the service passes, and its status is shown', async () => {
    await using syncing = await syncingMachine(server);
    const { machine } = syncing;
    await scan(machine, [high]);
    await scan(machine, [high, other]);
    const compare = async (...more: readonly string[]) => {
      const { code, stdout } = await machine.svc(['compare', '--fail-on-new', 'high', '--json', ...more]);
      return { code, result: jsonOf(stdout) };
    };
    expect(await compare()).toMatchObject({ code: 7, result: fromService(0) });
    await decideOnService(syncing, other.file);
    expect(await compare()).toMatchObject({
      code: 0,
      result: { ...fromService(1), new: [{ status: 'accepted_risk' }], gate: { passed: true } },
    });
    expect(await compare('--decisions', 'none')).toMatchObject({ code: 7 });
    const ungated = await machine.svc(['compare', '--json']);
    expect(jsonOf(ungated.stdout)).toMatchObject({ decisions: null });
  });

  test('an exported file has the decisions too, and the report on this machine is unchanged', async () => {
    await using syncing = await syncingMachine(server);
    const { machine } = syncing;
    await scan(machine, [high, other]);
    await decideOnService(syncing, other.file);
    const exported = async (...more: readonly string[]) => {
      const { stdout } = await machine.svc(['export', '--output', '-', ...more]);
      return stdout;
    };
    expect(JSON.parse(await exported('--format', 'json'))).toMatchObject({
      findings: [
        { status: 'open' },
        { status: 'accepted_risk', tags: expect.arrayContaining(['carried-status']) as unknown },
      ],
    });
    expect(await exported('--profile', 'github')).not.toContain(other.file);
    expect(await exported('--profile', 'github', '--decisions', 'none')).toContain(other.file);
    const written = await machine.svc(['export', '-o', 'report.html', '--json']);
    expect(jsonOf(written.stdout)).toMatchObject(fromService(1));
    expect((await machine.svc(['report', 'show', '--json'])).stdout).not.toContain('accepted_risk');
  });
});
