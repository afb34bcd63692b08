/** What is read of a request's body, and what is rejected earlier: by its headers, its size, its pace. */
import { limits } from '@svc/contract';
import {
  connectRaw,
  exchangeRaw,
  outcomesOf,
  requestHead,
  startServer,
  type RawConnection,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { describe, expect, test } from 'vitest';
import type { Timeouts } from '#http/timeouts';

const server = sharedServer({ timeouts: { lingerMs: 200 } });

const JSON_TYPE = 'Content-Type: application/json';
const EXPECT = 'Expect: 100-continue';
const CLOSE = 'Connection: close';
const LIMIT = limits.jsonBodyBytesMax;

/** An endpoint without a credential, where an empty object is read, parsed and rejected with 422. */
const LOGIN = 'POST /api/v1/auth/login';

describe('Expect: 100-continue', () => {
  test.each([
    ['of a known length', 'Content-Length: 2', '{}'],
    ['in chunks', 'Transfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
  ])('[D2] a body %s is asked for once, when it will be read', async (_title, framing, body) => {
    await using connection = await connectRaw(server.port);
    await connection.send(requestHead(LOGIN, JSON_TYPE, framing, EXPECT, CLOSE));
    const asked = await connection.until(1, 'continues');
    expect(asked.answers).toEqual([]);
    await connection.send(body);
    const exchange = await connection.untilClosed();
    expect(outcomesOf(exchange)).toEqual(['422 VALIDATION_FAILED']);
    expect(exchange).toMatchObject({ continues: 1, rest: '' });
  });

  test('[D2] a body is asked for only after the credential of its endpoint was accepted', async () => {
    const person = await server.signUp();
    await using connection = await connectRaw(server.port);
    const cookie = [`Cookie: ${person.cookie}`, 'Origin: http://svc.test'];
    const body = JSON.stringify({ name: 'Team' });
    await connection.send(
      requestHead(
        'POST /api/v1/workspaces',
        JSON_TYPE,
        `Content-Length: ${body.length}`,
        EXPECT,
        CLOSE,
        ...cookie,
      ),
    );
    await connection.until(1, 'continues');
    await connection.send(body);
    expect(outcomesOf(await connection.untilClosed())).toEqual(['201 ok']);
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
  ])('[T23] a body with %s is rejected before it is sent', async (_title, call, headers, rejection) => {
    const exchange = await exchangeRaw(server.port, requestHead(call, ...headers, EXPECT));
    expect(outcomesOf(exchange)).toEqual([rejection]);
    expect(exchange).toMatchObject({ continues: 0, rest: '' });
    expect(exchange.answers[0]?.headers['connection']).toBe('close');
  });

  test('[D2] a missing body is not asked for', async () => {
    const exchange = await exchangeRaw(server.port, requestHead('POST /api/v1/auth/logout', EXPECT, CLOSE));
    expect(outcomesOf(exchange)).toEqual(['200 ok']);
    expect(exchange.continues).toBe(0);
  });

  test('[D2] a client that does not wait to be asked is answered once', async () => {
    const request = requestHead(LOGIN, JSON_TYPE, 'Content-Length: 2', 'Expect: 100-Continue', CLOSE);
    const exchange = await exchangeRaw(server.port, `${request}{}`);
    expect(outcomesOf(exchange)).toEqual(['422 VALIDATION_FAILED']);
    expect(exchange.rest).toBe('');
  });
});

describe('the size of a body', () => {
  test('[D2] a body of exactly the limit is read', async () => {
    const body = `{${' '.repeat(LIMIT - 2)}}`;
    const exchange = await exchangeRaw(
      server.port,
      requestHead(LOGIN, JSON_TYPE, `Content-Length: ${LIMIT}`, CLOSE) + body,
    );
    expect(outcomesOf(exchange)).toEqual(['422 VALIDATION_FAILED']);
  });

  test('[D2] a chunked body of exactly the limit is read', async () => {
    const chunk = `${(LIMIT / 4).toString(16)}\r\n${' '.repeat(LIMIT / 4)}\r\n`;
    const request = requestHead(LOGIN, JSON_TYPE, 'Transfer-Encoding: chunked', CLOSE);
    const exchange = await exchangeRaw(server.port, `${request}${chunk.repeat(4)}0\r\n\r\n`);
    expect(outcomesOf(exchange)).toEqual(['400 BAD_REQUEST']);
  });

  test.each([1, 64 * 1024])(
    '[T23] chunks that add up to %i bytes over the limit are rejected with the last one',
    async (over) => {
      await using connection = await connectRaw(server.port);
      await connection.send(requestHead(LOGIN, JSON_TYPE, 'Transfer-Encoding: chunked'));
      for (let left = LIMIT + over; left > 0; left -= 64 * 1024) {
        const size = Math.min(left, 64 * 1024);
        await connection.send(`${size.toString(16)}\r\n${' '.repeat(size)}\r\n`);
      }
      // Nothing more is sent, so the response must come now.
      const exchange = await connection.untilClosed();
      expect(outcomesOf(exchange)).toEqual(['413 BAD_REQUEST']);
      expect(exchange.rest).toBe('');
    },
  );

  test('[T23] one chunk that declares more than the limit is rejected when it exceeds it', async () => {
    await using connection = await connectRaw(server.port);
    await connection.send(`${requestHead(LOGIN, JSON_TYPE, 'Transfer-Encoding: chunked')}7fffffff\r\n`);
    await connection.send(' '.repeat(LIMIT + 1));
    expect(outcomesOf(await connection.untilClosed())).toEqual(['413 BAD_REQUEST']);
  });

  test('[T23] a client that continues to send can read its rejection, and is cut off', async () => {
    await using connection = await connectRaw(server.port);
    await connection.send(requestHead(LOGIN, JSON_TYPE, 'Content-Length: 99000000'));
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

  test('[T23] bytes beyond the declared length are not part of the body', async () => {
    const request = requestHead(LOGIN, JSON_TYPE, 'Content-Length: 2');
    const exchange = await exchangeRaw(
      server.port,
      `${request}{}garbage that would have been the rest\r\n\r\n`,
    );
    expect(outcomesOf(exchange)).toEqual(['422 VALIDATION_FAILED', '400 BAD_REQUEST']);
  });
});

describe('bodies that are cut off', () => {
  const beginnings = [
    ['within its headers', 'POST /api/v1/auth/login HTTP/1.1\r\nHost: svc.te'],
    ['before its body', requestHead(LOGIN, JSON_TYPE, 'Content-Length: 20')],
    ['within its body', `${requestHead(LOGIN, JSON_TYPE, 'Content-Length: 20')}{"email":`],
    ['within a chunk', `${requestHead(LOGIN, JSON_TYPE, 'Transfer-Encoding: chunked')}20\r\n{"email":`],
    ['between chunks', `${requestHead(LOGIN, JSON_TYPE, 'Transfer-Encoding: chunked')}2\r\n{}\r\n`],
    ['while it waits to be asked', requestHead(LOGIN, JSON_TYPE, 'Content-Length: 20', EXPECT)],
  ] as const;

  test.each(beginnings)(
    '[T23] a request that ends %s gets at most one response, a rejection',
    async (_title, bytes) => {
      await using connection = await connectRaw(server.port);
      await connection.send(bytes);
      connection.end();
      const exchange = await connection.untilClosed();
      expect(exchange.answers.length).toBeLessThanOrEqual(1);
      expect(outcomesOf(exchange).every((answer) => answer === '400 BAD_REQUEST')).toBe(true);
      expect(exchange.rest).toBe('');
    },
  );

  test.each(beginnings)('[T23] a connection that is reset %s affects no other', async (_title, bytes) => {
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

describe('bodies that were rejected unread', () => {
  // The body is small enough that the connection would be kept.
  const rejectedUnread = requestHead('POST /api/v1/workspaces', JSON_TYPE, 'Content-Length: 20');

  test('[T23] the connection continues with the next request once the body has arrived', async () => {
    const next = requestHead('GET /api/v1/health', CLOSE);
    const exchange = await exchangeRaw(server.port, `${rejectedUnread}${' '.repeat(20)}${next}`);
    expect(outcomesOf(exchange)).toEqual(['401 UNAUTHENTICATED', '200 ok']);
  });

  const chunked = requestHead('POST /api/v1/workspaces', JSON_TYPE, 'Transfer-Encoding: chunked');
  test.each([
    ['in chunks is cut off', chunked, (connection: RawConnection) => connection.end()],
    ['in chunks cannot be read', chunked, (connection: RawConnection) => void connection.send('zz\r\n')],
    ['of a known length is cut off', rejectedUnread, (connection: RawConnection) => connection.end()],
  ])('[T23] there is no second response when a body %s', async (_title, request, goOn) => {
    await using connection = await connectRaw(server.port);
    await connection.send(request);
    await connection.until(1);
    goOn(connection);
    const exchange = await connection.untilClosed();
    expect(outcomesOf(exchange)).toEqual(['401 UNAUTHENTICATED']);
    expect(exchange.rest).toBe('');
  });

  test('[T23] a small body that never arrives gets no second response', async () => {
    await using hasty = await startServer({
      timeouts: { connectionsCheckedEveryMs: 20, headersMs: 500, requestMs: 500 },
    });
    await using connection = await connectRaw(hasty.port);
    await connection.send(rejectedUnread);
    const exchange = await connection.untilClosed();
    expect(outcomesOf(exchange)).toEqual(['401 UNAUTHENTICATED']);
    expect(exchange.rest).toBe('');
  });
});

describe('timeouts', () => {
  const short = { connectionsCheckedEveryMs: 20, bodyCheckedEveryMs: 20 };
  const slowBody = `${requestHead(LOGIN, JSON_TYPE, 'Content-Length: 100000')}{"email":`;
  const slowHeaders = 'GET /api/v1/health HTTP/1.1\r\nHost: svc.test\r\nX-Slow: ';
  const unsent = requestHead(LOGIN, JSON_TYPE, 'Content-Length: 20', EXPECT);
  const slow = { bodyGraceMs: 50, lingerMs: 50 };

  test.each<[title: string, Partial<Timeouts>, request: string, answers: string[], continues?: number]>([
    ['a request whose headers do not end is', { headersMs: 100 }, slowHeaders, ['408 BAD_REQUEST']],
    ['a connection without a request is', { silenceMs: 100 }, '', []],
    [
      'a connection without a further request is',
      { keepAliveMs: 50 },
      requestHead('GET /api/v1/health'),
      ['200 ok'],
    ],
    ['a body that arrives too slowly is', slow, slowBody, ['408 BAD_REQUEST']],
    ['a client that never sends what it was asked for is', slow, unsent, ['408 BAD_REQUEST'], 1],
    [
      'a request that takes too long as a whole is',
      { headersMs: 500, requestMs: 500 },
      slowBody,
      ['408 BAD_REQUEST'],
    ],
  ])('[T23] %s rejected', async (_title, timeouts, request, answers, continues = 0) => {
    await using hasty = await startServer({ timeouts: { ...short, ...timeouts } });
    await using connection = await connectRaw(hasty.port);
    if (request !== '') await connection.send(request);
    const exchange = await connection.untilClosed();
    expect(outcomesOf(exchange)).toEqual(answers);
    expect(exchange).toMatchObject({ continues, rest: '' });
    const rejections = exchange.answers.filter(({ status }) => status === 408);
    for (const { headers } of rejections)
      expect(headers).toMatchObject({
        'cache-control': 'private, no-store, must-revalidate',
        connection: 'close',
      });
  });
});

describe('the media type and coding of a body', () => {
  const read = '422 VALIDATION_FAILED';
  const rejected = '415 BAD_REQUEST';
  test('[D2] a body is read or rejected by its media type', async () => {
    const types: readonly (readonly [string, string])[] = [
      ['application/json', read],
      ['APPLICATION/JSON', read],
      ['application/json;', read],
      ['application/json; charset=utf-8', read],
      ['application/json;CHARSET="UTF-8"', read],
      ['application/json; charset=utf8', read],
      ['application/json; profile=x', read],
      ['\tapplication/json ', read],
      ['', rejected],
      ['text/plain', rejected],
      ['text/json', rejected],
      ['application/jsonp', rejected],
      ['application/problem+json', rejected],
      ['application/x-www-form-urlencoded', rejected],
      ['multipart/form-data; boundary=x', rejected],
      ['multipart/form-data', rejected],
      ['*/*', rejected],
      ['application/*', rejected],
      ['application/json, text/plain', rejected],
      ['text/plain; application/json', rejected],
      ['application/json; charset=utf-16', rejected],
      ['application/json; charset=iso-8859-1', rejected],
      ['application/json; charset=utf-8; charset=utf-16', rejected],
      ['application/json; charset', rejected],
      ['json', rejected],
      ['???', rejected],
    ];
    for (const [type, answer] of types) {
      const request = requestHead(LOGIN, `Content-Type: ${type}`, 'Content-Length: 2', CLOSE);
      expect([type, outcomesOf(await exchangeRaw(server.port, `${request}{}`))]).toEqual([type, [answer]]);
    }
  });

  test('[D2] a body in any coding is rejected', async () => {
    const one = ['gzip', 'GZIP', 'x-gzip', 'deflate', 'br', 'zstd', 'identity', 'aes128gcm', 'none'];
    for (const coding of [...one, 'identity, gzip', 'gzip, identity']) {
      const request = requestHead(
        LOGIN,
        JSON_TYPE,
        `Content-Encoding: ${coding}`,
        'Content-Length: 2',
        CLOSE,
      );
      expect([coding, outcomesOf(await exchangeRaw(server.port, `${request}{}`))]).toEqual([
        coding,
        [rejected],
      ]);
    }
  });

  test('[D2] headers about an absent body do not count', async () => {
    const headers = ['Content-Type: text/plain', 'Content-Encoding: gzip', 'Content-Length: 0'];
    const exchange = await exchangeRaw(
      server.port,
      requestHead('POST /api/v1/auth/logout', ...headers, CLOSE),
    );
    expect(outcomesOf(exchange)).toEqual(['200 ok']);
  });
});
