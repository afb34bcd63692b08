/**
 * A scan that is interrupted or killed: nothing is charged unless the scan was finished, and then one `svc sync` sends
 * its report.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startServer } from '@svc/testkit';
import { afterAll, expect, test } from 'vitest';
import { installFake } from './fake-scanners.ts';
import { temporaryFolder } from './repository.ts';
import { containing, jsonOf } from './svc.ts';
import { expectAgreement, killedAt, type Point } from './sync-agreement.ts';
import { sarifLog, syncingMachine } from './syncing.ts';
import { toolsPath } from './tools.ts';

const server = await startServer();
afterAll(() => server.close());

/** A scanner that never ends. */
function waiting(): Record<string, string> {
  const tools = temporaryFolder();
  installFake(tools, 'semgrep', { does: 'wait' });
  return { PATH: [tools, toolsPath].join(path.delimiter) };
}

const killed: Point[] = [
  ['create', 'after'],
  ['finalize', 'after'],
];

test.each(killed)('[D6] one sync completes a scan killed at %s, %s the call arrived', async (...point) => {
  await using syncing = await syncingMachine(server);
  await writeFile(path.join(syncing.machine.folder, 'linter.sarif'), sarifLog(3));
  await killedAt(syncing, ['scan', '.', '--sarif', 'linter.sarif'], point);
  expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
  await expectAgreement(syncing);
});

test('[D5] Ctrl+C returns the unit, and ends with 130', async () => {
  await using syncing = await syncingMachine(server);
  const tools = waiting();
  const scan = syncing.begin(['scan', '.'], tools);
  await scan.sees(/semgrep/);
  expect(await syncing.used()).toBe(1);
  scan.interrupt();
  expect(await scan.ended).toMatchObject({ code: 130 });
  expect(await syncing.used()).toBe(0);
  expect(await syncing.reports()).toEqual([]);
  expect(await syncing.local()).toMatchObject([{ report: { state: 'aborted' } }]);
});

test('[D5] Ctrl+C without a network: svc sync returns the unit', async () => {
  await using syncing = await syncingMachine(server);
  const tools = waiting();
  const scan = syncing.begin(['scan', '.'], tools);
  await scan.sees(/semgrep/);
  syncing.gate.decide = () => 'lose_request';
  scan.interrupt();
  expect(await scan.ended).toMatchObject({ code: 130, stderr: containing('svc sync') });
  expect(await syncing.used()).toBe(1);
  syncing.gate.decide = () => 'pass';
  expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
  expect(await syncing.used()).toBe(0);
});

test('[D5] a scan whose process died is aborted by the next scan, which costs one unit', async () => {
  await using syncing = await syncingMachine(server);
  const scan = syncing.start(['scan', '.'], waiting());
  await scan.sees(/semgrep/);
  const watch = syncing.begin(['watch', '--json']).ended;
  scan.child.kill('SIGKILL');
  await scan.ended;
  const last = (await watch).stdout.trim().split('\n').at(-1) ?? '';
  expect(jsonOf(last)).toMatchObject({ state: 'scanning', isCutOff: true });
  expect(await syncing.svc(['scan', '.'])).toMatchObject({ code: 0, stderr: containing('cut off') });
  await expectAgreement(syncing);
  expect(await syncing.used()).toBe(1);
});

test('Ctrl+C while the finished report is being sent keeps it for svc sync', async () => {
  await using syncing = await syncingMachine(server);
  const scan = syncing.begin(['scan', '.']);
  const waits = Promise.withResolvers<'lose_request'>();
  syncing.gate.decide = ({ name }) => {
    if (name !== 'upload') return 'pass';
    scan.interrupt();
    return waits.promise;
  };
  const ended = await scan.ended;
  waits.resolve('lose_request');
  expect(ended).toMatchObject({ code: 130, stdout: containing('kept on this machine') });
  syncing.gate.decide = () => 'pass';
  expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
  await expectAgreement(syncing);
  expect(await syncing.used()).toBe(1);
});

test('a running scan does not count as interrupted', async () => {
  await using syncing = await syncingMachine(server);
  const tools = waiting();
  const scan = syncing.begin(['scan', '.'], tools);
  await scan.sees(/semgrep/);
  expect(await syncing.svc(['sync'], tools)).toMatchObject({ code: 0, stdout: containing('Nothing') });
  expect(await syncing.reports()).toMatchObject([{ state: 'live' }]);
  scan.interrupt();
  await scan.ended;
});
