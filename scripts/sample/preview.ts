/** The beginning of the sample report, for the home page. It is small, since every visitor loads it. */
import { openCountsOf, openVerdictOf } from '@svc/report/reading/open-counts';
import { worstFirst } from '@svc/report/reading/labels';
import { sampleProjections } from './projections.ts';

/** How many findings the preview lists. */
const LISTED = 6;

export function samplePreview() {
  const { team } = sampleProjections();
  const findings = team.findings ?? [];
  const open = openCountsOf(findings);
  return {
    project: team.project?.name,
    verdict: openVerdictOf(team, open),
    open,
    total: findings.length,
    findings: worstFirst(findings)
      .slice(0, LISTED)
      .map(({ severity, title }) => ({ severity, title })),
  };
}
