/** The API reference as a whole, in which axe looks at thousands of elements; of each kind one is in every-state.test.ts. */
import { expect, test } from 'vitest';
import { findingsOf } from './axe.ts';
import { browserSuite, describePages } from './browser-suite.ts';

describePages('the whole API reference', { timeout: 300_000 }, () => {
  const { visit } = browserSuite();

  test('can be used by everyone', async () => {
    const { page } = await visit('/docs', { width: 360 });
    expect([...(await findingsOf(page, 'light')), ...(await findingsOf(page, 'dark'))]).toEqual([]);
  });
});
