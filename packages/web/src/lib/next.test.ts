import { expect, test } from 'vitest';
import { safeNext } from './next.ts';

const ORIGIN = 'https://svc.example';

test.each([
  ['/reports/rep_1?finding=F-1#top', '/reports/rep_1?finding=F-1#top'],
  ['/', '/'],
  ['settings', '/settings'],
  ['https://svc.example/link/a', '/link/a'],
])('[T6] next=%j leads to %j', (wish, path) => {
  expect(safeNext(wish, ORIGIN)).toBe(path);
});

test.each([
  undefined,
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https://evil.example/',
  'https://svc.example@evil.example/',
  'https://svc.example.evil.example/',
  'http://svc.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  '/\t/evil.example',
  'http://[',
])('[T6] next=%j leads to the home page', (wish) => {
  expect(safeNext(wish, ORIGIN)).toBe('/');
});
