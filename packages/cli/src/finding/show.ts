/** `svc finding show`: one finding in full. */
import type { Finding, FindingEvidence } from '@svc/contract';
import { isWeak, ruleIn, shownTags, toolIn, WEAK_FACT } from '@svc/report/reading/tags';
import { statusOf } from '@svc/report';
import type { Run } from '../command.ts';
import { locationOf, severityText } from '../report/finding-lines.ts';
import { anyReport, withStore } from '../report/picked.ts';
import { findingIn, movesFrom } from '../report/status-moves.ts';
import { findingsOf } from '../store/findings.ts';
import type { Colours } from '../terminal/colours.ts';
import { localTime } from '../terminal/local-time.ts';
import { safeLine } from '../terminal/safe-text.ts';

export const run: Run = async (invocation, terminal) => {
  const [findingId] = invocation.arguments;
  await withStore(invocation, async (store) => {
    const { localReportId } = await anyReport(store, invocation);
    const finding = findingIn(findingsOf(store, localReportId), String(findingId));
    terminal.result({ localReportId, finding }, () => linesOf(finding, terminal.colours));
  });
};

function linesOf(finding: Finding, colours: Colours): string[] {
  const { bold, dim } = colours;
  const { id, title, category, verification, taxonomy = [], corroboration = [], reproduction } = finding;
  const { references = [], tags = [], fixHistory = [], firstSeenAt } = finding;
  const head = [category, verification, statusOf(finding), ...taxonomy].map(safeLine).join(', ');
  const part = (name: string, text: string | undefined) => (text ? ['', bold(name), ...indented(text)] : []);
  const list = (name: string, items: readonly string[]) =>
    items.length === 0 ? [] : ['', bold(name), ...items.flatMap((item) => indented(item))];
  return [
    `${bold(id)}  ${severityText(finding.severity, colours)}  ${bold(safeLine(title))}`,
    dim(head),
    `${safeLine(locationOf(finding))} (${safeLine(finding.affected.component)})`,
    ...part('Summary', finding.summary),
    ...part('Impact', finding.impact),
    ...finding.evidence.flatMap((item, index) => evidenceLines(`Evidence ${index + 1}`, item, colours)),
    ...corroboration.flatMap((item, index) => evidenceLines(`Corroboration ${index + 1}`, item, colours)),
    ...part('Reproduction', reproduction),
    ...part('Remediation', finding.remediation),
    ...part('Verification plan', finding.verificationPlan),
    ...list('References', references),
    ...part('Tool', toolIn(tags)),
    ...part('Rule', ruleIn(tags)),
    ...(isWeak(tags) ? part(...WEAK_FACT) : []),
    ...list('Tags', shownTags(tags)),
    ...list(
      'History',
      fixHistory.map(({ at, action, note = '' }) => `${at}  ${action}  ${note}`.trimEnd()),
    ),
    '',
    dim(
      `${firstSeenAt === undefined ? '' : `First seen ${localTime(firstSeenAt)}. `}It can become: ${movesFrom(finding).join(', ')}`,
    ),
  ];
}

function evidenceLines(name: string, item: FindingEvidence, { bold, dim }: Colours): string[] {
  const { kind, description, location, snippet } = item;
  return [
    '',
    `${bold(name)} ${dim([kind, ...(location ? [safeLine(location)] : [])].join(', '))}`,
    ...indented(description),
    ...(snippet ? indented(snippet).map((line) => `  ${dim('│')} ${line.slice(2)}`) : []),
  ];
}

function indented(text: string): string[] {
  return text.split(/\r?\n/).map((line) => `  ${safeLine(line)}`);
}
