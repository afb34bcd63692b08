/** One finding in Markdown. Its heading has an anchor, since pages derive different ids from a title. */
import type { ProjectedEvidence, ProjectedFinding } from '@svc/contract';
import { joinBlocks, markdownProse, markdownSnippet } from './markdown-blocks.ts';
import { markdownCode, markdownLine, markdownLink, markdownWords } from './markdown-text.ts';
import { labelOf, timeLabelOf } from './labels.ts';
import { languageOfFile } from './languages.ts';
import { isWeak, ruleIn, shownTags, toolIn, WEAK_FACT } from './tags.ts';
import { visibleLine } from './visible-text.ts';

/** The anchor for an id such as `F-1`; ids contain nothing that an attribute or an address has to escape. */
export function anchorOf(id: string): string {
  return id.toLowerCase();
}

/** @param isNew whether the previous report did not have the finding */
export function markdownFinding(finding: ProjectedFinding, isNew = false): string {
  const { id, title, summary, impact, reproduction, remediation, verificationPlan } = finding;
  return joinBlocks([
    `### <a id="${anchorOf(id)}"></a>${markdownWords(`${id}:`, title)}`,
    standingOf(finding, isNew),
    listOf(factsOf(finding)),
    ...proseUnder('Summary', summary),
    ...proseUnder('Impact', impact),
    ...evidenceBlocks('Evidence', finding.evidence, finding),
    ...evidenceBlocks('Corroboration', finding.corroboration ?? [], finding),
    ...proseUnder('Reproduction', reproduction),
    ...proseUnder('Remediation', remediation),
    ...proseUnder('Verification plan', verificationPlan),
    ...listUnder('References', (finding.references ?? []).map(markdownLink)),
    ...listUnder('Secrets', secretsOf(finding)),
    ...listUnder('History', historyOf(finding)),
  ]);
}

function standingOf({ severity, verification, status, category }: ProjectedFinding, isNew: boolean): string {
  return [
    `**${labelOf(severity)}**`,
    labelOf(verification),
    ...(status === undefined ? [] : [labelOf(status)]),
    ...(isNew ? ['New in this report'] : []),
    markdownCode(category),
  ].join(' · ');
}

function factsOf({
  affected,
  taxonomy,
  tags,
  firstSeenAt,
  fixedAt,
  fingerprint,
}: ProjectedFinding): string[] {
  const { component, file, lineStart, lineEnd, route, origin } = affected;
  const lines = [lineStart, lineEnd === lineStart ? undefined : lineEnd].filter((line) => line !== undefined);
  const location = [
    ...(file === undefined ? [] : [visibleLine(file)]),
    ...(lines.length === 0 ? [] : [lines.join('-')]),
  ];
  return [
    ...factOf('Tool', markdownLine(toolIn(tags) ?? '')),
    ...factOf('Rule', markdownCode(ruleIn(tags) ?? '')),
    ...factOf('Component', markdownLine(component)),
    ...factOf('Location', markdownCode(location.join(':'))),
    ...factOf('Route', markdownCode(route ?? '')),
    ...factOf('Origin', markdownCode(origin ?? '')),
    ...factOf('Taxonomy', (taxonomy ?? []).map((text) => markdownLine(text)).join(', ')),
    ...(isWeak(tags) ? factOf(...WEAK_FACT) : []),
    ...factOf(
      'Tags',
      shownTags(tags)
        .map((text) => markdownCode(text))
        .join(', '),
    ),
    ...factOf('First seen', firstSeenAt === undefined ? '' : timeLabelOf(firstSeenAt)),
    ...factOf('Fixed', fixedAt === undefined ? '' : timeLabelOf(fixedAt)),
    ...factOf('Fingerprint', markdownCode(fingerprint ?? '')),
  ];
}

/** A fact in Markdown; an empty value is left out. */
export function factOf(label: string, value: string): string[] {
  return value === '' ? [] : [`**${label}:** ${value}`];
}

export function listOf(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** A text under its label; nothing for an empty one. */
export function proseUnder(label: string, text = ''): string[] {
  const prose = markdownProse(text);
  return prose === '' ? [] : [`**${label}**`, prose];
}

/** Items under their label; nothing without items. */
export function listUnder(label: string, items: readonly string[]): string[] {
  const present = items.filter((item) => item !== '');
  return present.length === 0 ? [] : [`**${label}**`, listOf(present)];
}

function evidenceBlocks(
  label: string,
  evidence: readonly ProjectedEvidence[],
  { affected }: ProjectedFinding,
): string[] {
  return evidence.flatMap(({ kind, description, snippet = '', location = '', redacted }, index) => {
    const number = evidence.length === 1 ? '' : ` ${index + 1} of ${evidence.length}`;
    const facts = [labelOf(kind), ...(redacted === true ? ['redacted'] : []), markdownCode(location)];
    const language = languageOfFile(location || (affected.file ?? ''));
    return [
      `**${label}${number}** · ${facts.filter((fact) => fact !== '').join(' · ')}`,
      markdownProse(description),
      snippet === '' ? '' : markdownSnippet(snippet, language),
    ];
  });
}

/** Describes each secret by label, kind, location and fingerprint; the report never contains its value. */
function secretsOf({ secretReferences = [] }: ProjectedFinding): string[] {
  return secretReferences.map(({ label, kind, fingerprint, location = '' }) =>
    [
      markdownLine(label, { atLineStart: true }),
      markdownLine(kind, { atLineStart: true }),
      markdownCode(location),
      markdownCode(fingerprint),
    ]
      .filter((part) => part !== '')
      .join(' · '),
  );
}

function historyOf({ fixHistory = [] }: ProjectedFinding): string[] {
  return fixHistory.map(({ at, action, verified, changedFiles = [], note = '' }) =>
    [
      timeLabelOf(at),
      `${labelOf(action)}${verified && action !== 'verified' ? ', verified' : ''}`,
      changedFiles.map((file) => markdownCode(file)).join(', '),
      markdownLine(note),
    ]
      .filter((part) => part !== '')
      .join(' · '),
  );
}
