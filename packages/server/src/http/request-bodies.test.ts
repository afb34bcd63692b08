/** What is read of a request's body, and what is refused before: by its headers, its size, its pace. */
import { limits } from '@svc/contract';
import {
  connectRaw,
  exchangeRaw,
  startServer,
  type RawConnection,
  type RawExchange,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await startServer({ timeouts: { lingerMs: 200 } });
});
afterAll(() => server.close());

const CRLF = '\r\n';
const JSON_TYPE = 'Content-Type: application/json';
const EXPECT = 'Expect: 100-continue';
const CLOSE = 'Connection: close';
const LIMIT = limits.jsonBodyBytesMax;

/** A call that needs no credential and whose empty object is read, understood and refused with 422. */
const LOGIN = 'POST /api/v1/auth/login';

function head(call: string, ...headers: string[]): string {
  return [`${call} HTTP/1.1`, 'Host: svc.test', ...headers, '', ''].join(CRLF);
}

function told(exchange: RawExchange) {
  return exchange.answers.map(({ status, body }) => {
    const { error } = JSON.parse(body) as { error?: { code: string } };
    return `${status} ${error?.code ?? 'ok'}`;
  });
}

describe('Expect: 100-continue', () => {
  test.each([
    ['of a known length', 'Content-Length: 2', '{}'],
    ['in chunks', 'Transfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
  ])('[D2] a body %s is asked for once, when it will be read', async (_title, framing, body) => {
    await using connection = await connectRaw(server.port);
    await connection.send(head(LOGIN, JSON_TYPE, framing, EXPECT, CLOSE));
    const asked = await connection.until(1, 'continues');
    expect(asked.answers).toEqual([]);
    await connection.send(body);
    const exchange = await connection.untilClosed();
    expect(told(exchange)).toEqual(['422 VALIDATION_FAILED']);
    expect(exchange).toMatchObject({ continues: 1, rest: '' });
  });

  test('[D2] a body behind the credential is asked for once the credential is right', async () => {
    const person = await server.signUp();
    await using connection = await connectRaw(server.port);
    const cookie = [`Cookie: ${person.cookie}`, 'Origin: http://svc.test'];
    const body = JSON.stringify({ name: 'Team' });
    await connection.send(
      head('POST /api/v1/workspaces', JSON_TYPE, `Content-Length: ${body.length}`, EXPECT, CLOSE, ...cookie),
    );
    await connection.until(1, 'continues');
    await connection.send(body);
    expect(told(await connection.untilClosed())).toEqual(['201 ok']);
  });

  test.each([
    ['a declared 99 MB', LOGIN, [JSON_TYPE, 'Content-Length: 99000000'], '413 BAD_REQUEST'],
    ['one byte too many', LOGIN, [JSON_TYPE, `Content-Length: ${LIMIT + 1}`], '413 BAD_REQUEST'],
    ['another media type', LOGIN, ['Content-Type: text/plain', 'Content-Length: 2'], '415 BAD_REQUEST'],
    ['no media type', LOGIN, ['Content-Length: 2'], '415 BAD_REQUEST'],
    ['a coding', LOGIN, [JSON_TYPE, 'Content-Encoding: gzip', 'Content-Length: 2'], '415 BAD_REQUEST'],
    ['no route', 'POST /api/v1/nothing', [JSON_TYPE, 'Content-Length: 2'], '404 NOT_FOUND'],
    [
      'a route of another method',
      'PUT /api/v1/workspaces',
      [JSON_TYPE, 'Content-Length: 2'],
      '404 NOT_FOUND',
    ],
    ['no credential', 'POST /api/v1/workspaces', [JSON_TYPE, 'Content-Length: 2'], '401 UNAUTHENTICATED'],
    [
      'chunks and no credential',
      'POST /api/v1/workspaces',
      [JSON_TYPE, 'Transfer-Encoding: chunked'],
      '401 UNAUTHENTICATED',
    ],
    ['another origin', LOGIN, [JSON_TYPE, 'Content-Length: 2', 'Origin: http://evil.test'], '403 FORBIDDEN'],
    ['two hosts', LOGIN, [JSON_TYPE, 'Content-Length: 2', 'Host: evil.test'], '400 BAD_REQUEST'],
  ])('[T23] a body with %s is refused and not asked for', async (_title, call, headers, refusal) => {
    const exchange = await exchangeRaw(server.port, head(call, ...headers, EXPECT));
    expect(told(exchange)).toEqual([refusal]);
    expect(exchange).toMatchObject({ continues: 0, rest: '' });
    expect(exchange.answers[0]?.headers['connection']).toBe('close');
  });

  test('[D2] where there is no body, none is asked for', async () => {
    const exchange = await exchangeRaw(server.port, head('POST /api/v1/auth/logout', EXPECT, CLOSE));
    expect(told(exchange)).toEqual(['200 ok']);
    expect(exchange.continues).toBe(0);
  });

  test('[D2] a client that does not wait to be asked is answered once', async () => {
    const request = head(LOGIN, JSON_TYPE, 'Content-Length: 2', 'Expect: 100-Continue', CLOSE);
    const exchange = await exchangeRaw(server.port, `${request}{}`);
    expect(told(exchange)).toEqual(['422 VALIDATION_FAILED']);
    expect(exchange.rest).toBe('');
  });
});

describe('the size of a body', () => {
  test('[D2] a body of exactly the limit is read', async () => {
    const body = `{${' '.repeat(LIMIT - 2)}}`;
    const exchange = await exchangeRaw(
      server.port,
      head(LOGIN, JSON_TYPE, `Content-Length: ${LIMIT}`, CLOSE) + body,
    );
    expect(told(exchange)).toEqual(['422 VALIDATION_FAILED']);
  });

  test('[D2] a body in chunks of exactly the limit is read', async () => {
    const chunk = `${(LIMIT / 4).toString(16)}\r\n${' '.repeat(LIMIT / 4)}\r\n`;
    const request = head(LOGIN, JSON_TYPE, 'Transfer-Encoding: chunked', CLOSE);
    const exchange = await exchangeRaw(server.port, `${request}${chunk.repeat(4)}0\r\n\r\n`);
    expect(told(exchange)).toEqual(['400 BAD_REQUEST']);
  });

  test('[T23] a declared length over the limit is refused before a byte of it came', async () => {
    const exchange = await exchangeRaw(server.port, head(LOGIN, JSON_TYPE, `Content-Length: ${LIMIT + 1}`));
    expect(told(exchange)).toEqual(['413 BAD_REQUEST']);
    expect(exchange.rest).toBe('');
  });

  test.each([1, 64 * 1024])(
    '[T23] chunks that come to %i bytes over the limit are refused there',
    async (over) => {
      await using connection = await connectRaw(server.port);
      await connection.send(head(LOGIN, JSON_TYPE, 'Transfer-Encoding: chunked'));
      for (let left = LIMIT + over; left > 0; left -= 64 * 1024) {
        const size = Math.min(left, 64 * 1024);
        await connection.send(`${size.toString(16)}\r\n${' '.repeat(size)}\r\n`);
      }
      // Nothing more is sent: the answer must come of what is there.
      const exchange = await connection.untilClosed();
      expect(told(exchange)).toEqual(['413 BAD_REQUEST']);
      expect(exchange.rest).toBe('');
    },
  );

  test('[T23] one chunk that declares more than the limit is refused as it overruns', async () => {
    await using connection = await connectRaw(server.port);
    await connection.send(`${head(LOGIN, JSON_TYPE, 'Transfer-Encoding: chunked')}7fffffff\r\n`);
    await connection.send(' '.repeat(LIMIT + 1));
    expect(told(await connection.untilClosed())).toEqual(['413 BAD_REQUEST']);
  });

  test('[T23] a client that sends on after its refusal gets to read it, and is cut off', async () => {
    await using connection = await connectRaw(server.port);
    await connection.send(head(LOGIN, JSON_TYPE, 'Content-Length: 99000000'));
    const [first] = (await connection.until(1)).answers;
    expect(first?.status).toBe(413);
    const piece = Buffer.alloc(256 * 1024);
    let sentBytes = 0;
    while (connection.open && sentBytes < 99_000_000) {
      await connection.send(piece);
      sentBytes += piece.length;
    }
    expect(sentBytes).toBeLessThan(99_000_000);
  });

  test('[T23] a body longer than it was declared to be is not taken for its rest', async () => {
    const request = head(LOGIN, JSON_TYPE, 'Content-Length: 2');
    const exchange = await exchangeRaw(
      server.port,
      `${request}{}garbage that would have been the rest\r\n\r\n`,
    );
    expect(told(exchange)).toEqual(['422 VALIDATION_FAILED', '400 BAD_REQUEST']);
  });
});

describe('bodies that break off', () => {
  const beginnings = [
    ['within its headers', 'POST /api/v1/auth/login HTTP/1.1\r\nHost: svc.te'],
    ['before its body', head(LOGIN, JSON_TYPE, 'Content-Length: 20')],
    ['within its body', `${head(LOGIN, JSON_TYPE, 'Content-Length: 20')}{"email":`],
    ['within a chunk', `${head(LOGIN, JSON_TYPE, 'Transfer-Encoding: chunked')}20\r\n{"email":`],
    ['between chunks', `${head(LOGIN, JSON_TYPE, 'Transfer-Encoding: chunked')}2\r\n{}\r\n`],
    ['while it waits to be asked', head(LOGIN, JSON_TYPE, 'Content-Length: 20', EXPECT)],
  ] as const;

  test.each(beginnings)(
    '[T23] a request that ends %s gets at most one answer, a refusal',
    async (_title, bytes) => {
      await using connection = await connectRaw(server.port);
      await connection.send(bytes);
      connection.end();
      const exchange = await connection.untilClosed();
      expect(exchange.answers.length).toBeLessThanOrEqual(1);
      expect(told(exchange).every((answer) => answer === '400 BAD_REQUEST')).toBe(true);
      expect(exchange.rest).toBe('');
    },
  );

  test.each(beginnings)('[T23] a connection that is reset %s harms nobody', async (_title, bytes) => {
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        await using connection = await connectRaw(server.port);
        await connection.send(bytes);
        connection.abort();
      }),
    );
    expect((await server.anonymous.api.getHealth()).ok).toBe(true);
  });
});

