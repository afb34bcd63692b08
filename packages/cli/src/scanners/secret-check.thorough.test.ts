/** The search for secrets stays within its limits, in a large repository and in adversarial text. */
import { secretSamples } from '@svc/report/secret-samples';
import { expect, test } from 'vitest';
import { initRepository, temporaryFolder, writeFiles } from '../../test/repository.ts';
import { environmentWith, scan } from '../../test/scan.ts';
import { FILE_BYTES_MAX } from './secret-check.ts';
import { secretFindings } from './secret-findings.ts';

const key = new Uint8Array(32).fill(7);
const token = secretSamples.find(({ kind }) => kind === 'github-token')?.text ?? '';
const only = ['secrets'];

test('a repository of 20,000 files takes seconds, little memory and about a hundred steps of progress', async () => {
  const root = temporaryFolder();
  const text = 'const value = compute(42); // nothing to see\n'.repeat(80);
  for (let folder = 0; folder < 200; folder += 1) {
    const files = Array.from({ length: 100 }, (_, index) => [`src/${folder}/${index}.ts`, text] as const);
    writeFiles(root, Object.fromEntries(files));
  }
  writeFiles(root, { 'src/7/secret.ts': token });
  initRepository(root);
  const used = process.cpuUsage();
  const before = process.memoryUsage.rss();
  const { result, events } = await scan(root, { only, environment: environmentWith('/nowhere') });
  // Processor time, which other load on the machine does not affect.
  const { user, system } = process.cpuUsage(used);
  expect(result.findings).toHaveLength(1);
  expect(result.inventory.fileCount).toBe(20_001);
  expect(events.filter(({ type }) => type === 'phase_progressed').length).toBeLessThanOrEqual(101);
  expect((user + system) / 1000).toBeLessThan(25_000);
  expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1024 * 1024);
}, 120_000);

test.each([['ghs_1_a.'], ['://'], [`${token} `], ['-----BEGIN PRIVATE KEY-----MI']])(
  'a file of 1 MiB of %j takes less than five seconds of processor time',
  (unit) => {
    const before = process.cpuUsage();
    secretFindings('a.txt', unit.repeat(Math.floor(FILE_BYTES_MAX / unit.length)), key);
    // Processor time, which other load on the machine does not affect.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
  },
);
