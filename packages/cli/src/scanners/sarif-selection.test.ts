import { expect, test } from 'vitest';
import { securityResultsOnly } from './sarif-selection.ts';

test('a log that is nested too deeply is still reduced to its security results', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const results = `[{"ruleId":"security/a","properties":${deep}},{"ruleId":"style/b"}]`;
  const log = `{"version":"2.1.0","runs":[{"tool":{},"results":${results}}]}`;
  const isSecurity = (ruleId: string) => ruleId.startsWith('security/');
  const selected = JSON.parse(String(securityResultsOnly(Buffer.from(log), isSecurity))) as {
    runs: { results: { ruleId: string }[] }[];
  };
  expect(selected.runs[0]?.results.map(({ ruleId }) => ruleId)).toEqual(['security/a']);
});
