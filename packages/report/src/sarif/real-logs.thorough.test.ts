/** Logs of real scanners, if there are any in the folder of SVC_REAL_REPORTS. */
import * as fs from 'node:fs';
import path from 'node:path';
import { Finding } from '@svc/contract';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { differences } from '../../test/sarif-checker.ts';
import { addFindings, noFindings } from '../intake/deduplication.ts';
import { secretPaths } from '../secrets/redact.ts';
import { importSarif } from './import.ts';

const folder =
  process.env['SVC_REAL_REPORTS'] ?? path.join(import.meta.dirname, '../../../../../shared/real-reports');
const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.sarif')) : [];
const validator = Compile(Finding);
const roots = ['/home/damien/dd', '/home/dev/npm', '/home/stefanf/workspace/SecObserve', 'C:/code', '/'];

describe('real logs', () => {
  test.skipIf(names.length === 0)('are found in the folder of SVC_REAL_REPORTS', () => {
    expect(names.length).toBeGreaterThan(0);
  });

  test.each(names)('%s', (name) => {
    const bytes = fs.readFileSync(path.join(folder, name));
    const { findings, tools } = importSarif(bytes, { roots });
    const texts = (JSON.parse(bytes.toString().replace(/^\ufeff/, '')) as { runs: { results: unknown[] }[] })
      .runs;
    expect(findings.length > 0).toBe(texts.some(({ results }) => results.length > 0));
    expect(tools.reduce((sum, tool) => sum + tool.findings, 0)).toBe(findings.length);
    expect(secretPaths(findings)).toEqual([]);
    expect(findings.filter((finding) => !validator.Check({ id: 'F-1', ...finding }))).toEqual([]);
    expect(findings.filter(({ affected }) => /^(?:\/|[a-z]:|file:)/i.test(affected.file ?? ''))).toEqual([]);
    expect(
      findings.filter(({ evidence }) => evidence.some(({ snippet = '' }) => snippet.length > 2000)),
    ).toEqual([]);
    expect(importSarif(bytes, { roots }).findings).toEqual(findings);

    expect(differences(bytes.toString(), importSarif(bytes, { roots }))).toEqual([]);

    const at = '2026-01-02T03:04:05.000Z';
    const once = addFindings(noFindings, findings, at).set;
    expect(once.findings).toHaveLength(findings.length);
    expect(addFindings(once, findings, at).set).toEqual(once);
  });
});
