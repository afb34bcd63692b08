import { describe, expect, test } from 'vitest';
import type { ParsedAnswer } from './answer-parser.ts';
import { problemsOf } from './checks.ts';
import type { Shot } from './shot.ts';

const requestId = '6f6c1c2e-8b3d-4d0e-9a51-0d2f3c4b5a69';
const shot: Shot = { kind: 'raw', label: '', pieces: [], methods: [], required: 1, most: 1 };

function rejection(
  change: { status?: number; headers?: Record<string, string>; error?: object } = {},
): ParsedAnswer {
  const error = { code: 'BAD_REQUEST', message: 'No.', requestId, ...change.error };
  const headers = {
    'cache-control': 'private, no-store, must-revalidate',
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
    ...change.headers,
  };
  return {
    status: change.status ?? 400,
    reason: '',
    headers: new Map(Object.entries(headers)),
    body: Buffer.from(JSON.stringify({ error })),
    framing: 'length',
  };
}

function problems(answers: ParsedAnswer[], how: Partial<Shot> = {}, closed = true): string[] {
  return problemsOf({ ...shot, ...how }, { answers, closed, framingError: null, received: Buffer.alloc(0) });
}

const interim: ParsedAnswer = {
  status: 100,
  reason: '',
  headers: new Map(),
  body: Buffer.alloc(0),
  framing: 'none',
};

describe('the checks of every response', () => {
  test('accept a valid one', () => {
    expect(problems([rejection()])).toEqual([]);
    expect(problems([rejection()], { mustClose: true, statuses: [400] })).toEqual([]);
  });

  test.each([
    ['a server error', rejection({ status: 503, error: { code: 'INTERNAL' } }), 'status 503'],
    ['no cache header', rejection({ headers: { 'cache-control': 'no-cache' } }), 'cache-control: no-cache'],
    ['another request id', rejection({ error: { requestId: 'x' } }), 'requestId differs from x-request-id'],
    ['an unknown code', rejection({ error: { code: 'TEAPOT' } }), 'an unknown code "TEAPOT"'],
    ['a code with the status of another', rejection({ status: 404 }), 'BAD_REQUEST with status 404'],
    ['no message', rejection({ error: { message: '' } }), 'an error without a message'],
    ['a stack', rejection({ error: { stack: 'at …' } }), 'unknown fields in the error: stack'],
    [
      'another type',
      rejection({ headers: { 'content-type': 'text/plain' } }),
      'status 400 with content-type text/plain',
    ],
  ])('detect %s', (_name, answer, problem) => {
    expect(problems([answer])).toContain(problem);
  });

  test('detect too few and too many responses', () => {
    expect(problems([])).toEqual(['0 responses instead of 1, and the connection closed']);
    expect(problems([rejection(), rejection()])).toEqual(['2 responses instead of at most 1']);
  });

  test('detect a connection that should have closed', () => {
    expect(problems([rejection()], { mustClose: true }, false)).toHaveLength(1);
    expect(problems([rejection({ headers: { connection: 'close' } })], {}, false)).toHaveLength(1);
  });

  test('detect 100 Continue without an expectation, and before a rejection that needs no body', () => {
    expect(problems([interim, rejection()])).toEqual(['100 Continue to a request that did not ask']);
    expect(problems([interim, rejection()], { mayContinue: (status) => status !== 400 })).toEqual([
      '100 Continue before 400',
    ]);
    expect(problems([interim, rejection()], { mayContinue: () => true })).toEqual([]);
  });
});
