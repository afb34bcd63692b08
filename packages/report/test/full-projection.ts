/** A new projection with every field. */
import type { ReportProjection } from '@svc/contract';
import { summarize } from '../src/model/canonical.ts';
import { AT, findingOf } from './samples.ts';

type ProjectedFinding = NonNullable<ReportProjection['findings']>[number];

export function fullFinding(changes: Partial<ProjectedFinding> = {}): ProjectedFinding {
  return {
    ...findingOf(),
    affected: {
      component: 'orders api',
      file: 'src/orders/read.ts',
      lineStart: 40,
      lineEnd: 41,
      route: 'GET /orders/:id',
      origin: 'https://shop.example.test',
    },
    evidence: [
      {
        kind: 'source',
        description: 'The handler loads the order by id alone.',
        snippet: 'const id = request.params.id;\nconst order = await orders.get(id);\nreturn order;',
        location: 'src/orders/read.ts:39-41',
        redacted: true,
      },
    ],
    corroboration: [
      {
        kind: 'runtime',
        description: 'The order of another account was returned.',
        snippet: 'HTTP/1.1 200 OK',
        location: '/orders/2',
      },
    ],
    reproduction: 'Ask for the order of another account.',
    taxonomy: ['CWE-639'],
    tags: ['access'],
    references: ['https://example.test/advice', 'the runbook'],
    fingerprint: 'ab'.repeat(32),
    secretReferences: [
      { label: 'a key', kind: 'generic', fingerprint: 'hmac:12', location: 'config.yaml:3' },
    ],
    status: 'fixed_verified',
    fixedAt: AT,
    firstSeenAt: AT,
    fixHistory: [{ at: AT, action: 'applied', verified: true, changedFiles: ['src/a.ts'], note: 'Scoped.' }],
    ...changes,
  };
}

export function fullProjection(findings = [fullFinding()]): ReportProjection {
  return {
    id: `rep_${'0'.repeat(26)}`,
    schemaVersion: '1.0.0',
    projectedFor: { principalType: 'email', label: 'A reader' },
    generatedAt: AT,
    methodologyVersion: 'methods 1',
    project: {
      name: 'shop',
      repositoryUrl: 'https://git.example.test/shop',
      defaultBranch: 'trunk',
      languages: ['TypeScript'],
      fileCount: 41,
    },
    scan: {
      startedAt: AT,
      finishedAt: '2026-03-04T06:18:07.000Z',
      effortRequested: 'auto',
      effortResolved: 'high',
      commit: '0123456789abcdef',
      branch: 'feature',
      agent: { name: 'agent', version: '1.0.0', model: 'large' },
      host: { osFamily: 'linux', arch: 'x64', cliVersion: '1.2.3' },
      tools: [{ name: 'scanner', version: '3', findings: 4 }],
    },
    authorization: { basis: 'owner', scope: ['the repository'], grantedBy: 'Dana', expiresAt: AT },
    summary: summarize(findings),
    findings,
    coverage: ['All handlers were read.'],
    coverageAreas: [
      { id: 'auth', name: 'Authentication', status: 'partial', note: 'Not the second factor.' },
    ],
    limitations: ['Nothing was run.'],
    redactionNotice: 'Parts of this report are left out.',
  };
}
