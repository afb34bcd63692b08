import { verifications } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingOf, reportOf } from '../../test/samples.ts';
import {
  findingTextsOf,
  packedTexts,
  reportTextsOf,
  searchTermsOf,
  searchTextOf,
  unpackedTexts,
} from './finding-texts.ts';

const [text] = findingTextsOf([
  findingOf({
    title: 'SQL injection in the Straße lookup',
    category: 'sql_injection',
    affected: { component: 'orders', file: 'src/Orders/read.ts', lineStart: 12 },
    tags: ['tool:Semgrep', 'rule:js.sqli'],
  }),
]);
if (text === undefined) throw new TypeError('One finding has one text.');
const isFound = (search: string) => searchTermsOf(search).every((term) => searchTextOf(text).includes(term));

const anyFinding = fc
  .record({
    title: fc.string({ unit: 'grapheme' }),
    component: fc.string(),
    file: fc.option(fc.string(), { nil: undefined }),
    lineStart: fc.option(fc.nat(), { nil: undefined }),
    verification: fc.constantFrom(...verifications),
    tags: fc.option(fc.array(fc.constantFrom('rule:a', 'rule:', 'sql')), { nil: undefined }),
  })
  .map(({ component, file, lineStart, tags, ...rest }) =>
    findingOf({
      ...rest,
      affected: {
        component,
        ...(file === undefined ? {} : { file }),
        ...(lineStart === undefined ? {} : { lineStart: lineStart + 1 }),
      },
      ...(tags === undefined ? {} : { tags }),
    }),
  );

describe('[D21] the text of a finding in a list', () => {
  test('has its location, its rule and nothing of its prose', () => {
    expect(text).toStrictEqual({
      id: text.id,
      title: 'SQL injection in the Straße lookup',
      category: 'sql_injection',
      verification: text.verification,
      component: 'orders',
      file: 'src/Orders/read.ts',
      lineStart: 12,
      rule: 'js.sqli',
    });
  });

  test.each(['sql', 'STRASSE', 'straße', 'orders/READ', 'js.sqli', 'sql_injection', 'lookup read.ts', ''])(
    'is found by %j',
    (search) => {
      expect(isFound(search)).toBe(true);
    },
  );

  test.each(['semgrep', 'sql xss', 'lookup\u00a0xss'])('is not found by %j', (search) => {
    expect(isFound(search)).toBe(false);
  });

  test('is found by every part of its searched text that has no white space', () => {
    const parts = searchTextOf(text).split(/\s+/u);
    fc.assert(
      fc.property(fc.constantFrom(...parts), fc.nat(), fc.nat(), (part, from, to) => {
        expect(isFound(part.slice(from % part.length, (to % part.length) + 1))).toBe(true);
      }),
    );
  });

  test('is the same after packing and unpacking', () => {
    const names = fc.array(fc.string());
    fc.assert(
      fc.property(fc.array(anyFinding), names, names, (findings, tools, missingTools) => {
        const texts = { findings: findingTextsOf(findings), tools, missingTools };
        expect(unpackedTexts(packedTexts(texts))).toStrictEqual(texts);
      }),
    );
  });

  test('has the name of each tool and of the agent once', () => {
    const { scan, coverageAreas } = reportOf();
    const tools = ['Semgrep', 'semgrep', 'trivy'].map((name) => ({ name }));
    const named = reportTextsOf({ scan: { ...scan, tools }, findings: [], coverageAreas });
    expect(named.tools).toEqual(['Semgrep', 'trivy', scan.agent.name]);
    expect(reportTextsOf({ scan, findings: [], coverageAreas }).tools).toEqual([scan.agent.name]);
  });

  test('has the names of tools that did not cover their area, and of no subject or partial scan', () => {
    const { scan } = reportOf();
    const coverageAreas = [
      { id: 'secrets', status: 'not_covered' as const },
      { id: 'tool:Semgrep', status: 'partial' as const },
      { id: 'tool:trivy', status: 'covered' as const },
      { id: 'tool:Bandit', status: 'not_covered' as const },
    ];
    expect(reportTextsOf({ scan, findings: [], coverageAreas }).missingTools).toEqual(['Bandit']);
  });

  test.each(['[2,[],[],[]]', '[1,[["F-1","t","c",9,"x",0,0,0]],[],[]]'])('is not read from %s', (json) => {
    expect(() => unpackedTexts(json)).toThrow(TypeError);
  });
});
