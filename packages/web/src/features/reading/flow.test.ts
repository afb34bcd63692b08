import type { ProjectedEvidence } from '@svc/contract';
import { expect, test } from 'vitest';
import { flowsIn, isRepeated } from './flow.ts';

const item = (description: string): ProjectedEvidence => ({ kind: 'source', description });

test('steps of data flows are separated from other evidence, and keep their numbers', () => {
  const { flows, others } = flowsIn([
    item('Semgrep reports: eval of input'),
    item('Flow 1 of 2, step 1 of 9: request.query'),
    item('Flow 1 of 2, step 9 of 9: no further description'),
    item('Flow 2 of 2, step 1 of 1: body'),
    item('Also here: line 4'),
  ]);
  expect(others.map(({ description }) => description)).toEqual([
    'Semgrep reports: eval of input',
    'Also here: line 4',
  ]);
  expect(
    flows.map(({ name, length, steps }) => [name, length, steps.map(({ number, text }) => [number, text])]),
  ).toEqual([
    [
      'Flow 1 of 2',
      9,
      [
        [1, 'request.query'],
        [9, ''],
      ],
    ],
    ['Flow 2 of 2', 1, [[1, 'body']]],
  ]);
  expect(flowsIn([item('Step 1 of 2: a\nb')]).flows).toMatchObject([{ name: '', steps: [{ text: 'a\nb' }] }]);
});

test('a description repeats the summary if the summary contains it, whatever the spaces', () => {
  expect(isRepeated('Input  reaches eval.', 'Input reaches\neval. It runs.')).toBe(true);
  expect(isRepeated('Input reaches eval here.', 'Input reaches eval.')).toBe(false);
  expect(isRepeated('', 'Anything')).toBe(false);
});
