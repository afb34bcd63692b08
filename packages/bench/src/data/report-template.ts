/** Reports of any size, as scans make them; a finished one is a copy of a template with the local id that it is for. */
import { createHash } from 'node:crypto';
import { newLocalId, reportBody } from '@svc/testkit';
import { summarize, type CanonicalReport } from '@svc/report';
import { paragraph, sentence, snippet } from './prose.ts';
import { createDraw, type Draw } from './random.ts';

export interface PreparedReport {
  readonly localReportId: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

export interface ReportTemplate {
  readonly sizeBytes: number;
  /** A report for an id of the length of `newLocalId`; a new id unless one is given. */
  prepare(localReportId?: string): PreparedReport;
}

type Findings = CanonicalReport['findings'];

/** Of as many findings as fit into so many bytes. */
export function reportTemplate(sizeBytesMax: number): ReportTemplate {
  const draw = createDraw(sizeBytesMax);
  const placeholder = newLocalId();
  const bytesOf = (findings: Findings) =>
    Buffer.from(
      JSON.stringify(reportBody({ localReportId: placeholder, findings, summary: summarize(findings) })),
    );
  const findings: Findings = [];
  // The counts of the summary grow by some digits.
  let leftBytes = sizeBytesMax - bytesOf([]).length - 100;
  for (;;) {
    const finding = makeFinding(draw, findings.length + 1);
    leftBytes -= Buffer.byteLength(JSON.stringify(finding)) + 1;
    if (leftBytes < 0) break;
    findings.push(finding);
  }
  const template = bytesOf(findings);
  const idAt = template.indexOf(placeholder);
  return {
    sizeBytes: template.length,
    prepare(localReportId = newLocalId()) {
      const bytes = Buffer.from(template);
      bytes.write(localReportId, idAt, 'latin1');
      return { localReportId, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
  };
}

function makeFinding(draw: Draw, number: number): Findings[number] {
  const line = draw.between(1, 3000);
  return {
    id: `F-${number}`,
    title: sentence(draw).slice(0, 200),
    category: draw.of([
      'broken_access_control',
      'sql_injection',
      'hardcoded_secret',
      'path_traversal',
      'ssrf',
    ]),
    severity: draw.of(['critical', 'high', 'medium', 'low', 'info']),
    verification: draw.of(['verified', 'strong_evidence', 'needs_review']),
    summary: paragraph(draw, draw.between(1, 4)),
    impact: paragraph(draw, draw.between(1, 3)),
    affected: {
      component: `service ${draw.between(1, 40)}`,
      file: `src/module-${draw.between(1, 200)}/handler-${number}.ts`,
      lineStart: line,
      lineEnd: line + draw.between(0, 60),
    },
    evidence: Array.from({ length: draw.between(1, 3) }, () => ({
      kind: draw.of(['source', 'runtime', 'configuration']),
      description: paragraph(draw, draw.between(1, 2)),
      snippet: snippet(draw, draw.between(3, 40)),
      location: `src/module-${draw.between(1, 200)}/handler.ts:${draw.between(1, 3000)}`,
    })),
    remediation: paragraph(draw, draw.between(1, 4)),
    verificationPlan: paragraph(draw, 2),
    taxonomy: [`CWE-${draw.between(20, 1300)}`],
    references: [`https://cwe.mitre.org/data/definitions/${draw.between(20, 1300)}.html`],
    tags: [draw.of(['auth', 'input', 'crypto', 'config'])],
    fingerprint: createHash('sha256').update(`finding ${number}`).digest('hex'),
    status: draw.of(['open', 'open', 'open', 'fix_suggested', 'accepted_risk']),
  };
}
