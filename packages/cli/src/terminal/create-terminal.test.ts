import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { CliError } from '../errors.ts';
import type { Environment } from '../environment.ts';
import { createTerminal, type TerminalOptions } from './create-terminal.ts';

const plain: TerminalOptions = { json: false, quiet: false, noColor: false };

function terminalWith(
  options: Partial<TerminalOptions>,
  { isTTY = false, environment = {} }: { isTTY?: boolean; environment?: Environment } = {},
) {
  const written = { output: '', notes: '' };
  const stream = (name: 'output' | 'notes') => ({
    isTTY,
    columns: 60,
    write: (text: string) => void (written[name] += text),
  });
  const terminal = createTerminal(
    { ...plain, ...options },
    {
      words: [],
      environment,
      folder: '.',
      signal: new AbortController().signal,
      input: Object.assign(Readable.from([]), { isTTY }),
      output: stream('output'),
      notes: stream('notes'),
    },
  );
  return { terminal, written };
}

test('a result goes to standard output, everything else to standard error', () => {
  const { terminal, written } = terminalWith({});
  terminal.note('on the way');
  terminal.warn('careful');
  terminal.result({ a: 1 }, () => ['one', 'two']);
  expect(written).toEqual({ output: 'one\ntwo\n', notes: 'on the way\n! careful\n' });
});

test('--json prints the value only: no notes, but warnings', () => {
  const { terminal, written } = terminalWith({ json: true });
  terminal.note('on the way');
  terminal.warn('careful');
  terminal.announce({ open: 'x' }, () => ['open x']);
  terminal.result({ a: 1 }, () => ['one']);
  expect(JSON.parse(written.output)).toEqual({ a: 1 });
  expect(written.notes).toBe('! careful\n{"open":"x"}\n');
});

test('a document is written unchanged, and to a terminal without steering sequences', () => {
  const content = 'one\ttwo\n\u001B[2Jthree\u202E\r\n';
  const piped = terminalWith({ json: true });
  piped.terminal.document(content);
  expect(piped.written).toEqual({ output: content, notes: '' });
  expect(piped.terminal.hasResult()).toBe(true);
  const shown = terminalWith({}, { isTTY: true });
  shown.terminal.document(content);
  expect(shown.written.output).toBe('one\ttwo\nthree\n');
});

test('--quiet omits notes and progress, and keeps important messages', () => {
  const { terminal, written } = terminalWith({ quiet: true });
  terminal.note('on the way');
  const progress = terminal.progress('Working', 10);
  progress.update(5);
  progress.succeed('Done');
  terminal.announce({}, () => ['Open this']);
  expect(written.notes).toBe('Open this\n');
});

test('a second result is a bug in the program', () => {
  const { terminal } = terminalWith({});
  terminal.result(1, () => []);
  expect(() => terminal.result(2, () => [])).toThrow('one result');
});

describe('colours', () => {
  const painted = (options: Partial<TerminalOptions>, isTTY: boolean, environment: Environment) => {
    const { terminal, written } = terminalWith(options, { isTTY, environment });
    terminal.result(0, () => [terminal.colours.red('x')]);
    return written.output.includes('\u001B[');
  };
  test.each([
    ['on a terminal', true, {}, true],
    ['not in a pipe', false, {}, false],
    ['not with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['on a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, true],
    ['in a pipe with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
    ['not with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
    ['not with both NO_COLOR and FORCE_COLOR', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['not on a dumb terminal', true, { TERM: 'dumb' }, false],
  ])('%s', (_, isTTY, environment, expected) => {
    expect(painted({}, isTTY, environment)).toBe(expected);
  });
  test('not with --no-color, whatever the variables say', () => {
    expect(painted({ noColor: true }, true, { FORCE_COLOR: '1' })).toBe(false);
  });
});

test.each([
  ['--json', { json: true }, true, {}],
  ['CI', {}, true, { CI: 'true' }],
  ['a pipe', {}, false, {}],
])('a prompt fails with %s, and the error says what to do', async (_, options, isTTY, environment) => {
  const { terminal } = terminalWith(options, { isTTY, environment });
  expect(terminal.isInteractive).toBe(false);
  await expect(terminal.ask.confirm('Sure?', true)).rejects.toThrow(CliError);
  await expect(terminal.ask.text('Name?')).rejects.toMatchObject({ reason: 'usage' });
});

test.each([
  ['a pipe', false, {}],
  ['the terminal of a CI job', true, { CI: 'true', NO_COLOR: '1' }],
  ['a dumb terminal', true, { TERM: 'dumb' }],
])('in %s, progress prints a start line and an end line, without counters', (_, isTTY, environment) => {
  const { terminal, written } = terminalWith({}, { isTTY, environment });
  const progress = terminal.progress('Reading', 1000);
  for (let done = 1; done <= 1000; done += 1) progress.update(done);
  progress.update(1000, 'Reading: the last');
  terminal.note('on the way');
  progress.succeed('All read');
  expect(written.notes).toBe('Reading …\non the way\n✓ All read\n');
});

test('in a log, progress without a total prints each tool once', () => {
  const { terminal, written } = terminalWith({});
  const progress = terminal.progress('Scanning: one');
  for (const label of ['Scanning: one', 'Scanning: two', 'Scanning: one', 'Scanning: two'])
    progress.update(0, label);
  progress.succeed('Scanned');
  expect(written.notes).toBe('Scanning: one …\nScanning: two …\n✓ Scanned\n');
});

test('on a terminal, progress is one line that fits, and the final line replaces it', () => {
  const { terminal, written } = terminalWith({}, { isTTY: true, environment: { NO_COLOR: '1' } });
  const progress = terminal.progress(`Reading ${'x'.repeat(200)}\u001B[2J`, 10);
  progress.fail('Gave up');
  const [, drawn, end] = written.notes.split('\r\u001B[2K');
  expect([...drawn!].length).toBeLessThan(60);
  expect(end).toBe('✗ Gave up\n');
});
