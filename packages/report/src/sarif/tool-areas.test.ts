import { expect, test } from 'vitest';
import { log, result, run, type Part } from '../../test/sarif.ts';
import { importSarif } from './import.ts';

const code = result();
const advisory = result({ ruleId: 'CVE-2024-1234' }, 'package-lock.json');
const secret = result({ ruleId: 'hard-coded-password', message: { text: 'A password is in the code.' } });
const configuration = result({ ruleId: 'terraform-open-bucket' }, 'main.tf');

const areasOf = (name: string, results: readonly Part[]) =>
  importSarif(log({ ...run(results), tool: { driver: { name } } })).toolRuns.map(({ areas, whole }) => [
    areas.join(' '),
    whole.join(' '),
  ])[0];

test.each<[string, readonly Part[], string, string]>([
  ['CodeQL', [], 'static_analysis', 'static_analysis'],
  ['Semgrep OSS', [secret], 'static_analysis', 'static_analysis'],
  ['SnykCode', [], 'static_analysis', 'static_analysis'],
  ['Snyk Open Source', [], 'dependencies', 'dependencies'],
  ['Snyk IaC', [configuration], 'static_analysis', ''],
  ['Trivy', [], 'dependencies', 'dependencies'],
  ['Trivy', [advisory], 'dependencies', 'dependencies'],
  ['Trivy', [configuration], 'static_analysis', ''],
  ['Trivy', [configuration, advisory], 'static_analysis dependencies', 'dependencies'],
  ['Grype', [], 'dependencies', 'dependencies'],
  ['osv-scanner', [advisory], 'dependencies', 'dependencies'],
  ['Gitleaks', [], 'secrets', 'secrets'],
  ['TruffleHog', [], 'secrets', 'secrets'],
  ['Checkov', [configuration], 'static_analysis', ''],
  ['KICS', [configuration], 'static_analysis', ''],
  ['ESLint', [], 'static_analysis', ''],
  ['Bandit', [], 'static_analysis', ''],
  ['Flawfinder', [], 'static_analysis', ''],
  ['Unknown', [], 'static_analysis', ''],
  ['Unknown', [code], 'static_analysis', ''],
  ['Unknown', [advisory], 'dependencies', ''],
  ['Unknown', [advisory, code], 'static_analysis dependencies', ''],
  ['secret hunter', [secret], 'secrets', ''],
])('%s with the results %j scans %s', (name, results, areas, whole) => {
  expect(areasOf(name, results)).toEqual([areas, whole]);
});
