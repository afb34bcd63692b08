/** A projection with every field, and with findings of each severity. */
import { severities, type ProjectedFinding, type ReportProjection } from '@svc/contract';
import { summarize } from '../src/model/canonical.ts';
import { wholeProjection } from '../src/projection/projection.ts';
import { AT, findingOf, reportOf } from './samples.ts';

const first: ProjectedFinding = findingOf({
  affected: {
    component: 'orders api',
    file: 'src/orders/read.ts',
    lineStart: 40,
    lineEnd: 52,
    route: '/orders/{}',
    origin: 'https://shop.example',
  },
  evidence: [
    {
      kind: 'source',
      description: 'The handler loads the order by id alone:\n\n- no account\n- no role',
      snippet: "app.get('/orders/:id', (request) => {\n\treturn orders.get(request.params.id);\n});\n",
      location: 'src/orders/read.ts:40',
    },
    { kind: 'runtime', description: 'Order 17 of another customer was read.', redacted: true },
  ],
  corroboration: [{ kind: 'other', description: 'The same was seen a week before.', location: 'notes.md' }],
  reproduction:
    '1. Sign in as any customer.\n2. Ask for an order of another:\n\n   ```sh\n   curl "$HOST/orders/17"\n   ```',
  taxonomy: ['CWE-639', 'OWASP-A01:2021'],
  references: ['https://cwe.mitre.org/data/definitions/639.html', 'A book on the matter'],
  tags: ['orders', 'idor'],
  fingerprint: 'ab'.repeat(32),
  secretReferences: [
    { label: 'Key of the payment service', kind: 'api_key', fingerprint: '9f8e7d6c5b4a', location: '.env:3' },
  ],
  status: 'open',
  firstSeenAt: AT,
  fixedAt: AT,
  fixHistory: [
    {
      at: AT,
      action: 'applied',
      verified: false,
      changedFiles: ['src/orders/read.ts'],
      note: 'Checks the account.',
    },
    { at: AT, action: 'reverted', verified: false },
  ],
});

const findings = severities.map((severity, index) => ({
  ...(index === 1 ? first : findingOf({ verification: 'needs_review' })),
  id: `F-${index + 1}`,
  severity,
}));

const report = reportOf({
  findings,
  project: {
    name: 'shop',
    repositoryUrl: 'https://code.example/shop/shop.git',
    defaultBranch: 'main',
    languages: ['TypeScript', 'SQL'],
    fileCount: 412,
  },
  coverageAreas: [
    { id: 'auth', name: 'Authentication', status: 'covered', note: 'All handlers.' },
    { id: 'payments', name: 'Payments', status: 'partial', note: 'The provider was not at hand.' },
    { id: 'infra', name: 'Infrastructure', status: 'not_covered' },
  ],
  authorization: {
    basis: 'contract',
    scope: ['the repository', 'the test system'],
    grantedBy: 'A. Owner',
    expiresAt: AT,
  },
  summary: { ...summarize(findings), candidateCount: 12, duplicateCount: 3, fixedCount: 1 },
});

export const fullProjection: ReportProjection = {
  ...wholeProjection(
    {
      ...report,
      scan: {
        ...report.scan,
        commit: '0123456789abcdef0123456789abcdef01234567',
        branch: 'main',
        agent: { name: 'agent', version: '1.0.0', model: 'large' },
        tools: [{ name: 'semgrep', version: '1.2.3', findings: 4 }, { name: 'trivy' }],
      },
    },
    {
      reportId: 'rep_0123456789abcdefghjkmnpqrs',
      projectedFor: { principalType: 'email', label: 'A. Reader' },
    },
  ),
  redactionNotice: 'Parts of this report are left out.',
};
