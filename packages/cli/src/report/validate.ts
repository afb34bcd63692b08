/** `svc report validate`: whether the service would take a report, and if not, everything that is wrong with it. */
import type { Issue } from '@svc/contract';
import type { Invocation, Run } from '../command.ts';
import { CliError } from '../errors.ts';
import { reportIssues } from './canonical.ts';
import { finishedReport } from './finished.ts';
import { withStore } from './picked.ts';
import { checkedReportFile, issueLine } from './report-file.ts';

export const run: Run = async (invocation, terminal) => {
  const [file] = invocation.arguments;
  const issues =
    typeof file === 'string'
      ? (await checkedReportFile(file, invocation)).issues
      : await ownIssues(invocation);
  const valid = issues.length === 0;
  terminal.result({ valid, issues }, () =>
    valid ? [`${terminal.colours.green('✓')} The report is valid.`] : [],
  );
  if (valid) return;
  // With `--json` the result says it all.
  const details = terminal.isJson ? [] : issues.map(issueLine);
  throw new CliError('rejected', 'The report is not valid.', { details });
};

function ownIssues(invocation: Invocation): Promise<readonly Issue[]> {
  return withStore(invocation, async (store) =>
    reportIssues((await finishedReport(store, invocation)).report),
  );
}
