/** Plants secrets of many formats in every text of a submission. Neither stored findings nor results contain them. */
import { describe, expect, test } from 'vitest';
import { secretSamples } from '../../test/secret-samples.ts';
import { noFindings } from '../intake/deduplication.ts';
import { submitFinding } from '../intake/intake.ts';
import { redactPointer, redactText, secretPaths } from './redact.ts';

const options = { at: '2026-01-02T03:04:05.000Z', secrets: { redactPointer, redactText, secretPaths } };

const submission = {
  title: 'Search takes text into its query',
  category: 'sql_injection',
  severity: 'high',
  verification: 'verified',
  summary: 'The text of a search is put into the query as it is.',
  impact: 'Anyone who may search may read every table.',
  affected: { component: 'search', file: 'src/search.ts', route: '/search', origin: 'https://example.com' },
  evidence: [
    {
      kind: 'source',
      description: 'The query is put together here.',
      snippet: 'query',
      location: 'src/search.ts:7',
    },
  ],
  remediation: 'Bind the text as a parameter of the query.',
  verificationPlan: 'Search for a quote.',
  taxonomy: ['CWE-89'],
  reproduction: 'Search for a quote.',
  references: ['https://example.com/injection'],
  tags: ['database'],
};

type JsonPath = readonly (string | number)[];

function textPlaces(value: unknown, place: JsonPath = []): JsonPath[] {
  if (typeof value === 'string') return [place];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textPlaces(inner, [...place, name]));
}

function planted(value: unknown, [name, ...rest]: JsonPath, secret: string): unknown {
  if (name === undefined) return `${String(value)} ${secret}`;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[name] = planted(copy[name], rest, secret);
  return copy;
}

describe('planted secrets', () => {
  test.each(textPlaces(submission).map((place) => ({ name: place.join('.'), place })))(
    '[interface: rejection] in $name are redacted and counted, or the submission is rejected',
    ({ place }) => {
      for (const { text, secret } of secretSamples) {
        const { set, result } = submitFinding(noFindings, planted(submission, place, text), options);
        expect(JSON.stringify([set, result])).not.toContain(secret);
        expect(secretPaths([set, result])).toEqual([]);
        expect(result.accepted ? result.redactions : result.errors.length).toBeGreaterThan(0);
        expect(set.findings).toHaveLength(result.accepted ? 1 : 0);
      }
    },
  );

  test('[interface: rejection] in the name of a field are rejected and not repeated', () => {
    for (const { text, secret } of secretSamples) {
      const { set, result } = submitFinding(noFindings, { ...submission, [text]: 'x' }, options);
      expect(result.accepted).toBe(false);
      expect(JSON.stringify(result)).not.toContain(secret);
      expect(secretPaths(result)).toEqual([]);
      expect(set).toBe(noFindings);
    }
  });
});
