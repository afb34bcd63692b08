/** The sections of a report other than its findings as a share shows them, built field by field in a fixed order. */
import type { ReportProjection } from '@svc/contract';
import { summarize, type CanonicalReport } from '../model/canonical.ts';
import type { Rewrite } from './projected-text.ts';

export interface SectionFilter {
  /**
   * Whether the policy could leave findings out. Then counts of the whole scan are omitted: they would reveal how many
   * are hidden.
   */
  readonly narrowed: boolean;
  readonly anonymize: boolean;
  readonly rewrite: Rewrite;
}

type Section<Name extends keyof ReportProjection> = NonNullable<ReportProjection[Name]>;

export function projectedProject(project: CanonicalReport['project'], { rewrite }: SectionFilter) {
  const projected: Section<'project'> = { name: rewrite(project.name) };
  const { repositoryUrl, defaultBranch, languages, fileCount } = project;
  if (repositoryUrl !== undefined) projected.repositoryUrl = rewrite(repositoryUrl);
  if (defaultBranch !== undefined) projected.defaultBranch = rewrite(defaultBranch);
  if (languages) projected.languages = languages.map(rewrite);
  if (fileCount !== undefined) projected.fileCount = fileCount;
  return projected;
}

export function projectedScan(scan: CanonicalReport['scan'], shown: SectionFilter) {
  const { narrowed, anonymize, rewrite } = shown;
  const { startedAt, finishedAt, effortRequested, effortResolved, commit, branch, agent, host, tools } = scan;
  const projected: Section<'scan'> = { startedAt, finishedAt, effortRequested, effortResolved };
  if (!anonymize) {
    if (commit !== undefined) projected.commit = commit;
    if (branch !== undefined) projected.branch = rewrite(branch);
    projected.agent = projectedAgent(agent, rewrite);
    const { osFamily, arch, cliVersion } = host;
    projected.host = { osFamily: rewrite(osFamily), arch: rewrite(arch), cliVersion: rewrite(cliVersion) };
  }
  if (tools) {
    projected.tools = tools.map(({ name, version, findings }) => {
      const tool: NonNullable<Section<'scan'>['tools']>[number] = { name: rewrite(name) };
      if (version !== undefined) tool.version = rewrite(version);
      if (!narrowed && findings !== undefined) tool.findings = findings;
      return tool;
    });
  }
  return projected;
}

function projectedAgent({ name, version, model }: CanonicalReport['scan']['agent'], rewrite: Rewrite) {
  const projected: NonNullable<Section<'scan'>['agent']> = { name: rewrite(name), version: rewrite(version) };
  if (model !== undefined) projected.model = rewrite(model);
  return projected;
}

export function projectedAuthorization(
  { basis, scope, grantedBy, expiresAt }: CanonicalReport['authorization'],
  { rewrite }: SectionFilter,
) {
  const projected: Section<'authorization'> = { basis, scope: scope.map(rewrite) };
  if (grantedBy !== undefined) projected.grantedBy = rewrite(grantedBy);
  if (expiresAt !== undefined) projected.expiresAt = expiresAt;
  return projected;
}

/** @param findings the findings that the policy allows, whether or not they are listed. */
export function projectedSummary(
  { summary }: CanonicalReport,
  findings: CanonicalReport['findings'],
  { narrowed }: SectionFilter,
) {
  const projected: Section<'summary'> = summarize(findings);
  if (narrowed) return projected;
  const { candidateCount, duplicateCount, fixedCount } = summary;
  if (candidateCount !== undefined) projected.candidateCount = candidateCount;
  if (duplicateCount !== undefined) projected.duplicateCount = duplicateCount;
  if (fixedCount !== undefined) projected.fixedCount = fixedCount;
  return projected;
}

export function projectedAreas(areas: CanonicalReport['coverageAreas'], { rewrite }: SectionFilter) {
  return areas.map(({ id, name, status, note }) => {
    const area: Section<'coverageAreas'>[number] = { id: rewrite(id), name: rewrite(name), status };
    if (note !== undefined) area.note = rewrite(note);
    return area;
  });
}
