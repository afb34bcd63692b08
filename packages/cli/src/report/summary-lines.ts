/** A report as lines for people: the counts, a bar for each severity, and the findings. */
import { severities } from '@svc/contract';
import type { CanonicalReport } from '@svc/report';
import type { Colours } from '../terminal/colours.ts';
import { localTime } from '../terminal/local-time.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { findingLines, severityText, worstFirst } from './finding-lines.ts';

const BAR_LENGTH = 30;

export function summaryLines({ summary }: Pick<CanonicalReport, 'summary'>, colours: Colours): string[] {
  const { findingCount, severityCounts, verificationCounts } = summary;
  if (findingCount === 0) return ['No findings.'];
  const most = Math.max(...severities.map((severity) => severityCounts[severity]));
  const bars = severities.map((severity) => {
    const count = severityCounts[severity];
    // A count above zero is always visible.
    const length = count === 0 ? 0 : Math.max(1, Math.round((count / most) * BAR_LENGTH));
    return `  ${severityText(severity, colours)}  ${String(count).padStart(5)}  ${colours.dim('█'.repeat(length))}`.trimEnd();
  });
  const { verified, strong_evidence: strong, needs_review: review } = verificationCounts;
  return [
    `${findingCount} ${findingCount === 1 ? 'finding' : 'findings'}: ${verified} verified, ${strong} with strong evidence, ${review} to review`,
    ...bars,
  ];
}

export function reportLines(
  report: CanonicalReport,
  { colours, columns }: Pick<Terminal, 'colours' | 'columns'>,
): string[] {
  const { bold, dim } = colours;
  const { project, scan, findings, coverage, coverageAreas, limitations, redactionNotice } = report;
  const { agent } = scan;
  const section = (name: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', bold(name), ...lines.map((line) => `  ${line}`)];
  return [
    bold(safeLine(project.name)),
    dim(
      safeLine(
        [
          scan.branch,
          scan.commit?.slice(0, 12),
          scan.finishedAt && localTime(scan.finishedAt),
          `${agent.name} ${agent.version}`,
          scan.effortResolved,
        ]
          .filter((part) => part !== undefined)
          .join(', '),
      ),
    ),
    '',
    ...summaryLines(report, colours),
    ...section('Findings', findings.length === 0 ? [] : findingLines(worstFirst(findings), colours, columns)),
    ...section(
      'Coverage',
      [
        ...coverage,
        ...coverageAreas.map(
          ({ name, status, note }) => `${name}: ${status.replace('_', ' ')}${note ? ` (${note})` : ''}`,
        ),
      ].map(safeLine),
    ),
    ...section('Limitations', limitations.map(safeLine)),
    ...(redactionNotice === undefined ? [] : ['', dim(safeLine(redactionNotice))]),
  ];
}
