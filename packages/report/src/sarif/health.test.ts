import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { log, result, run, type Part } from '../../test/sarif.ts';
import { importSarif, SarifError } from './import.ts';

const location = { physicalLocation: { artifactLocation: { uri: 'src/a.py' } } };
const error = (more: Part = {}): Part => ({ level: 'error', message: { text: 'canary' }, ...more });
const invoked = (invocation: Part, more: Part = {}): Part =>
  run([result()], [], { invocations: [invocation], ...more });
/** A run of a tool that describes the notification N1. */
const described = (notification: Part): Part =>
  run([result()], [], {
    tool: {
      driver: {
        name: 'Scanner',
        notifications: [{ id: 'N1', defaultConfiguration: { level: 'error' } }],
      },
    },
    invocations: [{ executionSuccessful: true, toolExecutionNotifications: [notification] }],
  });
const named = (name: string, part: Part): Part => ({ ...part, tool: { driver: { name } } });
const withoutResults = (more: Part = {}): Part => ({ tool: { driver: { name: 'Scanner' } }, ...more });
const elsewhere = { externalPropertyFileReferences: { results: [{ location: { uri: 'r.json' } }] } };

const FAILED = 'Scanner reports that its scan failed: its results may be incomplete.';
const ERROR = 'Scanner reports a scan error: its results may be incomplete.';
const SINGLE = 'Scanner could not scan everything: it reports errors in some files or rules.';
const NO_RESULTS = 'Scanner recorded no results. Check whether its scan ran.';
const PARTS_ELSEWHERE =
  'Scanner keeps parts of its log in other files, which are not read. Configure it to write one file.';
const ELSEWHERE = 'Scanner keeps results in other files, which are not read. Configure it to write one file.';

/** The kind and sentence of the only run's failure. */
function failureOf(part: Part) {
  const { toolRuns, warnings } = importSarif(log(part));
  const failure = toolRuns[0]?.failure;
  expect(failure === undefined || warnings.includes(failure.sentence)).toBe(true);
  expect(JSON.stringify({ failure, warnings })).not.toContain('canary');
  return failure && [failure.isPartial ? 'partial' : 'failed', failure.sentence];
}

