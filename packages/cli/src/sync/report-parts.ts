/**
 * A local report in the structure of the canonical one, so that a place in one can be found in the other, and vice versa.
 */
import type { CanonicalReport } from '@svc/report';
import type { LocalReport, ReportDetails } from '../store/local-report.ts';
import { definedOnly } from '@svc/report/making/texts';

type Scan = CanonicalReport['scan'];

export interface ReportParts {
  readonly findings: CanonicalReport['findings'];
  readonly coverage: string[];
  readonly coverageAreas: CanonicalReport['coverageAreas'];
  readonly limitations: string[];
  readonly authorization: CanonicalReport['authorization'];
  readonly project: { name: string; repositoryUrl?: string; defaultBranch?: string; languages?: string[] };
  readonly scan: Pick<Scan, 'agent' | 'host' | 'commit' | 'branch'> & { tools: NonNullable<Scan['tools']> };
}

/** A copy, which may be changed. */
export function partsOf(local: LocalReport, findings: CanonicalReport['findings']): ReportParts {
  const { scan, authorization, agent, host, coverage, coverageAreas, limitations } = local;
  const { repositoryUrl, defaultBranch, languages, commit, branch, tools } = scan;
  return structuredClone({
    findings,
    coverage: [...coverage],
    coverageAreas: [...coverageAreas],
    limitations: [...limitations],
    authorization,
    project: {
      name: local.projectName,
      ...(repositoryUrl !== undefined && { repositoryUrl }),
      ...(defaultBranch !== undefined && { defaultBranch }),
      ...(languages && { languages: [...languages] }),
    },
    scan: {
      agent,
      host,
      tools: [...tools],
      ...(commit !== undefined && { commit }),
      ...(branch !== undefined && { branch }),
    },
  });
}

export function restored(
  { findings, coverage, coverageAreas, limitations, authorization, project, scan }: ReportParts,
  local: LocalReport,
): { readonly findings: CanonicalReport['findings']; readonly details: Partial<ReportDetails> } {
  const { name, ...ofProject } = project;
  const { agent, host, ...ofScan } = scan;
  return {
    findings,
    details: {
      coverage,
      coverageAreas,
      limitations,
      authorization,
      agent,
      host,
      projectName: name,
      scan: definedOnly({ ...local.scan, ...ofProject, ...ofScan, commit: scan.commit }),
    },
  };
}
