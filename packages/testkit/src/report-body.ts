/** Report bodies for tests: valid, of any size, with any changes. */
import { createHash } from 'node:crypto';
import { severities, verifications } from '@svc/contract';

const AT = '2026-03-04T05:06:07.000Z';

export function findingBody(number: number): Record<string, unknown> {
  return {
    id: `F-${number}`,
    title: 'Order lookup trusts the id it is given',
    category: 'broken_access_control',
    severity: 'high',
    verification: 'verified',
    summary: 'Any signed-in customer reads the orders of every other customer.',
    impact: 'Names, addresses and order histories of all customers are disclosed.',
    affected: { component: 'orders api', file: `src/orders/read-${number}.ts`, lineStart: 40, lineEnd: 52 },
    evidence: [
      { kind: 'source', description: 'The handler loads the order by id alone.', snippet: 'orders.get(id)' },
    ],
    remediation: 'Load the order by id and by the account of the session.',
    verificationPlan: 'Ask for an order of another account and expect 404.',
    references: ['https://cwe.mitre.org/data/definitions/639.html'],
    status: 'open',
  };
}

export interface ReportChanges {
  readonly localReportId: string;
  readonly findings?: readonly Record<string, unknown>[];
  /** Other fields of the report. */
  readonly [field: string]: unknown;
}

/** A report whose summary counts its findings. */
export function reportBody({
  findings = [findingBody(1)],
  ...changes
}: ReportChanges): Record<string, unknown> {
  // Some tests pass a value that is not a list.
  const each = Array.from(findings);
  const counted = (field: string, words: readonly string[]) =>
    Object.fromEntries(words.map((word) => [word, each.filter((finding) => finding[field] === word).length]));
  return {
    schemaVersion: '1.0.0',
    generatedAt: AT,
    methodologyVersion: '1',
    project: { name: 'shop' },
    scan: {
      startedAt: AT,
      finishedAt: AT,
      effortRequested: 'auto',
      effortResolved: 'high',
      agent: { name: 'agent', version: '1.0.0' },
      host: { osFamily: 'linux', arch: 'x64', cliVersion: '1.0.0' },
      ...toolsNamedBy(each),
    },
    authorization: { basis: 'owner', scope: ['everything in the repository'] },
    summary: {
      findingCount: findings.length,
      severityCounts: counted('severity', severities),
      verificationCounts: counted('verification', verifications),
    },
    findings,
    coverage: ['All handlers were read.'],
    coverageAreas: [{ id: 'auth', name: 'Authentication', status: 'covered' }],
    limitations: ['Nothing was run.'],
    ...changes,
  };
}

/** The tools that the tags of findings name. */
function toolsNamedBy(findings: readonly Record<string, unknown>[]) {
  const lists = findings.map((finding) => finding['tags']);
  const tags = lists.filter((list) => Array.isArray(list)).flat() as unknown[];
  const names = tags.flatMap((tag) =>
    typeof tag === 'string' && tag.startsWith('tool:') ? tag.slice(5) : [],
  );
  return names.length === 0 ? {} : { tools: [...new Set(names)].map((name) => ({ name })) };
}

export function reportBytes(changes: ReportChanges): Uint8Array<ArrayBuffer> {
  return bytesOf(JSON.stringify(reportBody(changes)));
}

/** A report of about, and at most, this many bytes. */
export function reportBytesOfSize(localReportId: string, sizeBytes: number): Uint8Array<ArrayBuffer> {
  const empty = reportBytes({ localReportId, findings: [] }).length;
  const snippet = 'const order = await orders.get(id);\n'.repeat(60);
  const each = JSON.stringify(fat(1_000_000, snippet)).length + 1;
  const findings = Array.from(
    { length: Math.max(0, Math.floor((sizeBytes - empty - 100) / each)) },
    (_, index) => fat(index + 1, snippet),
  );
  return reportBytes({ localReportId, findings });
}

function fat(number: number, snippet: string): Record<string, unknown> {
  const evidence = [{ kind: 'source', description: 'The handler loads the order by id alone.', snippet }];
  return { ...findingBody(number), evidence };
}

/** The upload intent for some bytes. */
export function declarationOf(bytes: Uint8Array): { sha256: string; byteLength: number } {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), byteLength: bytes.length };
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}
