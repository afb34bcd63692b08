import { exportFormats } from '@svc/contract/enums';
import { importSarif, wholeProjection } from '@svc/report';
import { secretSamples } from '@svc/report/secret-samples';
import { expect, test } from 'vitest';
import { AT, newReport, submission, TemporaryFolder } from '../../test/local-reports.ts';
import { finishReport } from '../report/finish.ts';
import { addSubmission, importIntoReport } from '../report/intake.ts';
import { createReport } from '../store/reports.ts';
import { openStore } from '../store/store.ts';
import { rendered } from './render.ts';

const ID = 'local-report-1';

/** The secret unchanged, and escaped as in JSON and HTML. */
function spellings(secret: string): string[] {
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [secret, JSON.stringify(secret).slice(1, -1), html.replaceAll('"', '&quot;')];
}

/** A log with a result for each sample: the sample is in the message and in the quoted code. */
const log = JSON.stringify({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Linter', rules: [{ id: 'R1' }] } },
      results: secretSamples.map(({ text }, index) => ({
        ruleId: 'R1',
        message: { text: `The file contains this: ${text}` },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: `src/${index}.ts` },
              region: { startLine: 1, snippet: { text } },
            },
          },
        ],
      })),
    },
  ],
});

test('[D24] no export contains a submitted or imported secret of any kind', async () => {
  using folder = new TemporaryFolder();
  using store = await openStore(folder.path);
  createReport(store, newReport());
  for (const { name, text } of secretSamples) {
    const evidence = [{ kind: 'source' as const, description: `It stands here: ${text}`, snippet: text }];
    const planted = submission(name, { summary: `The file contains this: ${text}`, evidence });
    expect(addSubmission(store, ID, planted, AT).accepted).toBe(true);
  }
  expect(importIntoReport(store, ID, importSarif(log), AT).rejected).toEqual([]);
  const { report } = finishReport(store, ID, { at: AT });
  expect(report.findings.length).toBeGreaterThanOrEqual(secretSamples.length * 2);
  const projection = wholeProjection(report, { reportId: ID, projectedFor: { principalType: 'user' } });
  for (const format of exportFormats) {
    const text = await rendered(format, projection, {});
    expect(text).toContain('The file contains this');
    // Highlighted code contains tags.
    const texts = [text, text.replaceAll(/<[^>]*>/g, '')];
    const found = secretSamples.filter(({ secret }) =>
      spellings(secret).some((spelling) => texts.some((searched) => searched.includes(spelling))),
    );
    expect(found.map(({ name }) => name)).toEqual([]);
  }
});
