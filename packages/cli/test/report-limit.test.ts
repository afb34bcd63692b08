/** Gates and comparisons of scans with more results than a report may contain. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { limits } from '@svc/contract';
import type { CanonicalReport } from '@svc/report';
import { beforeEach, describe, expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import type { Incomplete } from '../src/report/incomplete.ts';
import { initRepository } from './repository.ts';
import { sarifOf, type SampleResult } from './sarif-results.ts';
import { createMachine, jsonOf, type Machine } from './svc.ts';

let machine: Machine;
beforeEach(async () => {
  machine = await createMachine();
  initRepository(machine.folder);
  return () => machine[Symbol.asyncDispose]();
});

const full = limits.report.findingsMax;
const many = (count: number, result: Omit<SampleResult, 'file'>, name = 'many') =>
  Array.from({ length: count }, (_, index): SampleResult => ({ file: `src/${name}${index}.js`, ...result }));
const suppressed = { level: 'error', isSuppressed: true } as const;
const write = (name: string, results: readonly SampleResult[], tool?: string) => {
  writeFileSync(path.join(machine.folder, name), sarifOf(results, tool));
};

interface ScanJson {
  readonly gate: { readonly passed: boolean; readonly count: number } | null;
  readonly incomplete: readonly Incomplete[];
  readonly coverageAreas: CanonicalReport['coverageAreas'];
}

async function scan(...words: readonly string[]) {
  const ended = await machine.svc(['scan', '.', '--only', 'secrets', '--no-sync', '--json', ...words]);
  const result = jsonOf(ended.stdout) as ScanJson;
  const partial = result.coverageAreas.flatMap(({ id, status }) =>
    id.startsWith('tool:') && status === 'partial' ? [id] : [],
  );
  return { ...result, code: ended.code, partial };
}

describe('svc scan --fail-on', () => {
  test('stops at one open result among as many suppressed ones as a report may contain', async () => {
    write('a.sarif', [...many(full, suppressed), { file: 'src/open.js', level: 'error' }]);
    const { code, gate, partial } = await scan('--sarif', 'a.sarif', '--fail-on', 'high');
    expect([code, gate?.count, partial]).toEqual([exitCodes.gateFailed, 1, ['tool:Linter']]);
  });

  test(
    'stops at one open result of a second log after as many suppressed ones',
    { tags: 'thorough' },
    async () => {
      write('a.sarif', many(full, suppressed));
      write('b.sarif', [{ file: 'src/open.js', level: 'error' }], 'Other');
      const words = ['--sarif', 'a.sarif', 'b.sarif', '--fail-on', 'high'];
      expect(await scan(...words)).toMatchObject({ code: exitCodes.gateFailed, gate: { count: 1 } });
    },
  );

  test('counts results beyond the limit of a report', { tags: 'thorough' }, async () => {
    write('a.sarif', many(full + 3, { level: 'error' }));
    expect(await scan('--sarif', 'a.sarif', '--fail-on', 'high')).toMatchObject({
      code: exitCodes.gateFailed,
      gate: { count: full + 3 },
    });
  });

  test(
    'names the tool whose results are beyond the limit because of another log',
    { tags: 'thorough' },
    async () => {
      write('a.sarif', many(full, { level: 'warning' }));
      write('b.sarif', [{ file: 'src/low.js', level: 'note' }], 'Other');
      const words = ['--sarif', 'a.sarif', 'b.sarif', '--fail-on', 'high'];
      const { code, incomplete, partial } = await scan(...words);
      expect(code).toBe(exitCodes.incomplete);
      expect(incomplete).toMatchObject([{ tool: 'Other', reason: 'partial' }]);
      expect(partial).toEqual(['tool:Other']);
    },
  );
});

describe('svc compare', () => {
  const lows = many(50, { level: 'note' }, 'low');
  const compare = async (...words: readonly string[]) => {
    const ended = await machine.svc(['compare', ...words, '--json']);
    const compared = jsonOf(ended.stdout) as Readonly<Record<'new' | 'fixed' | 'unknown', object[]>> & {
      readonly warnings: readonly string[];
    };
    return { ...compared, code: ended.code };
  };

  test('counts no result as fixed that others pushed out of the report', { tags: 'thorough' }, async () => {
    write('old.sarif', lows);
    write('now.sarif', [...lows, ...many(full, { level: 'error' })]);
    const { fixed, unknown, warnings } = await compare('now.sarif', '--baseline', 'old.sarif');
    expect([fixed.length, unknown.length]).toEqual([0, 50]);
    expect(warnings.join(' ')).toContain(
      'The current report is incomplete: now.sarif: Linter has more results',
    );
    await scan('--sarif', 'old.sarif');
    await scan('--sarif', 'now.sarif');
    const local = await compare();
    expect([local.fixed.length, local.unknown.length]).toEqual([0, 50]);
  });

  test(
    'ends with 8 if the current side is cut, and warns if the baseline is',
    { tags: 'thorough' },
    async () => {
      write('cut.sarif', many(full + 1, { level: 'note' }));
      write('whole.sarif', many(10, { level: 'note' }));
      const gate = ['--fail-on-new', 'high'];
      expect(await compare('cut.sarif', '--baseline', 'whole.sarif', ...gate)).toMatchObject({
        code: exitCodes.incomplete,
      });
      const { code, warnings } = await compare('whole.sarif', '--baseline', 'cut.sarif', ...gate);
      expect(code).toBe(0);
      expect(warnings.join(' ')).toContain('The baseline is incomplete: cut.sarif: Linter has more results');
    },
  );
});
