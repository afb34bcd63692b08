/** The whole API reference, with thousands of elements for axe; every-state.test.ts covers one of each kind. */
import { expect, test } from 'vitest';
import { findingsInBothThemes } from './axe.ts';
import { browserSuite, describePages } from './browser-suite.ts';

describePages('the whole API reference', { timeout: 300_000 }, () => {
  const { visit } = browserSuite();

  test('is accessible', async () => {
    const { page } = await visit('/docs', { width: 360 });
    expect(await findingsInBothThemes(page)).toEqual([]);
  });
});