describe('a run', () => {
  test.each<[string, Part, string]>([
    ['whose invocation was not successful', invoked({ executionSuccessful: false }), FAILED],
    [
      'one of whose invocations was not successful',
      run([], [], { invocations: [{ executionSuccessful: true }, { executionSuccessful: false }] }),
      FAILED,
    ],
    [
      'of an unknown tool that has results but was not successful',
      invoked({ executionSuccessful: false, exitCode: 1 }),
      FAILED,
    ],
    [
      'that was not successful because of an error in one file, as from ESLint',
      invoked({
        executionSuccessful: false,
        toolConfigurationNotifications: [error({ locations: [location] })],
      }),
      'Scanner reports that its scan failed: it reports errors in some files or rules.',
    ],
    ['whose process did not start', invoked({ processStartFailureMessage: 'canary' }), FAILED],
    ['that was ended by a signal', invoked({ executionSuccessful: true, exitSignalName: 'SIGKILL' }), FAILED],
    ['that was ended by a signal number', invoked({ exitSignalNumber: 9 }), FAILED],
    [
      'whose exit code is described as a crash',
      invoked({ executionSuccessful: true, exitCode: 2, exitCodeDescription: 'Fatal error, canary' }),
      FAILED,
    ],
    [
      'whose exit code is described as a failure, without a statement of success',
      invoked({ exitCode: 2, exitCodeDescription: 'The scan failed.' }),
      FAILED,
    ],
    [
      'whose conversion failed',
      run([], [], { conversion: { invocation: { executionSuccessful: false } } }),
      FAILED,
    ],
    [
      'with an error that names no file and no rule',
      invoked({ executionSuccessful: true, toolExecutionNotifications: [error()] }),
      ERROR,
    ],
    [
      'with an error in its configuration',
      invoked({ executionSuccessful: true, toolConfigurationNotifications: [error({ locations: [] })] }),
      ERROR,
    ],
    [
      'with an error in one file and an error without a file',
      invoked({
        executionSuccessful: true,
        toolExecutionNotifications: [error({ locations: [location] }), error()],
      }),
      ERROR,
    ],
    ['whose success is false as a text', invoked({ executionSuccessful: 'False' }), FAILED],
    ['whose success is 0', invoked({ executionSuccessful: 0 }), FAILED],
    ['whose success is null beside exit code 2', invoked({ executionSuccessful: null, exitCode: 2 }), FAILED],
    [
      'whose invocations are one object',
      run([], [], { invocations: { executionSuccessful: false } }),
      FAILED,
    ],
    ['that was ended by a signal without prefix', invoked({ exitSignalName: 'KILL' }), FAILED],
    ['that was ended by a signal in lower case', invoked({ exitSignalName: 'sigsegv' }), FAILED],
    ['that was ended by a signal number as text', invoked({ exitSignalNumber: '9' }), FAILED],
    ['that was ended by a negative signal number', invoked({ exitSignalNumber: -9 }), FAILED],
    [
      'whose notifications are one object',
      invoked({ executionSuccessful: true, toolExecutionNotifications: error() }),
      ERROR,
    ],
    [
      'with an error whose level is capitalized',
      invoked({ executionSuccessful: true, toolExecutionNotifications: [error({ level: 'Error' })] }),
      ERROR,
    ],
    [
      'with a fatal error',
      invoked({ executionSuccessful: true, toolExecutionNotifications: [error({ level: 'FATAL' })] }),
      ERROR,
    ],
    [
      'with an exception',
      invoked({
        executionSuccessful: true,
        toolExecutionNotifications: [error({ level: 'warning', exception: { kind: 'TypeError' } })],
      }),
      ERROR,
    ],
    [
      'with a notification whose descriptor gives the level error',
      described({ descriptor: { id: 'N1' } }),
      ERROR,
    ],
    [
      'with a notification whose descriptor, by number, gives the level error',
      described({ descriptor: { index: 0 } }),
      ERROR,
    ],
    [
      'with a notification whose level the invocation sets to error',
      invoked({
        executionSuccessful: true,
        notificationConfigurationOverrides: [{ descriptor: { id: 'N2' }, configuration: { level: 'error' } }],
        toolExecutionNotifications: [error({ level: undefined, descriptor: { id: 'N2' } })],
      }),
      ERROR,
    ],
    ['without results', withoutResults(), NO_RESULTS],
    ['whose results are null', withoutResults({ results: null }), NO_RESULTS],
    ['with results in other files', withoutResults(elsewhere), ELSEWHERE],
  ])('%s has failed', (_name, part, sentence) => {
    expect(failureOf(part)).toEqual(['failed', sentence]);
  });

  test.each<[string, Part, string]>([
    [
      'with an error in one file',
      invoked({
        executionSuccessful: true,
        toolConfigurationNotifications: [error({ locations: [location] })],
      }),
      SINGLE,
    ],
    [
      'with an error in one rule',
      invoked({
        executionSuccessful: true,
        toolExecutionNotifications: [error({ associatedRule: { id: 'a-rule' } })],
      }),
      SINGLE,
    ],
    ['with some of its results in other files', run([result()], [], elsewhere), ELSEWHERE],
    [
      'with results in one other file',
      run([result()], [], {
        externalPropertyFileReferences: { results: { location: { uri: 'r.json' } } },
      }),
      ELSEWHERE,
    ],
    ...['invocations', 'driver', 'conversion', 'artifacts', 'extensions'].map(
      (part): [string, Part, string] => [
        `with its ${part} in other files`,
        run([result()], [], {
          externalPropertyFileReferences: { [part]: { location: { uri: 'r.json' } } },
        }),
        PARTS_ELSEWHERE,
      ],
    ),
  ])('%s is partial', (_name, part, sentence) => {
    expect(failureOf(part)).toEqual(['partial', sentence]);
  });

  test.each<[string, Part]>([
    ['without an invocation', run([])],
    ['that found nothing and was successful', run([], [], { invocations: [{ executionSuccessful: true }] })],
    ['with an exit code other than 0', invoked({ executionSuccessful: true, exitCode: 1 })],
    [
      'whose exit code says that results fail the build',
      invoked({ executionSuccessful: true, exitCode: 1, exitCodeDescription: 'Failed: issues found' }),
    ],
    [
      'with a signal name that is not a signal',
      invoked({ executionSuccessful: true, exitCode: 0, exitSignalName: 'SUCCESS' }),
    ],
    [
      'with warnings and notifications without a level',
      invoked({
        executionSuccessful: true,
        toolExecutionNotifications: [error({ level: 'warning' }), error({ level: undefined }), null],
      }),
    ],
    [
      'with a notification whose own level is lower than that of its descriptor',
      described({ level: 'note', descriptor: { id: 'N1' } }),
    ],
    ['whose success is true as a text', invoked({ executionSuccessful: 'true' })],
    ['whose success is null', invoked({ executionSuccessful: null })],
    ['with exit code 0 and no signal', invoked({ exitCode: '0', exitSignalNumber: '0', exitSignalName: '' })],
    [
      'of SpotBugs that found bugs',
      named(
        'SpotBugs',
        invoked({
          executionSuccessful: false,
          exitCode: 1,
          exitSignalName: 'ERROR,MISSING CLASS,BUGS FOUND',
          toolExecutionNotifications: [],
        }),
      ),
    ],
    ['of KubeLinter that found something', named('kube-linter', invoked({ executionSuccessful: false }))],
    [
      'whose parts have unexpected types',
      run([], [], { invocations: 7, conversion: [], externalPropertyFileReferences: 1 }),
    ],
  ])('%s is complete', (_name, part) => {
    expect(failureOf(part)).toBeUndefined();
  });

  test.each<[string, Part]>([
    ['SpotBugs', { executionSuccessful: false, exitCode: 3 }],
    ['SpotBugs', { executionSuccessful: false, exitCode: 1, toolExecutionNotifications: [error()] }],
    ['kube-linter', { executionSuccessful: false, exitCode: 2 }],
  ])('of %s with %j has failed', (name, invocation) => {
    expect(failureOf(named(name, invoked(invocation)))?.[0]).toBe('failed');
  });

  test('of KubeLinter without results has failed', () => {
    const part = named('kube-linter', run([], [], { invocations: [{ executionSuccessful: false }] }));
    expect(failureOf(part)?.[0]).toBe('failed');
  });

  test('with any value in place of its invocations is read', () => {
    const anything = fc.oneof(fc.constantFrom(null, 7, true, '', [], {}, [null], [{}]), fc.jsonValue());
    const names =
      'executionSuccessful exitCode exitCodeDescription exitSignalName exitSignalNumber processStartFailureMessage ' +
      'notificationConfigurationOverrides toolExecutionNotifications toolConfigurationNotifications';
    const invocation = fc.dictionary(fc.constantFrom(...names.split(' ')), anything);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(invocation, anything)),
        anything,
        anything,
        (invocations, conversion, more) => {
          const part = run([], [], { invocations, conversion, externalPropertyFileReferences: more });
          expect(importSarif(log(part)).toolRuns).toHaveLength(1);
        },
      ),
    );
  });

  test.each([
    [[null], '1 result that cannot be read'],
    [[null, 'x', result()], '2 results that cannot be read'],
  ])('with the results %j is partial', (results, part) => {
    const { toolRuns, warnings } = importSarif(log(run(results as Part[])));
    expect(toolRuns).toMatchObject([
      { failure: { isPartial: true, sentence: expect.stringContaining(part) } },
    ]);
    expect(warnings.join(' ')).toContain('left out: not an object, or longer than 8 MiB.');
  });

  test('with a result above 8 MiB in a large log is partial', () => {
    const long = result({ message: { text: 'x'.repeat(9 * 1024 * 1024) } });
    const text = log(run([result({}, 'src/b.ts'), long])) + ' '.repeat(17 * 1024 * 1024);
    const { findings, toolRuns } = importSarif(text);
    expect(findings).toHaveLength(1);
    expect(toolRuns).toMatchObject([{ failure: { isPartial: true } }]);
  });

  test('that failed keeps its findings and does not affect other runs', () => {
    const { findings, toolRuns } = importSarif(
      log(invoked({ executionSuccessful: false }), named('Other', run([result({}, 'src/b.ts')]))),
    );
    expect(findings).toHaveLength(2);
    expect(toolRuns.map(({ tool, failure }) => [tool, failure === undefined])).toEqual([
      ['Scanner', false],
      ['Other', true],
    ]);
  });
});

