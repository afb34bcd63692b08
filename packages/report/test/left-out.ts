/** Decides what a policy hides, independently of the code under test, and replaces it with parts of other reports. */
import {
  severities,
  type Finding,
  type FindingEvidence,
  type SectionId,
  type Severity,
  type SharePolicy,
} from '@svc/contract';
import { defined, type Frame } from './report-blueprint.ts';

export interface Shows {
  section(id: SectionId): boolean;
  finding(id: string, severity: Severity): boolean;
  readonly evidence: boolean;
  readonly code: boolean;
  readonly reproduction: boolean;
  readonly remediation: boolean;
  readonly metadata: boolean;
  readonly anonymize: boolean;
  readonly narrows: boolean;
}

export function shownUnder({ sections, findings, fields, anonymize }: SharePolicy): Shows {
  const isIn = (selection: { ids?: string[]; mode?: string } | undefined, id: string) => {
    const isListed = selection?.ids?.includes(id) === true;
    if (selection?.mode === 'allow_all') return true;
    return selection?.mode === 'deny_listed' ? !isListed : isListed;
  };
  const tooSevere = findings?.maxSeverity
    ? severities.slice(0, severities.indexOf(findings.maxSeverity))
    : [];
  const tooMild = findings?.minSeverity ? severities.slice(severities.indexOf(findings.minSeverity) + 1) : [];
  return {
    section: (id) => isIn(sections, id),
    finding: (id, severity) => ![...tooSevere, ...tooMild].includes(severity) && isIn(findings, id),
    evidence: Boolean(fields?.evidence),
    code: Boolean(fields?.code),
    reproduction: Boolean(fields?.reproduction),
    remediation: Boolean(fields?.remediation),
    metadata: Boolean(fields?.metadata),
    anonymize: Boolean(anonymize),
    narrows: !(findings?.mode === 'allow_all' && !findings.maxSeverity && !findings.minSeverity),
  };
}

/** A finding whose hidden parts are those of another finding. */
export function findingWithHidden(kept: Finding, hidden: Finding, shows: Shows): Finding {
  const from = (isShown: boolean) => (isShown ? kept : hidden);
  const evidenceFrom = from(shows.evidence);
  const metadata = from(shows.metadata);
  const secrets = from(shows.metadata && !shows.anonymize);
  const location = from(shows.code).affected;
  return defined<Finding>({
    ...kept,
    affected: defined<Finding['affected']>({
      component: kept.affected.component,
      file: location.file,
      lineStart: location.lineStart,
      lineEnd: location.lineEnd,
      route: kept.affected.route,
      origin: from(!shows.anonymize).affected.origin,
    }),
    evidence: evidenceFrom.evidence.map((item) => evidenceWithHidden(item, hidden.evidence[0], shows)),
    corroboration: evidenceFrom.corroboration?.map((item) =>
      evidenceWithHidden(item, hidden.evidence[0], shows),
    ),
    reproduction: from(shows.reproduction).reproduction,
    remediation: from(shows.remediation).remediation,
    verificationPlan: from(shows.remediation).verificationPlan,
    taxonomy: metadata.taxonomy,
    tags: metadata.tags && tagsWithHidden(metadata.tags, hidden.tags, shows),
    references: metadata.references,
    fixedAt: metadata.fixedAt,
    firstSeenAt: metadata.firstSeenAt,
    fixHistory: metadata.fixHistory?.map((entry) =>
      defined({
        ...entry,
        changedFiles: shows.code ? entry.changedFiles : hidden.fixHistory?.[0]?.changedFiles,
      }),
    ),
    fingerprint: secrets.fingerprint,
    secretReferences: secrets.secretReferences?.map((secret) =>
      defined({ ...secret, location: shows.code ? secret.location : hidden.secretReferences?.[0]?.location }),
    ),
  });
}

/** The tags of a finding, with hidden reserved tags replaced by those of another finding. */
function tagsWithHidden(kept: readonly string[], hidden: readonly string[] = [], shows: Shows) {
  if (!shows.metadata) return [...kept];
  const isHidden = (tag: string) =>
    tag.startsWith('identity:') ||
    ((shows.anonymize || !shows.section('metadata')) && /^(?:tool|rule|area):|^weak-identity$/.test(tag));
  return [...hidden.filter(isHidden), ...kept.filter((tag) => !isHidden(tag))];
}

function evidenceWithHidden(kept: FindingEvidence, hidden: FindingEvidence | undefined, { code }: Shows) {
  const { snippet, location } = code ? kept : (hidden ?? {});
  return defined<FindingEvidence>({ ...kept, snippet, location });
}

/** A report without findings, whose hidden parts are those of another report. */
export function frameWithHidden(kept: Frame, hidden: Frame, shows: Shows): Frame {
  const from = (isShown: boolean) => (isShown ? kept : hidden);
  const metadata = from(shows.section('metadata'));
  const coverage = from(shows.section('coverage'));
  const { agent, host, commit, branch } = from(shows.section('metadata') && !shows.anonymize).scan;
  return {
    schemaVersion: '1.0.0',
    localReportId: hidden.localReportId,
    generatedAt: metadata.generatedAt,
    methodologyVersion: metadata.methodologyVersion,
    project: from(shows.section('metadata') && !shows.anonymize).project,
    scan: defined<Frame['scan']>({
      ...metadata.scan,
      agent,
      host,
      commit,
      branch,
      tools: metadata.scan.tools?.map((tool) =>
        defined({ ...tool, findings: shows.narrows ? hidden.scan.tools?.[0]?.findings : tool.findings }),
      ),
    }),
    authorization: from(shows.section('authorization') && !shows.anonymize).authorization,
    coverage: coverage.coverage,
    coverageAreas: coverage.coverageAreas,
    limitations: from(shows.section('limitations')).limitations,
    ...defined({ redactionNotice: hidden.redactionNotice }),
    counts: from(shows.section('summary') && !shows.narrows).counts,
  };
}