describe('bodies that were refused unread', () => {
  // Small enough that the connection would be kept.
  const refusedUnread = head('POST /api/v1/workspaces', JSON_TYPE, 'Content-Length: 20');

  test('[T23] the connection goes on with the next request once the body has come', async () => {
    const next = head('GET /api/v1/health', CLOSE);
    const exchange = await exchangeRaw(server.port, `${refusedUnread}${' '.repeat(20)}${next}`);
    expect(told(exchange)).toEqual(['401 UNAUTHENTICATED', '200 ok']);
  });

  test.each([
    ['breaks off', (connection: RawConnection) => connection.end()],
    ['can not be read', (connection: RawConnection) => void connection.send('zz\r\n')],
  ])('[T23] a body that then %s gets no second answer', async (_title, goOn) => {
    await using connection = await connectRaw(server.port);
    await connection.send(head('POST /api/v1/workspaces', JSON_TYPE, 'Transfer-Encoding: chunked'));
    await connection.until(1);
    goOn(connection);
    const exchange = await connection.untilClosed();
    expect(told(exchange)).toEqual(['401 UNAUTHENTICATED']);
    expect(exchange.rest).toBe('');
  });

  test('[T23] a small body that then breaks off gets no second answer', async () => {
    await using connection = await connectRaw(server.port);
    await connection.send(refusedUnread);
    await connection.until(1);
    connection.end();
    const exchange = await connection.untilClosed();
    expect(told(exchange)).toEqual(['401 UNAUTHENTICATED']);
    expect(exchange.rest).toBe('');
  });

  test('[T23] a small body that then never comes gets no second answer', async () => {
    await using hasty = await startServer({
      timeouts: { connectionsCheckedEveryMs: 20, headersMs: 500, requestMs: 500 },
    });
    await using connection = await connectRaw(hasty.port);
    await connection.send(refusedUnread);
    const exchange = await connection.untilClosed();
    expect(told(exchange)).toEqual(['401 UNAUTHENTICATED']);
    expect(exchange.rest).toBe('');
  });
});