describe('a log', () => {
  test('without runs has a failure of its own, which names no tool', () => {
    expect(importSarif(log())).toMatchObject({
      toolRuns: [],
      failure: {
        isPartial: false,
        sentence: 'The log has no run: the scanner may not have finished.',
      },
    });
    expect(importSarif(log(run([])))).not.toHaveProperty('failure');
  });

  test('is reported as truncated wherever it is cut, but not if it is invalid', () => {
    const text = log(
      run([result({ message: { text: 'Ünïcode \u0001 "quoted" \\ and -1.5e3' }, rank: -1.5e3 })]),
    );
    const reading = (given: string | Uint8Array) => {
      try {
        importSarif(given);
        return 'read';
      } catch (thrown) {
        if (!(thrown instanceof SarifError)) throw thrown;
        return thrown.isTruncated ? 'truncated' : 'rejected';
      }
    };
    const bytes = Buffer.from(text);
    const ends = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
    expect(ends.filter((end) => reading(bytes.subarray(0, end)) !== 'truncated')).toEqual([]);
    expect(reading(`${text.slice(0, 40)}\n\n`)).toBe('truncated');
    expect(reading(text)).toBe('read');
    for (const wrong of ['', ' \n', '-', '<sarif', `${text}}`, text.replace(':', ' '), `[${text}`, '{x'])
      expect([wrong.slice(0, 5), reading(wrong)]).toEqual([wrong.slice(0, 5), 'rejected']);
  });
});
