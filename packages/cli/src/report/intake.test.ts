/** What is stored: no part of a secret of any kind, whichever field it was in; and the results of scanners. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { limits } from '@svc/contract';
import { importSarif } from '@svc/report';
import { secretSamples } from '@svc/report/secret-samples';
import { describe, expect, test } from 'vitest';
import { AT, newReport, submission, TemporaryFolder } from '../../test/local-reports.ts';
import { eventsAfter } from '../store/events.ts';
import { findingsOf } from '../store/findings.ts';
import { frozenReport } from '../store/freezing.ts';
import { createReport, findReport } from '../store/reports.ts';
import { openStore, STORE_FILE_NAME, type Store } from '../store/store.ts';
import { finishReport } from './finish.ts';
import { addSubmission, importIntoReport } from './intake.ts';

const ID = 'local-report-1';

const whole = submission('a', {
  affected: { component: 'search', file: 'src/search.ts', route: '/search', origin: 'https://example.com' },
  evidence: [
    {
      kind: 'source',
      description: 'The query is put together here.',
      snippet: 'query',
      location: 'src/a.ts:7',
    },
  ],
  taxonomy: ['CWE-89'],
  reproduction: 'Search for a quote.',
  references: ['https://example.com/injection'],
  tags: ['database'],
});

type TextPath = readonly (string | number)[];

function textPaths(value: unknown, found: TextPath = []): TextPath[] {
  if (typeof value === 'string') return [found];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textPaths(inner, [...found, name]));
}

function planted(value: unknown, [name, ...rest]: TextPath, secret: string): unknown {
  if (name === undefined) return `${String(value)} ${secret}`;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[name] = planted(copy[name], rest, secret);
  return copy;
}

function bytesOf(store: Store): Buffer {
  const files = ['', '-wal'].map((end) => readFileSync(`${store.file}${end}`));
  return Buffer.concat(files);
}

/** The secret unchanged, and as JSON escapes it. */
function spellings(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1)];
}

/** Each text field is tested with an eighth of the samples, and each sample in an eighth of the text fields. */
const SHARE = 8;

describe('a planted secret', () => {
  test('[interface: rejection] of any kind in any field is in no byte of the store or the report', async () => {
    using folder = new TemporaryFolder();
    using store = await openStore(folder.path);
    expect(path.basename(store.file)).toBe(STORE_FILE_NAME);
    createReport(store, newReport());
    let redactions = 0;
    const silent: string[] = [];
    for (const [at, place] of textPaths(whole).entries()) {
      for (const { name, text } of secretSamples.filter((_, index) => (index + at) % SHARE === 0)) {
        const result = addSubmission(store, ID, planted(whole, place, text), AT);
        if (result.accepted) redactions += result.redactions;
        const isSaid = result.accepted ? result.redactions > 0 : result.errors.length > 0;
        if (!isSaid) silent.push(`${name} in ${place.join('.')}`);
      }
    }
    expect(secretSamples.length).toBeGreaterThan(50);
    expect(silent).toEqual([]);
    finishReport(store, ID, { at: AT });
    expect(findReport(store, ID)?.redactions).toBe(redactions);
    const everywhere = [bytesOf(store), Buffer.from(frozenReport(store, ID)!.bytes)];
    const found = secretSamples.filter(({ secret }) =>
      spellings(secret).some((spelling) => everywhere.some((bytes) => bytes.includes(spelling))),
    );
    expect(found.map(({ name }) => name)).toEqual([]);
    // Proves that the search finds existing text.
    expect(everywhere.every((bytes) => bytes.includes('Search takes text into its query'))).toBe(true);
  });
});

const log = JSON.stringify({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Linter', version: '2.0', rules: [{ id: 'R1' }] } },
      results: [1, 2, 2].map((line) => ({
        ruleId: 'R1',
        message: { text: `Something is wrong in a place of line ${line}.` },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'src/a.ts' },
              region: { startLine: line, snippet: { text: `line ${line}` } },
            },
          },
        ],
      })),
    },
  ],
});

describe('results of a scanner', () => {
  test('are imported with its name, and importing them again adds no finding', async () => {
    using folder = new TemporaryFolder();
    using store = await openStore(folder.path);
    createReport(store, newReport());
    const imported = importSarif(log);
    expect(importIntoReport(store, ID, imported, AT)).toEqual({ created: 2, merged: 0, rejected: [] });
    const { findings } = findingsOf(store, ID);
    expect(importIntoReport(store, ID, imported, AT)).toEqual({ created: 0, merged: 2, rejected: [] });
    expect(findingsOf(store, ID).findings).toEqual(findings);
    expect(findReport(store, ID)).toMatchObject({
      candidateCount: 4,
      duplicateCount: 2,
      warnings: imported.warnings,
      scan: { tools: [{ name: 'Linter', version: '2.0', findings: 4 }] },
    });
    expect(eventsAfter(store, ID)).toEqual([]);
    expect(finishReport(store, ID, { at: AT }).report.summary.findingCount).toBe(2);
  });

  test('beyond the limit of a report are counted by severity', async () => {
    using folder = new TemporaryFolder();
    using store = await openStore(folder.path);
    createReport(store, newReport());
    const [first] = importSarif(log).findings;
    const arrivals = Array.from({ length: limits.report.findingsMax + 3 }, (_, index) => ({
      ...first!,
      severity: index > limits.report.findingsMax ? ('low' as const) : ('high' as const),
      fingerprint: String(index).padStart(64, '0'),
    }));
    const imported = { findings: arrivals, tools: [], warnings: [], redactions: 0 };
    expect(importIntoReport(store, ID, imported, AT)).toEqual({
      created: limits.report.findingsMax,
      merged: 0,
      rejected: arrivals.slice(limits.report.findingsMax),
      rejectedSentence:
        '3 results left out, 1 of them high, 2 low: a report can have at most 10,000 findings.',
    });
  });
});
