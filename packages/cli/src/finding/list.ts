/** `svc finding list`: the findings of a report, the most severe first. */
import { severities, type FindingStatus, type Severity } from '@svc/contract';
import { statusOf } from '@svc/report';
import type { Run } from '../command.ts';
import { findingLines, worstFirst } from '../report/finding-lines.ts';
import { anyReport, withStore } from '../report/picked.ts';
import { findingsOf } from '../store/findings.ts';

export const run: Run = async (invocation, terminal) => {
  const { options } = invocation;
  const severity = options['severity'] as Severity | undefined;
  const status = options['status'] as FindingStatus | undefined;
  await withStore(invocation, async (store) => {
    const { localReportId, state } = await anyReport(store, invocation);
    const { findings } = findingsOf(store, localReportId);
    const asked = worstFirst(findings).filter(
      (finding) =>
        (severity === undefined || severities.indexOf(finding.severity) <= severities.indexOf(severity)) &&
        (status === undefined || statusOf(finding) === status),
    );
    terminal.result({ localReportId, state, findings: asked }, () =>
      asked.length > 0
        ? findingLines(asked, terminal.colours, terminal.columns)
        : [findings.length === 0 ? 'No findings.' : `None of the ${findings.length} findings match.`],
    );
  });
};
