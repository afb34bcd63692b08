import type { WorkspaceShare } from '@svc/contract';
import { expect, test } from 'vitest';
import { inShareOrder } from './orders.ts';

const shares = [
  { id: 'a', label: null, projectName: 'shop', viewCount: 2, expiresAt: null },
  { id: 'b', label: 'Zoe', projectName: 'Bank', viewCount: 0, expiresAt: '2026-02-02' },
  { id: 'c', label: 'Ada', projectName: 'shop', viewCount: 2, expiresAt: '2026-01-02' },
] as WorkspaceShare[];

test.each([
  ['newest', 'cba'],
  ['ends', 'cba'],
  ['views', 'cab'],
  ['project', 'bca'],
  ['name', 'cba'],
] as const)('shares are ordered by %s', (order, ids) => {
  expect(
    inShareOrder(shares, order)
      .map(({ id }) => id)
      .join(''),
  ).toBe(ids);
});
