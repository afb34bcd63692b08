/** Local reports for tests: a folder, a plain report, plain submissions. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FindingSubmission } from '@svc/contract';
import type { NewReport } from '../src/store/reports.ts';

export const AT = '2026-03-04T05:06:07.000Z';

export class TemporaryFolder implements Disposable {
  readonly path = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'svc-cli-')));
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export function newReport(changes: Partial<NewReport> = {}): NewReport {
  return {
    localReportId: 'local-report-1',
    repositoryRoot: '/home/someone/shop',
    createdAt: AT,
    projectName: 'shop',
    effortRequested: 'auto',
    effortResolved: 'high',
    agent: { name: 'agent', version: '1.0.0' },
    host: { osFamily: 'linux', arch: 'x64', cliVersion: '0.1.0' },
    authorization: { basis: 'owner', scope: ['Everything in the repository.'] },
    isSyncWanted: true,
    scan: { startedAt: AT, tools: [] },
    ...changes,
  };
}

/** Submissions with different names are different findings; different evidence does not make another finding. */
export function submission(name: string, changes: Partial<FindingSubmission> = {}): FindingSubmission {
  return {
    title: `Search takes text into its query (${name})`,
    category: 'sql_injection',
    severity: 'high',
    verification: 'verified',
    summary: 'The text of a search is put into the query as it is.',
    impact: 'Anyone who may search may read every table.',
    affected: { component: `search ${name}`, file: `src/${name}.ts`, lineStart: 7 },
    evidence: [{ kind: 'source', description: `The query is put together here: ${name}.` }],
    remediation: 'Bind the text as a parameter of the query.',
    verificationPlan: 'Search for a quote.',
    ...changes,
  };
}
