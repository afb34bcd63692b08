/** How long a SARIF file of 5 MB takes to become a shared report. */
import { readLog } from '@svc/report/making/read-log';
import { startServiceProcess, type ServiceProcess } from '@svc/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { bytesOf, dropOn } from './dropped-log.ts';
import { untilCopied } from './page-watch.ts';

/** The goal, on an idle machine. */
const SECONDS_MAX = 10;
/** On a busy or slow machine, the limit is this multiple of the time to read the file here. */
const TIMES_READING = 15;
const BYTES = 5_000_000;

/** Results with a few lines of code and a long message, as of a static analyser. */
function logOfSize(bytes: number): string {
  const rules = Array.from({ length: 40 }, (_, index) => ({
    id: `rule-${index}`,
    shortDescription: { text: `Values of users reach a dangerous call, case ${index}` },
    fullDescription: { text: 'A value that a user controls reaches a call that interprets it. '.repeat(5) },
    help: { text: 'Check the value against a list of allowed ones before the call. '.repeat(5) },
  }));
  const results: object[] = [];
  for (let size = 0; size < bytes; size += JSON.stringify(results.at(-1)).length + 1) {
    const index = results.length;
    results.push({
      ruleId: `rule-${index % rules.length}`,
      level: index % 3 === 0 ? 'error' : 'warning',
      message: { text: `The value of parameter ${index} reaches the query in handler ${index}. `.repeat(6) },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: `src/module-${index % 200}/handler-${index}.ts` },
            region: {
              startLine: index + 1,
              startColumn: 3,
              snippet: {
                text: `const row = await query(text_${index}, request.body.field_${index});\n`.repeat(3),
              },
            },
          },
        },
      ],
      partialFingerprints: { primaryLocationLineHash: `${index.toString(16).padStart(16, '0')}:1` },
    });
  }
  return JSON.stringify({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Analyser', rules } }, results }],
  });
}

describePages('a large SARIF file', () => {
  const { visit } = browserSuite();
  /** Does not share its processor time with the test. Outlives the window, which sends its usage events last. */
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startServiceProcess();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test('of 5 MB becomes a copied share link in ten seconds, or in fifteen times its reading time', async () => {
    const owner = await service.signUp();
    const { page } = await visit(`${service.url}/`, { url: service.url, cookie: owner.cookie });
    const text = logOfSize(BYTES);
    const name = 'analyser.sarif';
    const reading = performance.now();
    readLog(name, bytesOf(text));
    const readingSeconds = (performance.now() - reading) / 1000;
    // The transfer of the file to the browser does not count.
    await page.evaluate(`window.text = ${JSON.stringify(text)}`);
    const begin = performance.now();
    await dropOn(page, { name, expression: 'window.text' });
    await page.getByRole('button', { name: 'Allow this browser to upload' }).click();
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Create share link' }).click();
    await untilCopied(page, () => page.getByRole('button', { name: 'Copy link' }).click());
    const seconds = (performance.now() - begin) / 1000;
    expect(seconds).toBeLessThan(Math.max(SECONDS_MAX, TIMES_READING * readingSeconds));
  });
});
