// `npm run lighthouse`: audits the main pages with Lighthouse's settings for phones, the page of a share also with
// 1,000 and 10,000 findings, and fails when a score is too low. Then it measures when pages are painted and usable on a
// slow machine. The medians count. `-- --paint` only measures. `-- --only report,overview` takes only the pages whose
// names start with one of these words. On a busy machine the figures mean little.
import { parseArgs } from 'node:util';
import { startServer } from '@svc/testkit';
import { launchBrowser } from '@svc/testkit/browser';
import { audit, installLighthouse } from './lighthouse/audit.ts';
import { measurePaint } from './lighthouse/paint.ts';
import { createSubject, type Subject } from './lighthouse/subject.ts';

const shareSizes = [1000, 10_000];
const painted = new Set(['share', 'report', 'overview']);
const LARGEST_MS_MAX = 1500;
const MANY = 5701;
const USABLE_MS_MAX = 2500;

const { values: options } = parseArgs({ options: { paint: { type: 'boolean' }, only: { type: 'string' } } });
const isPaintOnly = options.paint === true;
const only = options.only?.split(',') ?? [''];
const isWanted = (name: string) => only.some((start) => name.startsWith(start));

if (!isPaintOnly) installLighthouse();
const server = await startServer({ generousPlans: true });
try {
  const subject = await createSubject(server);
  const pages = (await subject.mainPages()).filter(([name]) => isWanted(name));
  const audited = isPaintOnly ? [] : await auditAll(subject, pages);
  const measured = await paintAll(subject, pages);
  if ([...audited, ...measured].includes(false)) process.exitCode = 1;
} finally {
  await server.close();
}

type Pages = Awaited<ReturnType<Subject['mainPages']>>;

async function auditAll({ owner, share }: Subject, pages: Pages): Promise<boolean[]> {
  console.log('Lighthouse, as on a phone');
  const results: boolean[] = [];
  for (const [name, address] of pages)
    results.push(await audit(name, address, name === 'share' ? undefined : owner.cookie));
  for (const size of shareSizes) {
    const name = `share, ${size.toLocaleString('en')} findings`;
    if (isWanted(name)) results.push(await audit(name, await share(size)));
  }
  return results;
}

async function paintAll({ owner, report }: Subject, pages: Pages): Promise<boolean[]> {
  console.log('A processor four times slower, 10 Mbit/s');
  await using browser = await launchBrowser();
  const results: boolean[] = [];
  for (const [name, address] of pages.filter(([each]) => painted.has(each)))
    results.push(
      await measurePaint(
        browser,
        name,
        address,
        { largestMs: LARGEST_MS_MAX },
        name === 'share' ? undefined : owner.cookie,
      ),
    );
  const large = `report, ${MANY.toLocaleString('en')} findings`;
  if (isWanted(large))
    results.push(
      await measurePaint(browser, large, await report(MANY), { usableMs: USABLE_MS_MAX }, owner.cookie),
    );
  return results;
}
