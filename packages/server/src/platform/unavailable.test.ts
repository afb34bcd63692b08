import { createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isUnavailable, UnavailableError } from './unavailable.ts';

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });
const sqlite = (errcode: number) => Object.assign(withCode('ERR_SQLITE_ERROR'), { errcode });

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('an unavailable dependency, and a bug', () => {
  test.each([
    ['a refused connection', withCode('ECONNREFUSED')],
    ['a reset connection', withCode('ECONNRESET')],
    ['a full disk', withCode('ENOSPC')],
    ['a lack of file descriptors', withCode('EMFILE')],
    [
      'a host all of whose addresses reject the connection',
      new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')], 'all of them'),
    ],
    ['a full database file', sqlite(13)],
    ['a locked database file', sqlite(5)],
    ['an input or output error, with its kind', sqlite(10 | (4 << 8))],
    ['a server that shuts down', withCode('57P01')],
    ['a server with too many clients', withCode('53300')],
    ['a broken connection', withCode('08006')],
    ['an UnavailableError', new UnavailableError('x')],
    ['a server that takes no writes', withCode('25006')],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['a connection that ended', new Error('Connection terminated unexpectedly')],
    [
      'a connection that broke before',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
  ])('%s is an unavailable dependency', (_, error) => expect(isUnavailable(error)).toBe(true));

  test.each([
    ['a file that does not exist', thrownBy(() => readFileSync('/there/is/no/such/file'))],
    ['a broken statement', thrownBy(() => new DatabaseSync(':memory:').exec('select from where'))],
    ['a broken constraint', sqlite(19)],
    ['a duplicate key', withCode('23505')],
    ['a syntax error', withCode('42601')],
    ['a deadlock', withCode('40P01')],
    ['a bug', new TypeError('x is not a function')],
    ['a text', 'ECONNREFUSED'],
    ['nothing', undefined],
  ])('%s is a bug', (_, error) => expect(isUnavailable(error)).toBe(false));

  test("a port where nothing listens is an unavailable dependency, with the network's own error", async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    const error = await fetch(`http://127.0.0.1:${port}`).catch((thrown: unknown) => (thrown as Error).cause);
    expect(isUnavailable(error)).toBe(true);
  });
});
