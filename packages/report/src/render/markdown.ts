/**
 * A projection in GitHub Flavored Markdown, to be read as a file, in an issue or as plain text. Every text of the
 * report is shown literally: headings, tables, links and anchors are the renderer's own. What is missing in
 * the projection is left out of the file as well.
 */
import type { ProjectedFinding, ReportProjection } from '@svc/contract';
import { severities, verifications } from '@svc/contract/enums';
import type { RenderContext } from './context.ts';
import { labelOf, timeLabelOf, worstFirst } from '../reading/labels.ts';
import { joinBlocks, markdownTable } from '../reading/markdown-blocks.ts';
import { anchorOf, factOf, listOf, markdownFinding } from '../reading/markdown-finding.ts';
import { markdownCode, markdownLine, markdownLink, markdownWords } from '../reading/markdown-text.ts';
import { gapsOf } from '../reading/coverage.ts';
import { openVerdictOf } from '../reading/open-counts.ts';
import { standingTextOf } from '../reading/standing.ts';

interface Section {
  readonly title: string;
  readonly body: string;
  /** The findings in this section, for the table of contents. */
  readonly findings?: readonly ProjectedFinding[];
}

/** The findings in Markdown. A long report is written twice, its findings once. */
type Texts = ReadonlyMap<ProjectedFinding, string>;

/** Code hosts stop rendering above this size. */
const RENDERED_LENGTH_MAX = 1_000_000;
const LONG_NOTE =
  'This report is longer than 1 MB, and code hosts do not render files of that size. The findings are divided by severity, so that you can cut the file at its headings. The HTML export shows all of it.';

export function renderMarkdown(projection: ReportProjection, context: RenderContext = {}): string {
  const { findings = [] } = projection;
  const isNew = (id: string) => context.baseline?.newFindingIds.has(id);
  const texts: Texts = new Map(
    findings.map((finding) => [finding, markdownFinding(finding, isNew(finding.id))]),
  );
  const whole = written(projection, context, texts, false);
  const isLong = whole.length > RENDERED_LENGTH_MAX || bytesOf(whole) > RENDERED_LENGTH_MAX;
  return isLong ? written(projection, context, texts, true) : whole;
}

function bytesOf(text: string): number {
  return text.length * 3 <= RENDERED_LENGTH_MAX ? text.length : new TextEncoder().encode(text).length;
}

function written(
  projection: ReportProjection,
  context: RenderContext,
  texts: Texts,
  isDivided: boolean,
): string {
  const sections = sectionsOf(projection, texts, isDivided).filter(({ body }) => body !== '');
  const text = joinBlocks([
    headOf(projection, context),
    isDivided ? `> ${LONG_NOTE}` : '',
    contentsOf(sections, projection),
    ...sections.map(({ title, body }) => `## ${title}\n\n${body}`),
  ]);
  return `${text}\n`;
}

/** The findings, the most severe first: together, or in a section for each severity. */
function findingSections({ findings = [] }: ReportProjection, texts: Texts, isDivided: boolean): Section[] {
  const body = (of: readonly ProjectedFinding[]) => joinBlocks(of.map((finding) => texts.get(finding) ?? ''));
  if (!isDivided) {
    const all = worstFirst(findings);
    return [{ title: 'Findings', body: body(all), findings: all }];
  }
  return severities.map((severity) => {
    const of = findings.filter((finding) => finding.severity === severity);
    return { title: `${labelOf(severity)} findings`, body: body(of), findings: of };
  });
}

function sectionsOf(projection: ReportProjection, texts: Texts, isDivided: boolean): Section[] {
  const { limitations = [] } = projection;
  return [
    { title: 'Summary', body: summaryOf(projection) },
    ...findingSections(projection, texts, isDivided),
    { title: 'Coverage', body: coverageOf(projection) },
    { title: 'Limitations', body: listOfTexts(limitations) },
    { title: 'Authorization', body: authorizationOf(projection) },
    { title: 'Scan', body: scanOf(projection) },
  ];
}

function headOf(projection: ReportProjection, { reportUrl }: RenderContext): string {
  const { id, project, generatedAt, projectedFor, redactionNotice, coverageAreas } = projection;
  const gaps = gapsOf(coverageAreas);
  const { label } = projectedFor;
  const about = [
    ...(generatedAt === undefined ? [] : [timeLabelOf(generatedAt)]),
    `Report ${markdownCode(id)}`,
    ...(label === undefined ? [] : [`Prepared for ${markdownLine(label)}`]),
    ...(reportUrl === undefined ? [] : [markdownLink(reportUrl)]),
  ];
  const name = markdownLine(project?.name ?? '');
  const verdict = openVerdictOf(projection);
  return joinBlocks([
    `# Security report${name === '' ? '' : `: ${name}`}`,
    verdict === undefined ? '' : `**${verdict}**`,
    standingTextOf(projection) ?? '',
    gaps === undefined ? '' : `**${gaps.title}**\n\n${listOfTexts(gaps.lines)}`,
    about.join(' · '),
    markdownLine(redactionNotice ?? '', { atLineStart: true }),
  ]);
}

