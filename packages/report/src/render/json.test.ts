import { expect, it } from 'vitest';
import { reportOf } from '../../test/samples.ts';
import { wholeProjection } from '../projection/projection.ts';
import { renderJson } from './json.ts';

const projection = wholeProjection(reportOf(), {
  reportId: 'rep_0123456789abcdefghjkmnpqrs',
  projectedFor: { principalType: 'user' },
});

it('[D11] the export equals the projection', () => {
  expect(JSON.parse(renderJson(projection))).toEqual(JSON.parse(JSON.stringify(projection)));
});

it('the export has a line for each value and ends with a line break', () => {
  const text = renderJson(projection);
  expect(text).toMatch(/^\{\n {2}"id": "rep_0123456789abcdefghjkmnpqrs",\n/);
  expect(text.endsWith('\n}\n')).toBe(true);
  expect(renderJson(structuredClone(projection))).toBe(text);
});