describe('patience', () => {
  const short = { connectionsCheckedEveryMs: 20, bodyCheckedEveryMs: 20 };
  const half = '{"email":';

  test('[T23] headers that do not come to an end are given up', async () => {
    await using hasty = await startServer({ timeouts: { ...short, headersMs: 100 } });
    await using connection = await connectRaw(hasty.port);
    await connection.send('GET /api/v1/health HTTP/1.1\r\nHost: svc.test\r\nX-Slow: ');
    const exchange = await connection.untilClosed();
    expect(told(exchange)).toEqual(['408 BAD_REQUEST']);
    expect(exchange.answers[0]?.headers).toMatchObject({
      'cache-control': 'private, no-store, must-revalidate',
      connection: 'close',
    });
  });

  test('[T23] a connection on which nothing is said is given up', async () => {
    await using hasty = await startServer({ timeouts: { ...short, silenceMs: 100 } });
    await using connection = await connectRaw(hasty.port);
    expect((await connection.untilClosed()).answers).toEqual([]);
  });

  test('[T23] a connection on which nothing more is asked is given up', async () => {
    await using hasty = await startServer({ timeouts: { ...short, keepAliveMs: 50 } });
    await using connection = await connectRaw(hasty.port);
    await connection.send(head('GET /api/v1/health'));
    expect(told(await connection.untilClosed())).toEqual(['200 ok']);
  });

  test('[T23] a body that comes too slowly is given up', async () => {
    await using hasty = await startServer({ timeouts: { ...short, bodyGraceMs: 50, lingerMs: 50 } });
    await using connection = await connectRaw(hasty.port);
    await connection.send(head(LOGIN, JSON_TYPE, 'Content-Length: 100000') + half);
    const exchange = await connection.untilClosed();
    expect(told(exchange)).toEqual(['408 BAD_REQUEST']);
    expect(exchange.rest).toBe('');
  });

  test('[T23] a client that never sends what it was asked for is given up', async () => {
    await using hasty = await startServer({ timeouts: { ...short, bodyGraceMs: 50, lingerMs: 50 } });
    await using connection = await connectRaw(hasty.port);
    await connection.send(head(LOGIN, JSON_TYPE, 'Content-Length: 20', EXPECT));
    const exchange = await connection.untilClosed();
    expect(told(exchange)).toEqual(['408 BAD_REQUEST']);
    expect(exchange.continues).toBe(1);
  });

  test('[T23] a request as a whole has its time', async () => {
    await using hasty = await startServer({ timeouts: { ...short, headersMs: 500, requestMs: 500 } });
    await using connection = await connectRaw(hasty.port);
    await connection.send(head(LOGIN, JSON_TYPE, 'Content-Length: 100000') + half);
    const exchange = await connection.untilClosed();
    expect(told(exchange)).toEqual(['408 BAD_REQUEST']);
    expect(exchange.rest).toBe('');
  });
});

