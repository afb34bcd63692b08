/** The recipes in docs/CI.md run unchanged, with the built program, and do what the document says. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createFakeClock, startServer } from '@svc/testkit';
import { exitCodes } from '../src/errors.ts';
import { decideOnService } from './decisions-on-service.ts';
import { added, document, known, placeWith, recipes, unboundPlace } from './recipes.ts';
import { sarifOf, type SampleResult } from './sarif-results.ts';
import { createMachine } from './svc.ts';
import { syncingMachine } from './syncing.ts';

describe.each(recipes)('the recipe for $title', { tags: 'repeated' }, ({ gate, ...recipe }) => {
  test('passes on the first run, which has no baseline, and fails on new findings after that', async () => {
    const place = unboundPlace();
    const first = await recipe.run(place, [known]);
    expect(first).toMatchObject({ failed: undefined });
    expect(first.output).toContain('no baseline yet');
    expect(first.kept['report.html']).toContain('src/known.js');
    const sarif = first.uploaded['svc.sarif'] ?? first.kept['svc.sarif'] ?? '';
    expect(JSON.parse(sarif)).toMatchObject({ version: '2.1.0', runs: [{ results: [{}] }] });

    const stopped = await recipe.run(place, [known, added], { isRequest: true });
    expect(stopped.failed).toEqual({ step: gate, code: exitCodes.gateFailed });
    expect(stopped.output).toContain('1 new finding is of severity high or worse');
    expect(stopped.output).toMatch(/high .*src\/added\.js/);
    expect(stopped.kept['report.html']).toContain('src/added.js');
    expect(stopped.uploaded['svc.sarif'] ?? stopped.kept['svc.sarif']).toContain('src/added.js');
  });
});

const HOUR_MS = 3_600_000;
const clock = createFakeClock(Date.now());
const server = await startServer({ clock });
afterAll(() => server.close());

describe.each(recipes)(
  'the recipe for $title with a service',
  { tags: 'thorough' },
  ({ gateWithService: step, run }) => {
    test('[D20] passes in the run after a decision, until an end date or a higher severity ends the decision', async () => {
      await using syncing = await syncingMachine(server);
      const { machine, device } = syncing;
      const place = placeWith(machine.folder);
      const variables = { SVC_API_BASE_URL: server.url, SVC_DEVICE_TOKEN: device.deviceToken };
      const failedWith = async (...results: SampleResult[]) => {
        clock.advance(60_000);
        const { failed, kept } = await run(place, results, { variables, isRequest: true });
        expect(kept['report.html']).toContain(known.file);
        return failed;
      };
      const stopped = { step, code: exitCodes.gateFailed };
      const minor: SampleResult = { ...added, level: 'warning' };
      expect(await failedWith(known, minor)).toEqual(stopped);
      const until = new Date(clock.now() + HOUR_MS).toISOString();
      await decideOnService(syncing, minor.file);
      await decideOnService(syncing, known.file, { status: 'accepted_risk', until });
      expect(await failedWith(known, minor)).toBeUndefined();
      clock.advance(HOUR_MS);
      expect(await failedWith(known, minor)).toEqual(stopped);
      await decideOnService(syncing, known.file);
      expect(await failedWith(known, added)).toEqual(stopped);
    });
  },
);

test('the gate without a baseline stops at existing findings, as the document says', async () => {
  const command = /^```sh\n(svc scan .*--fail-on .*)\n```$/m.exec(document)?.[1] ?? '';
  await using machine = await createMachine();
  writeFileSync(path.join(machine.folder, 'semgrep.sarif'), sarifOf([known]));
  const ended = await machine.svc(command.split(' ').slice(1));
  expect(ended.code).toBe(exitCodes.gateFailed);
});

test('the table has each exit code that a pipeline can get', () => {
  const rows = [...document.matchAll(/^\| (\d) +\|/gm)].map(([, code]) => Number(code));
  const { failed, interrupted, ...others } = exitCodes;
  expect([failed, interrupted]).toEqual([1, 130]);
  expect(rows).toEqual(Object.values(others));
});
