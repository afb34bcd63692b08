import { expect, test } from 'vitest';
import { AT, newReport, TemporaryFolder } from '../../test/local-reports.ts';
import { partsOf, restored } from '../sync/report-parts.ts';
import { findReport } from '../store/reports.ts';
import { openStore } from '../store/store.ts';
import { beginReport, type Beginning } from './begin.ts';

/** 22 characters like every binding, in the format of a provider's key id. */
const binding = ['LTAI', '5tA9kQ2mZx7RbV1cWd'].join('');
const commit = '0123456789abcdef0123456789abcdef01234567';
const { agent, authorization, repositoryRoot } = newReport();
const beginning: Beginning = {
  at: AT,
  repositoryRoot,
  facts: { commit },
  projectName: `shop ${binding}`,
  bindingPublicId: binding,
  effort: 'auto',
  agent,
  authorization,
  isSyncWanted: true,
};

test('[D24] a binding that looks like a key stays the same, and texts do not contain it', async () => {
  using folder = new TemporaryFolder();
  using store = await openStore(folder.path);
  const { localReportId } = beginReport(store, beginning);
  const report = findReport(store, localReportId);
  expect(report).toMatchObject({ bindingPublicId: binding, projectName: 'shop [redacted alibaba-key-id]' });
});

test('[D24] a commit that is removed from a report does not come back', async () => {
  using folder = new TemporaryFolder();
  using store = await openStore(folder.path);
  const report = beginReport(store, beginning);
  const parts = partsOf(report, []);
  delete parts.scan.commit;
  expect(restored(parts, report).details.scan).toEqual({ startedAt: AT, tools: [] });
  expect(restored(partsOf(report, []), report).details.scan).toMatchObject({ commit });
});
