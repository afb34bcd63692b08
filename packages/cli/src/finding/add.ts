/** `svc finding add`: adds one finding; an invalid one is rejected with all of its errors. */
import { limits, type SubmissionResult } from '@svc/contract';
import { rejectedSubmission } from '@svc/report';
import type { Run } from '../command.ts';
import { CliError } from '../errors.ts';
import { addSubmission } from '../report/intake.ts';
import { readJson } from '../report/json-input.ts';
import { openReport, withStore } from '../report/picked.ts';
import { afterEvent } from '../sync/after.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Colours } from '../terminal/colours.ts';

export const run: Run = async (invocation, terminal) => {
  const [given] = invocation.arguments;
  const file = typeof given === 'string' ? given : '-';
  await withStore(invocation, async (store) => {
    // Checked first, because reading is pointless without an open scan.
    const { localReportId } = await openReport(store, invocation);
    const input = await readJson({ file, sizeBytesMax: limits.jsonBodyBytesMax }, invocation);
    const result = input.isJson
      ? addSubmission(store, localReportId, input.value, new Date().toISOString())
      : rejectedSubmission([`/: is ${input.reason}`]);
    terminal.result(result, () => linesOf(result, terminal.colours));
    if (result.accepted) return afterEvent(localReportId, { store, invocation, terminal });
    const hint = 'Nothing was stored. Fix the finding and add it again.';
    // With `--json` the result contains the errors.
    const details = terminal.isJson ? [] : result.errors;
    throw new CliError('rejected', 'The finding was rejected.', { details, hint });
  });
};

function linesOf(
  { accepted, action, findingId, warnings, redactions }: SubmissionResult,
  colours: Colours,
): string[] {
  if (!accepted) return [];
  const { green, yellow } = colours;
  const done = action === 'created' ? `Recorded as ${findingId}` : `Merged into ${findingId}`;
  const secrets = redactions === 1 ? '1 secret was' : `${redactions} secrets were`;
  return [
    `${green('✓')} ${done}`,
    ...warnings.map((warning) => `${yellow('!')} ${safeLine(warning)}`),
    ...(redactions === 0 ? [] : [`${yellow('!')} ${secrets} removed from the text`]),
  ];
}