describe('the media type and coding of a body', () => {
  const read = '422 VALIDATION_FAILED';
  const refused = '415 BAD_REQUEST';
  test('[D2] a body is read or refused by its media type', async () => {
    const types: readonly (readonly [string, string])[] = [
      ['application/json', read],
      ['APPLICATION/JSON', read],
      ['application/json;', read],
      ['application/json; charset=utf-8', read],
      ['application/json;CHARSET="UTF-8"', read],
      ['application/json; charset=utf8', read],
      ['application/json; profile=x', read],
      ['\tapplication/json ', read],
      ['', refused],
      ['text/plain', refused],
      ['text/json', refused],
      ['application/jsonp', refused],
      ['application/problem+json', refused],
      ['application/x-www-form-urlencoded', refused],
      ['multipart/form-data; boundary=x', refused],
      ['multipart/form-data', refused],
      ['*/*', refused],
      ['application/*', refused],
      ['application/json, text/plain', refused],
      ['text/plain; application/json', refused],
      ['application/json; charset=utf-16', refused],
      ['application/json; charset=iso-8859-1', refused],
      ['application/json; charset=utf-8; charset=utf-16', refused],
      ['application/json; charset', refused],
      ['json', refused],
      ['???', refused],
    ];
    for (const [type, answer] of types) {
      const request = head(LOGIN, `Content-Type: ${type}`, 'Content-Length: 2', CLOSE);
      expect([type, told(await exchangeRaw(server.port, `${request}{}`))]).toEqual([type, [answer]]);
    }
  });

  test('[D2] a body without a type is refused', async () => {
    const exchange = await exchangeRaw(server.port, `${head(LOGIN, 'Content-Length: 2', CLOSE)}{}`);
    expect(told(exchange)).toEqual([refused]);
  });

  test('[D2] a body in any coding is refused', async () => {
    const one = ['gzip', 'GZIP', 'x-gzip', 'deflate', 'br', 'zstd', 'identity', 'aes128gcm', 'none'];
    for (const coding of [...one, 'identity, gzip', 'gzip, identity']) {
      const request = head(LOGIN, JSON_TYPE, `Content-Encoding: ${coding}`, 'Content-Length: 2', CLOSE);
      expect([coding, told(await exchangeRaw(server.port, `${request}{}`))]).toEqual([coding, [refused]]);
    }
  });

  test('[D2] what says nothing of a body that is not there does not count', async () => {
    const headers = ['Content-Type: text/plain', 'Content-Encoding: gzip', 'Content-Length: 0'];
    const exchange = await exchangeRaw(server.port, head('POST /api/v1/auth/logout', ...headers, CLOSE));
    expect(told(exchange)).toEqual(['200 ok']);
  });
});

describe('bodies of many fields', () => {
  test('[D2] of more unknown fields than are told, the first twenty are, and nothing of their values', async () => {
    const fields = Array.from({ length: 15_000 }, (_, number) => [`a/b~${number}`, 'told to nobody']);
    const response = await server.anonymous.fetch('/api/v1/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(fields)),
    });
    expect(response.status).toBe(422);
    const text = await response.text();
    expect(text).not.toContain('told to nobody');
    const { error } = JSON.parse(text) as { error: { details: { issues: unknown[] } } };
    expect(error.details.issues).toHaveLength(20);
    expect(error.details.issues[7]).toEqual({ path: '/a~1b~07', message: 'is not a known field' });
  });
});
