/** The recipes in docs/CI.md run unchanged, with the built program, and do what the document says. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { inLane } from '@svc/testkit/lane';
import { exitCodes } from '../src/errors.ts';
import { added, document, known, recipes, unboundPlace } from './recipes.ts';
import { sarifOf } from './sarif-results.ts';
import { createMachine } from './svc.ts';

describe.each(inLane(recipes.slice(0, 1), recipes))(
  'the recipe for $title',
  { tags: 'repeated' },
  ({ gate, ...recipe }) => {
    test('passes on the first run, which has no baseline, and stops at new findings after it', async () => {
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
