/** The texts of a finding that may be shortened: its prose, its evidence and the notes of its fixes. */
import type { Finding, FindingEvidence } from '@svc/contract';

/** The minimum length of each of these texts is at most 20 characters, and usually lower. */
export function withTexts(finding: Finding, change: (text: string) => string): Finding {
  const { evidence, corroboration, reproduction, fixHistory } = finding;
  const ofEvidence = (items: readonly FindingEvidence[]) =>
    items.map((item) => ({
      ...item,
      description: change(item.description),
      ...(item.snippet !== undefined && { snippet: change(item.snippet) }),
    }));
  return {
    ...finding,
    summary: change(finding.summary),
    impact: change(finding.impact),
    remediation: change(finding.remediation),
    verificationPlan: change(finding.verificationPlan),
    ...(reproduction !== undefined && { reproduction: change(reproduction) }),
    evidence: ofEvidence(evidence),
    ...(corroboration && { corroboration: ofEvidence(corroboration) }),
    ...(fixHistory && {
      fixHistory: fixHistory.map((entry) => ({
        ...entry,
        ...(entry.note !== undefined && { note: change(entry.note) }),
      })),
    }),
  };
}
