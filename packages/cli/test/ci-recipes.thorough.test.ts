/** The recipes in docs/CI.md, in every case that the document names. */
import { freePort, startServer } from '@svc/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { added, known, placeWith, recipes, unboundPlace } from './recipes.ts';
import type { SampleResult } from './sarif-results.ts';
import { syncingMachine } from './syncing.ts';

const server = await startServer();
afterAll(() => server.close());

describe.each(recipes)('the recipe for $title', { timeout: 180_000 }, ({ gate, gateWithService, run }) => {
  test('passes known findings, stops at new ones, and uses only what passed on the default branch as the next baseline', async () => {
    const place = unboundPlace();
    const minor: SampleResult = { file: 'src/minor.js', level: 'warning' };
    const failure = { step: gate, code: exitCodes.gateFailed };
    expect((await run(place, [known])).failed).toBeUndefined();
    expect((await run(place, [known, minor], { isRequest: true })).failed).toBeUndefined();
    const stopped = await run(place, [known, added], { isRequest: true });
    expect(stopped.failed).toEqual(failure);
    expect((await run(place, [known, added])).failed).toEqual(failure);
    expect((await run(place, [known, added], { isRequest: true })).failed).toEqual(failure);
  });

  test('[fork] works without secrets, and keeps the report in the pipeline', async () => {
    const ended = await run(unboundPlace(), [known], {
      isRequest: true,
      isFromFork: true,
      variables: { SVC_API_BASE_URL: server.url, SVC_DEVICE_TOKEN: '' },
    });
    expect(ended.failed).toBeUndefined();
    expect(ended.output).toContain('svc login');
    expect(ended.kept['report.html']).toContain('src/known.js');
    expect(ended.uploaded).toEqual({});
  });

  test('syncs the report if there is a credential, stops at findings not set aside, and never prints the credential', async () => {
    await using syncing = await syncingMachine(server);
    const { machine, device, gate: service } = syncing;
    const variables = { SVC_API_BASE_URL: service.url, SVC_DEVICE_TOKEN: device.deviceToken };
    const ended = await run(placeWith(machine.folder), [known], { variables });
    expect(ended.failed).toEqual({ step: gateWithService, code: exitCodes.gateFailed });
    expect(await syncing.reports()).toMatchObject([{ state: 'finalized' }]);
    expect(ended.output).toContain('/reports/rep_');
    expect(ended.output).not.toContain(device.deviceToken.slice(8));
  });

  test('is not stopped by an unreachable service if it finds nothing severe', async () => {
    await using syncing = await syncingMachine(server);
    const { machine, device } = syncing;
    const away = `http://127.0.0.1:${await freePort()}`;
    const variables = { SVC_API_BASE_URL: away, SVC_DEVICE_TOKEN: device.deviceToken };
    const minor: SampleResult = { ...known, level: 'warning' };
    const ended = await run(placeWith(machine.folder), [minor], { variables });
    expect(ended.failed).toBeUndefined();
    expect(ended.output).toContain('the report is not synced');
    expect(ended.kept['report.html']).toContain('src/known.js');
  });

  test('keeps the report in the pipeline when the service rejects the credential, and says so', async () => {
    await using syncing = await syncingMachine(server);
    const { machine, gate: service } = syncing;
    const variables = { SVC_API_BASE_URL: service.url, SVC_DEVICE_TOKEN: `svc_dev_${'A'.repeat(46)}` };
    const ended = await run(placeWith(machine.folder), [{ ...known, level: 'warning' }], { variables });
    expect(ended.failed).toBeUndefined();
    expect(ended.output).toContain('The report stays on this machine. To sync: SVC_DEVICE_TOKEN');
  });

  test('rejects a program with another digest', async () => {
    const ended = await run(unboundPlace(), [known], { variables: { CLI_SHA256: '0'.repeat(64) } });
    expect(ended.failed?.code).toBe(1);
    expect(ended.output).toContain('FAILED');
    expect(ended.kept).not.toHaveProperty('report.html');
  });

  test('stops when the scanner wrote no output', async () => {
    const ended = await run(unboundPlace(), 'test "$7" = --output && : > "$8"\n');
    expect(ended.failed?.code).toBe(exitCodes.rejected);
  });
});
