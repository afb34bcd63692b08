/** Logs that real scanners wrote, if available: scanned, compared with themselves, and exported. */
import * as fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, jsonOf } from './svc.ts';

const folder =
  process.env['SVC_REAL_REPORTS'] ?? path.join(import.meta.dirname, '../../../../shared/real-reports');
const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.sarif')) : [];

/** Logs whose runs report a failed scan, or that have no run. */
const incomplete = new Set(['defectdojo-no_runs.sarif', 'defectdojo-spotbugs.sarif']);

describe('real logs', { timeout: 120_000 }, () => {
  test.skipIf(names.length === 0)('are available in the folder that SVC_REAL_REPORTS names', () => {
    expect(names.length).toBeGreaterThan(0);
  });

  test.each(names)('%s', async (name) => {
    await using machine = await createMachine();
    const log = path.join(folder, name);
    const scan = await machine.svc(['scan', '.', '--only', 'secrets', '--no-sync', '--sarif', log, '--json']);
    expect(scan.code).toBe(0);
    const { findingCount } = (jsonOf(scan.stdout) as { summary: { findingCount: number } }).summary;

    const gated = ['compare', '--baseline', log, '--fail-on-new', 'info', '--json'];
    const compared = await machine.svc(gated);
    expect(compared.code).toBe(incomplete.has(name) ? 8 : 0);
    const { new: added, fixed, unchanged } = jsonOf(compared.stdout) as Record<string, unknown[]>;
    expect([added, fixed]).toEqual([[], []]);
    expect(unchanged).toHaveLength(findingCount);

    const exported = await machine.svc(['export', '--output', 'report.json']);
    expect(exported.code).toBe(0);
    for (const format of ['html', 'markdown', 'sarif']) {
      const words = ['export', 'report.json', '--format', format, '--output', '-'];
      const { code, stdout, stderr } = await machine.svc(words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.length).toBeGreaterThan(100);
    }
  });
});
