/**
 * A report without everything that a share's policy hides. It is prepared and stored, so that a read handles only
 * what it shows. Under the same policy, `projectReport` returns the same projection for it as for the whole report.
 *
 * Ids, texts and fingerprints stay as uploaded: they are rewritten for each viewer when the report is read.
 */
import type { Finding, SharePolicy } from '@svc/contract';
import type { CanonicalReport } from '../model/canonical.ts';
import { projectedFinding, type FindingFilter } from './projected-finding.ts';
import {
  projectedAreas,
  projectedAuthorization,
  projectedProject,
  projectedScan,
  projectedSummary,
} from './projected-sections.ts';
import { fieldsOf, findingsOf, narrows, sectionsOf } from './share-policy.ts';

const NO_AGENT = { name: '', version: '' };
const NO_HOST = { osFamily: '', arch: '', cliVersion: '' };
const NO_SCAN = { startedAt: '', finishedAt: '', effortRequested: 'auto', effortResolved: 'high' } as const;
const NO_AUTHORIZATION: CanonicalReport['authorization'] = { basis: 'owner', scope: [] };
const unchanged = (text: string) => text;

export function filteredReport(report: CanonicalReport, policy: SharePolicy): CanonicalReport {
  const sections = sectionsOf(policy);
  const anonymize = policy.anonymize === true;
  const shown = {
    narrowed: narrows(policy),
    fields: fieldsOf(policy),
    anonymize,
    tools: sections.has('metadata'),
    rewrite: unchanged,
    pseudonymOf: unchanged,
  };
  const letThrough = report.findings.filter(findingsOf(policy));
  const hasMetadata = sections.has('metadata');
  const hasCoverage = sections.has('coverage');
  const counted = sections.has('summary') ? letThrough : [];
  return {
    schemaVersion: report.schemaVersion,
    localReportId: '',
    generatedAt: hasMetadata ? report.generatedAt : '',
    methodologyVersion: hasMetadata ? report.methodologyVersion : '',
    project: filteredProject(report.project, { isShown: hasMetadata && !anonymize, anonymize }),
    scan: hasMetadata ? filteredScan(report.scan, shown) : { ...NO_SCAN, agent: NO_AGENT, host: NO_HOST },
    authorization:
      sections.has('authorization') && !anonymize
        ? projectedAuthorization(report.authorization, shown)
        : NO_AUTHORIZATION,
    summary: projectedSummary(report, counted, {
      ...shown,
      narrowed: shown.narrowed || !sections.has('summary'),
    }),
    findings: sections.has('findings')
      ? letThrough.map((finding) => filteredFinding(finding, shown))
      : counted.map(countedFinding),
    coverage: hasCoverage ? report.coverage : [],
    coverageAreas: hasCoverage ? projectedAreas(report.coverageAreas, shown) : [],
    limitations: sections.has('limitations') ? report.limitations : [],
  };
}

/** Whether a share lists the finding. A share shows no decision about a finding that it does not list. */
export function listedUnder(policy: SharePolicy): (finding: Pick<Finding, 'id' | 'severity'>) => boolean {
  return sectionsOf(policy).has('findings') ? findingsOf(policy) : () => false;
}

/** An anonymized share does not show the project, but needs the project's names to redact them. */
function filteredProject(
  project: CanonicalReport['project'],
  { isShown, anonymize }: { readonly isShown: boolean; readonly anonymize: boolean },
): CanonicalReport['project'] {
  if (isShown) return projectedProject(project, { narrowed: false, anonymize, rewrite: unchanged });
  if (!anonymize) return { name: '' };
  const { name, repositoryUrl } = project;
  return repositoryUrl === undefined ? { name } : { name, repositoryUrl };
}

function filteredScan(
  scan: CanonicalReport['scan'],
  shown: Parameters<typeof projectedScan>[1],
): CanonicalReport['scan'] {
  const { agent = NO_AGENT, host = NO_HOST, ...rest } = projectedScan(scan, shown);
  return { ...rest, agent, host };
}

function filteredFinding(finding: Finding, shown: FindingFilter): Finding {
  const filtered = projectedFinding(finding, finding.id, shown);
  const { origin } = finding.affected;
  // An anonymized share does not show the origin, but needs it to redact the host wherever a text mentions it.
  return origin === undefined ? filtered : { ...filtered, affected: { ...filtered.affected, origin } };
}

/** The parts that a summary needs of a finding that is not listed. */
function countedFinding({ id, severity, verification }: Finding): Finding {
  return {
    id,
    title: '',
    category: '',
    severity,
    verification,
    summary: '',
    impact: '',
    affected: { component: '' },
    evidence: [],
    remediation: '',
    verificationPlan: '',
  };
}
