import { describe, expect, test } from 'vitest';
import { result, run, type Part } from '../../test/sarif.ts';
import { importSarif } from './import.ts';

const log = (inlineExternalProperties: unknown, ...runs: Part[]) =>
  JSON.stringify({ version: '2.1.0', runs, inlineExternalProperties });
const referring = (references: Part, more: Part = {}) =>
  run([], [], { externalPropertyFileReferences: references, ...more });
const read = (text: string) => {
  const { findings, toolRuns } = importSarif(text);
  return {
    files: findings.map(({ affected }) => affected.file),
    failures: toolRuns.map(({ failure }) => failure && (failure.isPartial ? 'partial' : 'failed')),
  };
};
const filesOf = (text: string) => read(text).files;
const failuresOf = (text: string) => read(text).failures;
/** Makes a log too large to be parsed as a whole. */
const PADDING = ' '.repeat(17 * 1024 * 1024);

describe('inline external parts of a run', () => {
  const results = [result({}, 'src/inlined.ts')];

  test.each<[string, Part, Part]>([
    ['by their guid', { guid: 'g1' }, referring({ results: [{ guid: 'g1' }] })],
    ['by the guid of the run', { runGuid: 'r1' }, run([], [], { automationDetails: { guid: 'r1' } })],
    ['without a guid, for the only run', {}, run([])],
  ])('are read %s', (_name, inlined, part) => {
    const text = log([{ ...inlined, results }], part);
    for (const given of [text, text + PADDING])
      expect(read(given)).toEqual({ files: ['src/inlined.ts'], failures: [undefined] });
  });

  test('come after the results of the run itself', () => {
    const part = { ...referring({ results: [{ guid: 'g1' }] }), results: [result()] };
    expect(filesOf(log([{ guid: 'g1', results }], part))).toEqual(['src/a.ts', 'src/inlined.ts']);
  });

  test('decide whether the run failed', () => {
    const invocations = [{ executionSuccessful: false }];
    const references = { invocations: [{ guid: 'g1' }] };
    expect(failuresOf(log([{ guid: 'g1', invocations }], referring(references)))).toEqual(['failed']);
  });

  test('describe the rules of the run', () => {
    const driver = { name: 'Ignored', rules: [{ id: 'no-eval', defaultConfiguration: { level: 'error' } }] };
    const part = { ...referring({ driver: { guid: 'g1' } }), results: [result()] };
    const { findings, tools } = importSarif(log([{ guid: 'g1', driver }], part));
    expect(findings).toMatchObject([{ severity: 'high' }]);
    expect(tools).toMatchObject([{ name: 'Scanner' }]);
  });

  test('are missing if no object of the log has them', () => {
    const references = { results: [{ guid: 'g1' }] };
    expect(failuresOf(log([], referring(references)))).toEqual(['failed']);
    expect(failuresOf(log([{ guid: 'g1', artifacts: [] }], referring(references)))).toEqual(['failed']);
  });

  test('are not missing if they are a published taxonomy', () => {
    const location = { uri: 'https://example.com/CWE_v4.4.sarif' };
    const references = { taxonomies: [{ location, guid: 'g1' }] };
    expect(failuresOf(log([], referring(references)))).toEqual([undefined]);
    expect(failuresOf(log([], referring({ ...references, artifacts: [{ location }] })))).toEqual(['partial']);
  });

  test('that belong to none of several runs make every run incomplete', () => {
    expect(failuresOf(log([{ guid: 'g1', results }], run([result()]), run([])))).toEqual([
      'partial',
      'failed',
    ]);
  });

  test('are read for one run only', () => {
    const references = { results: [{ guid: 'g1' }] };
    const text = log([{ guid: 'g1', results }], referring(references), referring(references));
    expect(filesOf(text)).toEqual(['src/inlined.ts']);
    expect(failuresOf(text)).toEqual([undefined, 'failed']);
  });

  test.each([null, 7, 'x', [null], [7, []], {}, [{ results: 7 }]])(
    'that are %j do not affect the results',
    (inlined) => {
      expect(filesOf(log(inlined, run([result()])))).toEqual(['src/a.ts']);
    },
  );
});
