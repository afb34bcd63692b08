import { describe, expect, test } from 'vitest';
import type { Answer } from './answer-parser.ts';
import { problemsOf } from './checks.ts';
import type { Shot } from './shot.ts';

const requestId = '6f6c1c2e-8b3d-4d0e-9a51-0d2f3c4b5a69';
const shot: Shot = { kind: 'raw', label: '', pieces: [], methods: [], required: 1, most: 1 };

function refusal(change: { status?: number; headers?: Record<string, string>; error?: object } = {}): Answer {
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

function problems(answers: Answer[], how: Partial<Shot> = {}, closed = true): string[] {
  return problemsOf({ ...shot, ...how }, { answers, closed, framingError: null, received: Buffer.alloc(0) });
}

const interim: Answer = {
  status: 100,
  reason: '',
  headers: new Map(),
  body: Buffer.alloc(0),
  framing: 'none',
};

describe('what must hold of every answer', () => {
  test('nothing is said of one that is right', () => {
    expect(problems([refusal()])).toEqual([]);
    expect(problems([refusal()], { mustClose: true, statuses: [400] })).toEqual([]);
  });

  test.each([
    ['a server error', refusal({ status: 503, error: { code: 'INTERNAL' } }), 'status 503'],
    ['no cache header', refusal({ headers: { 'cache-control': 'no-cache' } }), 'cache-control: no-cache'],
    ['another request id', refusal({ error: { requestId: 'x' } }), 'requestId differs from x-request-id'],
    ['an unknown code', refusal({ error: { code: 'TEAPOT' } }), 'an unknown code "TEAPOT"'],
    ['a code with the status of another', refusal({ status: 404 }), 'BAD_REQUEST with status 404'],
    ['no message', refusal({ error: { message: '' } }), 'an error without a message'],
    ['a stack', refusal({ error: { stack: 'at …' } }), 'fields in the error that it has not: stack'],
    [
      'another type',
      refusal({ headers: { 'content-type': 'text/plain' } }),
      'status 400 with content-type text/plain',
    ],
  ])('%s is noticed', (_name, answer, problem) => {
    expect(problems([answer])).toContain(problem);
  });

  test('too few and too many answers are noticed', () => {
    expect(problems([])).toEqual(['0 answers instead of 1, and the connection closed']);
    expect(problems([refusal(), refusal()])).toEqual(['2 answers, where at most 1 may come']);
  });

  test('a connection that should have closed and did not is noticed', () => {
    expect(problems([refusal()], { mustClose: true }, false)).toHaveLength(1);
    expect(problems([refusal({ headers: { connection: 'close' } })], {}, false)).toHaveLength(1);
  });

  test('100 Continue is noticed where nobody asked, and before a refusal that needs no body', () => {
    expect(problems([interim, refusal()])).toEqual(['100 Continue to a request that did not ask']);
    expect(problems([interim, refusal()], { mayContinue: (status) => status !== 400 })).toEqual([
      '100 Continue before 400',
    ]);
    expect(problems([interim, refusal()], { mayContinue: () => true })).toEqual([]);
  });
});
