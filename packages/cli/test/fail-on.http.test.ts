/** `svc scan --fail-on`: a pipeline stops at the findings of a scan, and the report exists anyway. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startServer } from '@svc/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { sarifOf, type SampleResult } from './sarif-results.ts';
import { createMachine, jsonOf, type Machine } from './svc.ts';
import { syncingMachine } from './syncing.ts';

const server = await startServer();
afterAll(() => server.close());

const high: SampleResult = { file: 'src/high.js', level: 'error' };
const medium: SampleResult = { file: 'src/medium.js', level: 'warning' };
const low: SampleResult = { file: 'src/low.js', level: 'note' };
const setAside: SampleResult = { file: 'src/aside.js', level: 'error', isSuppressed: true };

const SCAN = ['scan', '.', '--only', 'secrets', '--sarif', 'linter.sarif'];

async function scan(machine: Machine, results: readonly SampleResult[], ...more: readonly string[]) {
  await writeFile(path.join(machine.folder, 'linter.sarif'), sarifOf(results));
  return machine.svc([...SCAN, ...more]);
}

describe('on this machine', () => {
  test.each([
    ['critical', [high], exitCodes.done],
    ['high', [high], exitCodes.gateFailed],
    ['high', [medium, low], exitCodes.done],
    ['medium', [medium, low], exitCodes.gateFailed],
    ['low', [low], exitCodes.gateFailed],
    ['info', [low], exitCodes.gateFailed],
    ['info', [], exitCodes.done],
    ['info', [setAside], exitCodes.done],
  ] as const)('--fail-on %s with %j ends with %i', async (severity, results, code) => {
    await using machine = await createMachine();
    const ended = await scan(machine, results, '--no-sync', '--json', '--fail-on', severity);
    expect(ended.code).toBe(code);
    expect(jsonOf(ended.stdout)).toMatchObject({
      state: 'finished',
      summary: { findingCount: results.length },
      gate: { severity, passed: code === exitCodes.done },
    });
  });

  test('the failure names the findings and what to do, and the report is complete', async () => {
    await using machine = await createMachine();
    const ended = await scan(machine, [high, medium, low, setAside], '--no-sync', '--fail-on', 'medium');
    expect(ended.code).toBe(exitCodes.gateFailed);
    expect(ended.stdout).toContain('4 findings');
    expect(ended.stderr).toContain(
      '2 outstanding findings are of severity medium or worse: 1 high, 1 medium.',
    );
    expect(ended.stderr).toContain('src/high.js:3');
    expect(ended.stderr).not.toContain('src/low.js');
    expect(ended.stderr).toContain('svc finding status ID accepted_risk');
    expect(await machine.svc(['report', 'validate'])).toMatchObject({ code: 0 });
  });

  test('with --json the result is on standard output, and the failure on standard error', async () => {
    await using machine = await createMachine();
    const ended = await scan(machine, [high], '--no-sync', '--json', '--fail-on', 'high');
    expect(jsonOf(ended.stdout)).toMatchObject({
      gate: { severity: 'high', passed: false, count: 1, findingIds: ['F-1'] },
      failure: null,
    });
    expect(jsonOf(ended.stderr)).toMatchObject({ error: { reason: 'gateFailed', hint: expect.any(String) } });
  });

  test('without --fail-on there is no gate', async () => {
    await using machine = await createMachine();
    const ended = await scan(machine, [high], '--no-sync', '--json');
    expect(ended.code).toBe(0);
    expect(jsonOf(ended.stdout)).toMatchObject({ gate: null });
  });

  test('findings that were set aside in the previous report pass the gate', async () => {
    await using machine = await createMachine();
    expect(await scan(machine, [high], '--no-sync', '--fail-on', 'high')).toMatchObject({ code: 7 });
    expect(await machine.svc(['finding', 'status', 'F-1', 'accepted_risk'])).toMatchObject({ code: 0 });
    expect(await scan(machine, [high], '--no-sync', '--fail-on', 'high')).toMatchObject({ code: 0 });
    expect(await scan(machine, [high, medium], '--no-sync', '--fail-on', 'low')).toMatchObject({ code: 7 });
  });

  test('an invalid severity is a usage error, and nothing is scanned', async () => {
    await using machine = await createMachine();
    const ended = await scan(machine, [high], '--no-sync', '--fail-on', 'severe');
    expect(ended).toMatchObject({ code: exitCodes.usage, stdout: '' });
    expect(ended.stderr).toContain('critical');
    expect(jsonOf((await machine.svc(['report', 'list', '--json'])).stdout)).toEqual({ reports: [] });
  });
});

describe('with a service', () => {
  test('the report is synced before the gate applies, and its page is named', async () => {
    await using syncing = await syncingMachine(server);
    const ended = await scan(syncing.machine, [high], '--fail-on', 'high');
    expect(ended.code).toBe(exitCodes.gateFailed);
    const [report] = await syncing.reports();
    expect(report).toMatchObject({ state: 'finalized' });
    expect(ended.stderr).toContain(`Read the report at ${report?.reportUrl}`);
  });

  test('following the gate’s advice about an accepted finding makes the next scan pass the gate', async () => {
    await using syncing = await syncingMachine(server);
    const { machine } = syncing;
    expect((await scan(machine, [high], '--fail-on', 'high')).stderr).toContain(
      'svc scan --no-sync, then svc finding status ID accepted_risk',
    );
    expect(await machine.svc(['finding', 'status', 'F-1', 'accepted_risk'])).toMatchObject({ code: 1 });
    expect(await scan(machine, [high], '--no-sync')).toMatchObject({ code: 0 });
    expect(await machine.svc(['finding', 'status', 'F-1', 'accepted_risk'])).toMatchObject({ code: 0 });
    expect(await scan(machine, [high], '--fail-on', 'high')).toMatchObject({ code: 0 });
  });

  test('a report that could not be sent does not hide the findings of the gate', async () => {
    await using syncing = await syncingMachine(server);
    syncing.gate.decide = ({ name }) => (name === 'finalize' ? 'lose_request' : 'pass');
    const stopped = await scan(syncing.machine, [high], '--json', '--fail-on', 'high');
    expect(stopped.code).toBe(exitCodes.gateFailed);
    expect(jsonOf(stopped.stdout)).toMatchObject({
      state: 'finished',
      gate: { passed: false },
      failure: { reason: 'unavailable' },
    });
    const passed = await scan(syncing.machine, [low], '--json', '--fail-on', 'high');
    expect(passed.code).toBe(exitCodes.unavailable);
    expect(jsonOf(passed.stdout)).toMatchObject({ gate: { passed: true } });
  });

  test('a log that ends too early is left out of the report, which is synced before the scan fails', async () => {
    await using syncing = await syncingMachine(server);
    const { machine } = syncing;
    await writeFile(path.join(machine.folder, 'linter.sarif'), sarifOf([high]).slice(0, -20));
    expect(await machine.svc(SCAN)).toMatchObject({ code: exitCodes.rejected });
    expect(await machine.svc([...SCAN, '--fail-on', 'high'])).toMatchObject({ code: exitCodes.incomplete });
    expect((await syncing.reports()).map(({ state }) => state)).toEqual(['finalized', 'finalized']);
  });

  test('a report that could not be sent does not hide that it is not complete', async () => {
    await using syncing = await syncingMachine(server);
    syncing.gate.decide = ({ name }) => (name === 'finalize' ? 'lose_request' : 'pass');
    const { machine } = syncing;
    await writeFile(path.join(machine.folder, 'linter.sarif'), sarifOf([high]).slice(0, -20));
    const gated = await machine.svc([...SCAN, '--json', '--fail-on', 'high']);
    expect(gated.code).toBe(exitCodes.incomplete);
    expect(jsonOf(gated.stdout)).toMatchObject({
      gate: { passed: true },
      incomplete: [{ tool: null, file: 'linter.sarif', reason: 'truncated' }],
      failure: { reason: 'unavailable' },
    });
    expect(await machine.svc(SCAN)).toMatchObject({ code: exitCodes.rejected });
    const allowed = await machine.svc([...SCAN, '--fail-on', 'high', '--allow-failed-scanners']);
    expect(allowed.code).toBe(exitCodes.unavailable);
  });

  test('Ctrl+C while the report is being sent ends as interrupted, whatever the result of the gate', async () => {
    await using syncing = await syncingMachine(server);
    await writeFile(path.join(syncing.machine.folder, 'linter.sarif'), sarifOf([high]));
    const started = syncing.begin([...SCAN, '--fail-on', 'high']);
    syncing.gate.decide = ({ name }) => {
      if (name === 'finalize') started.interrupt();
      return name === 'finalize' ? 'lose_request' : 'pass';
    };
    expect(await started.ended).toMatchObject({ code: exitCodes.interrupted });
  });
});