/** The contents, only where there are findings. */
function contentsOf(sections: readonly Section[], { findings = [] }: ReportProjection): string {
  if (findings.length === 0) return '';
  const entries = sections.flatMap(({ title, findings: listed = [] }) => [
    `- [${title}](#${title.toLowerCase().replaceAll(' ', '-')})`,
    ...listed.map(entryOf),
  ]);
  return `## Contents\n\n${entries.join('\n')}`;
}

function entryOf({ id, title, severity }: ProjectedFinding): string {
  return `  - [${id}](#${anchorOf(id)}) ${labelOf(severity)}: ${markdownLine(title)}`;
}

function summaryOf({ summary }: ReportProjection): string {
  if (!summary) return '';
  const { findingCount, severityCounts, verificationCounts } = summary;
  const others = [
    ['Candidates reviewed', summary.candidateCount],
    ['Duplicates merged', summary.duplicateCount],
    ['Fixed', summary.fixedCount],
  ] as const;
  return joinBlocks([
    markdownTable(
      ['Severity', 'Findings'],
      [
        ...severities.map((severity) => [labelOf(severity), String(severityCounts[severity])]),
        ['**All**', `**${findingCount}**`],
      ],
    ),
    markdownTable(
      ['Verification', 'Findings'],
      verifications.map((verification) => [labelOf(verification), String(verificationCounts[verification])]),
    ),
    listOf(others.flatMap(([label, count]) => (count === undefined ? [] : factOf(label, String(count))))),
  ]);
}

function coverageOf({ coverageAreas = [], coverage = [] }: ReportProjection): string {
  const inCell = true;
  const rows = coverageAreas.map(({ id, name, status, note = '' }) => [
    markdownLine(name, { inCell }),
    markdownCode(id, { inCell }),
    labelOf(status),
    markdownLine(note, { inCell }),
  ]);
  return joinBlocks([
    rows.length === 0 ? '' : markdownTable(['Area', 'Id', 'Covered', 'Note'], rows),
    listOfTexts(coverage),
  ]);
}

function authorizationOf({ authorization }: ReportProjection): string {
  if (!authorization) return '';
  const { basis, scope, grantedBy = '', expiresAt } = authorization;
  return listOf([
    ...factOf('Basis', labelOf(basis)),
    ...factOf('Granted by', markdownLine(grantedBy)),
    ...factOf('Expires', expiresAt === undefined ? '' : timeLabelOf(expiresAt)),
    ...scope.flatMap((text) => factOf('Scope', markdownLine(text))),
  ]);
}

function scanOf({ scan, project, methodologyVersion = '' }: ReportProjection): string {
  const facts = [
    ...factOf('Repository', markdownLine(project?.repositoryUrl ?? '')),
    ...factOf('Default branch', markdownCode(project?.defaultBranch ?? '')),
    ...factOf('Languages', (project?.languages ?? []).map((text) => markdownLine(text)).join(', ')),
    ...factOf('Files', project?.fileCount === undefined ? '' : String(project.fileCount)),
    ...factOf('Methodology', markdownLine(methodologyVersion)),
  ];
  return listOf([...(scan ? scanFactsOf(scan) : []), ...facts]);
}

function scanFactsOf(scan: NonNullable<ReportProjection['scan']>): string[] {
  const { agent, host, tools = [] } = scan;
  return [
    ...factOf('Started', timeLabelOf(scan.startedAt)),
    ...factOf('Finished', timeLabelOf(scan.finishedAt)),
    ...factOf('Effort', `${scan.effortResolved} (requested: ${scan.effortRequested})`),
    ...factOf('Commit', markdownCode(scan.commit ?? '')),
    ...factOf('Branch', markdownCode(scan.branch ?? '')),
    ...factOf('Agent', markdownWords(agent?.name, agent?.version, agent?.model)),
    ...factOf('Client', markdownWords(host?.cliVersion, host?.osFamily, host?.arch)),
    ...tools.flatMap(({ name, version, findings }) =>
      factOf('Tool', markdownWords(name, version, findings === undefined ? '' : `(findings: ${findings})`)),
    ),
  ];
}

function listOfTexts(texts: readonly string[]): string {
  const items = texts.map((text) => markdownLine(text, { atLineStart: true }));
  return listOf(items.filter((item) => item !== ''));
}
