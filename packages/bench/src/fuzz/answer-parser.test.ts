import { describe, expect, test } from 'vitest';
import { AnswerParser, FramingError } from './answer-parser.ts';

function parse(text: string, methods = ['GET', 'GET'], pieceBytes = text.length) {
  const parser = new AnswerParser();
  for (const method of methods) parser.expect(method);
  const bytes = Buffer.from(text, 'latin1');
  const answers = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    answers.push(...parser.push(bytes.subarray(at, at + pieceBytes)));
  }
  return [...answers, ...parser.finish()];
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: y\r\n\r\nhi';

describe('valid responses', () => {
  test.each([1, 2, 3, 7, 1000])('are parsed from pieces of %i bytes', (pieceBytes) => {
    const chunked =
      'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n';
    const [first, second] = parse(ok + chunked, ['GET', 'GET'], pieceBytes);
    expect(first).toMatchObject({ status: 200, body: Buffer.from('hi'), framing: 'length' });
    expect(second).toMatchObject({ status: 201, body: Buffer.from('abc0123456789'), framing: 'chunked' });
  });

  test('to HEAD have no body, whatever length they declare', () => {
    const head = 'HTTP/1.1 404 Not Found\r\nContent-Length: 144\r\n\r\n';
    expect(parse(head + ok, ['HEAD', 'GET']).map(({ status }) => status)).toEqual([404, 200]);
  });

  test.each(['', 'hi'])('to an unreadable HEAD may have a body: "%s"', (body) => {
    const rejection = `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 2\r\n\r\n${body}`;
    expect(parse(rejection, ['HEAD'])).toMatchObject([{ status: 400, body: Buffer.from(body) }]);
  });

  test('may follow interim responses, which do not answer a request', () => {
    expect(parse(`HTTP/1.1 100 Continue\r\n\r\n${ok}`, ['GET']).map(({ status }) => status)).toEqual([
      100, 200,
    ]);
  });

  test('without a length end with the connection', () => {
    expect(parse('HTTP/1.1 200 OK\r\n\r\nall of it')).toMatchObject([
      { framing: 'close', body: Buffer.from('all of it') },
    ]);
  });
});

describe('invalid responses', () => {
  test.each([
    ['a bare LF', ok.replace('OK\r\n', 'OK\n')],
    ['another protocol', ok.replace('HTTP/1.1', 'HTTP/2.0')],
    ['a status above 599', ok.replace('200', '999')],
    ['nonsense', 'nonsense'],
    ['two lengths', ok.replace('X: y', 'content-length: 2')],
    ['a malformed length', ok.replace(': 2', ': +2')],
    ['a length beside chunks', ok.replace('X: y', 'Transfer-Encoding: chunked')],
    ['a header without a colon', ok.replace('X: y', 'X')],
    ['a cut end', ok.slice(0, -1)],
    ['a cut head', ok.slice(0, 20)],
    [
      'a chunk that is too long',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n',
    ],
    ['more responses than requests', ok + ok + ok],
  ])('are rejected: %s', (_name, text) => {
    expect(() => parse(text)).toThrow(FramingError);
  });
});
