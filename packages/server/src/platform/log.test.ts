import { describe, expect, test } from 'vitest';
import { createLog, describeError, logLevels, type LogLevel } from './log.ts';

function collecting(level: LogLevel) {
  const lines: string[] = [];
  return { log: createLog(level, { write: (line) => void lines.push(line) }), lines };
}

describe('the log', () => {
  test('[T22] is one JSON object per line, with time, level and message', () => {
    const { log, lines } = collecting('debug');
    log.info('request', { requestId: 'r1', status: 200, durationMs: 1.5 });
    log.error('failed');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: 'request',
      requestId: 'r1',
      status: 200,
      durationMs: 1.5,
    });
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ level: 'error', msg: 'failed' });
  });

  test('[T22] line breaks and escape codes in a field neither begin a line nor reach a terminal', () => {
    const { log, lines } = collecting('debug');
    const hostile = 'a\r\n{"level":"fatal"}\n\u001b[31m\u0000';
    log.warn(hostile, { job: hostile, error: { name: 'E', message: hostile, stack: hostile } });
    expect(lines).toHaveLength(1);
    // oxlint-disable-next-line no-control-regex
    expect(lines[0]?.trimEnd()).not.toMatch(/[\u0000-\u001f]/);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: hostile, job: hostile });
  });

  test.each(logLevels)('[D15] at level %s contains that level and more severe ones', (level) => {
    const { log, lines } = collecting(level);
    log.debug('debug');
    log.info('info');
    log.warn('warn');
    log.error('error');
    const graver = { trace: 4, debug: 4, info: 3, warn: 2, error: 1, fatal: 0, silent: 0 }[level];
    expect(lines).toHaveLength(graver);
  });
});

describe('describing an error', () => {
  test('[T22] returns its name, message and stack, and no other property', () => {
    const error = Object.assign(new TypeError('no'), { token: 'secret', parameters: ['secret'] });
    expect(describeError(error)).toEqual({ name: 'TypeError', message: 'no', stack: error.stack });
  });

  test('[T22] returns only the type of a value that is not an error', () => {
    for (const thrown of ['a secret', { a: 'secret' }, 42, null]) {
      expect(JSON.stringify(describeError(thrown))).not.toMatch(/secret|42/);
    }
  });
});
