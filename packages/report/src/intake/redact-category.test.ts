import { expect, test } from 'vitest';
import { log, result, run } from '../../test/sarif.ts';
import { redactCategory } from './redact-category.ts';
import { importSarif } from '../sarif/import.ts';

const CATEGORY = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;
const ruleId = ['npm_', 'abcdefghij'.repeat(3), 'abcdef'].join('');

test('[D24] a category that contains a secret becomes a valid one without it', () => {
  expect(redactCategory(ruleId)).toEqual({ text: 'redacted_npm_token', count: 1 });
  expect(redactCategory('sql_injection')).toEqual({ text: 'sql_injection', count: 0 });
});

test('[D24] a rule id in the format of a token does not make an imported finding invalid', () => {
  const { findings, redactions } = importSarif(log(run([result({ ruleId })])));
  expect(findings[0]?.category).toMatch(CATEGORY);
  expect(JSON.stringify(findings)).not.toContain(ruleId);
  expect(redactions).toBeGreaterThan(0);
});

test('[D24] a rule name with a token among its words gives a category without the token', () => {
  const rule = { id: 'B1', name: `Licence ${ruleId} of it` };
  const { findings } = importSarif(log(run([result({ ruleId: 'B1' })], [rule])));
  expect(findings[0]?.category).toBe('licence_redacted_npm_token_of_it');
});
