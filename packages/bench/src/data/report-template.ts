/** Reports of any size, as scans create them. Each is a copy of a template with its own local id. */
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
  /** A report with this id, which must be as long as the ids of `newLocalId`; by default with a new id. */
  prepare(localReportId?: string): PreparedReport;
}

type Findings = CanonicalReport['findings'];

/** The maximum size of a finding: sentences in each text, pieces of evidence, and lines of code in each piece. */
interface Length {
  readonly sentences: number;
  readonly evidence: number;
  readonly codeLines: number;
}

const FULL: Length = { sentences: 4, evidence: 3, codeLines: 40 };
const SHORT: Length = { sentences: 1, evidence: 1, codeLines: 1 };

/** A report with as many findings as fit into this many bytes. */
export function reportTemplate(sizeBytesMax: number): ReportTemplate {
  const draw = createDraw(sizeBytesMax);
  const findings: Findings = [];
  // Leaves 100 bytes for the counts of the summary, which have more digits in a large report.
  let leftBytes = sizeBytesMax - bytesOf([], newLocalId()).length - 100;
  for (;;) {
    const finding = makeFinding(draw, findings.length + 1, FULL);
    leftBytes -= Buffer.byteLength(JSON.stringify(finding)) + 1;
    if (leftBytes < 0) break;
    findings.push(finding);
  }
  return templateOf(findings);
}

/** A report with this many findings, each so short that the service accepts a report with ten thousand of them. */
export function reportTemplateOf(findingCount: number): ReportTemplate {
  const draw = createDraw(findingCount);
  return templateOf(Array.from({ length: findingCount }, (_, index) => makeFinding(draw, index + 1, SHORT)));
}

function bytesOf(findings: Findings, localReportId: string): Buffer {
  return Buffer.from(JSON.stringify(reportBody({ localReportId, findings, summary: summarize(findings) })));
}

function templateOf(findings: Findings): ReportTemplate {
  const placeholder = newLocalId();
  const template = bytesOf(findings, placeholder);
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

function makeFinding(draw: Draw, number: number, most: Length): Findings[number] {
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
    summary: paragraph(draw, draw.between(1, most.sentences)),
    impact: paragraph(draw, draw.between(1, Math.min(3, most.sentences))),
    affected: {
      component: `service ${draw.between(1, 40)}`,
      file: `src/module-${draw.between(1, 200)}/handler-${number}.ts`,
      lineStart: line,
      lineEnd: line + draw.between(0, 60),
    },
    evidence: Array.from({ length: draw.between(1, most.evidence) }, () => ({
      kind: draw.of(['source', 'runtime', 'configuration']),
      description: paragraph(draw, draw.between(1, Math.min(2, most.sentences))),
      snippet: snippet(draw, draw.between(Math.min(3, most.codeLines), most.codeLines)),
      location: `src/module-${draw.between(1, 200)}/handler.ts:${draw.between(1, 3000)}`,
    })),
    remediation: paragraph(draw, draw.between(1, most.sentences)),
    verificationPlan: paragraph(draw, Math.min(2, most.sentences)),
    taxonomy: [`CWE-${draw.between(20, 1300)}`],
    references: [`https://cwe.mitre.org/data/definitions/${draw.between(20, 1300)}.html`],
    tags: [draw.of(['auth', 'input', 'crypto', 'config'])],
    fingerprint: createHash('sha256').update(`finding ${number}`).digest('hex'),
    status: draw.of(['open', 'open', 'open', 'fix_suggested', 'accepted_risk']),
  };
}
