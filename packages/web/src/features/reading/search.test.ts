import type { ProjectedFinding } from '@svc/contract';
import { expect, test } from 'vitest';
import { entriesOf } from './entries.ts';
import { matchesAll, termsOf } from './search.ts';

const finding: ProjectedFinding = {
  id: 'F-12',
  title: 'Order lookup trusts the id',
  category: 'broken_access_control',
  severity: 'high',
  verification: 'strong_evidence',
  summary: 'Any customer reads https://shop.example/orders of others.',
  impact: 'Names are disclosed.',
  affected: { component: 'Orders API', file: 'src/orders/Read.ts', lineStart: 4, lineEnd: 9 },
  evidence: [{ kind: 'source', description: 'By id alone.', snippet: 'orders.get(ID)' }],
  remediation: 'Check the owner.',
  verificationPlan: 'Ask for another.',
  tags: ['auth', 'tool:Semgrep OSS', 'rule:python.no-eval'],
  taxonomy: ['CWE-639'],
};
const [entry] = entriesOf([finding]);

test.each([
  ['', true],
  ['   ', true],
  ['lookup ORDER', true],
  ['"order lookup"', true],
  ['"lookup order"', false],
  ['"by id alone', true],
  ['orders.get(id)', true],
  ['lookup nothing', false],
  ['-nothing', true],
  ['-lookup', false],
  ['severity:high', true],
  ['severity:HIGH,low', true],
  ['severity:low', false],
  ['-severity:low', true],
  ['verification:strong_evidence', true],
  ['verification:"strong evidence"', true],
  ['status:open', true],
  ['status:fix_applied', false],
  ['category:access', true],
  ['-category:access', false],
  ['component:"orders api"', true],
  ['folder:src/orders', true],
  ['path:src/', true],
  ['path:read.ts:4-9', true],
  ['path:lib/', false],
  ['tool:semgrep', true],
  ['tool:"semgrep oss"', true],
  ['tool:codeql', false],
  ['-tool:semgrep', false],
  ['rule:no-eval', true],
  ['rule:python.no-eval', true],
  ['no-eval', true],
  ['rule:other', false],
  ['id:f-12', true],
  ['id:f-1', false],
  ['tag:cwe-639', true],
  ['tag:cwe', false],
  ['https://shop.example', true],
  ['constructor:x', false],
  // While the user has not typed the value yet, a known qualifier matches everything.
  ['severity:', true],
  ['-', true],
  ['x:', false],
])('%j finds the finding: %s', (query, isFound) => {
  expect(matchesAll(entry!, termsOf(query))).toBe(isFound);
});
