/**
 * The message of a result. SARIF reads `[text](target)` within a message as a link, and GitHub shows it as one, so
 * the only links in a message are deliberate: to the locations of the evidence.
 */
import type { ProjectedFinding } from '@svc/contract';
import { joinBlocks, markdownProse, markdownSnippet } from '../reading/markdown-blocks.ts';
import { listUnder, proseUnder } from '../reading/markdown-finding.ts';
import { markdownCode, markdownLine, markdownLink, markdownWords } from '../reading/markdown-text.ts';

/** Text that stays text: a piece that could be read as a link, or as the start of one, has its brackets escaped. */
export function plain(given: string): string {
  const text = given.toWellFormed();
  const opens = text.lastIndexOf('[');
  return opens >= 0 && (text.includes('](') || text.lastIndexOf(']') < opens) ? escaped(text) : text;
}

export function link(text: string, target: number): string {
  return `[${escaped(text.toWellFormed())}](${target})`;
}

const MARKS = /[[\]\\]/;

function escaped(text: string): string {
  return MARKS.test(text) ? text.replaceAll(/[[\]\\]/g, String.raw`\$&`) : text;
}

/** Several spaces, or another kind of space. Few titles have any. */
const UNEVEN = /\s\s|[^\S ]/;

/** One line that ends like a sentence. */
export function sentence(given: string): string {
  const trimmed = given.trim();
  const line = UNEVEN.test(trimmed) ? trimmed.replaceAll(/\s+/g, ' ') : trimmed;
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** An item of the evidence in the message. */
export interface MessageEvidence {
  readonly description: string;
  /** The location's text, and the number of the related location if there is one. */
  readonly location?: string;
  readonly target?: number;
  /** Only where no location of the result quotes it. */
  readonly snippet?: string;
}

const SENTENCE_LENGTH_MAX = 300;
const LINKS_MAX = 3;

/**
 * One or two sentences, for lists of results: the title, and the beginning of the summary. They end with links to the
 * evidence, since readers show a related location only if the text links to it.
 */
export function messageOf(finding: ProjectedFinding, evidence: readonly MessageEvidence[]): string {
  const { id, title, summary } = finding;
  const first = sentence(title.trim() === '' ? id : title);
  const second = firstSentence(summary);
  const isRepeated = second === '' || second === first || first.startsWith(second.slice(0, -1));
  const text = plain(isRepeated ? first : `${first} ${second}`);
  const links = evidence.flatMap(({ location, target }) =>
    location === undefined || target === undefined ? [] : [link(location, target)],
  );
  return links.length === 0 ? text : `${text.slice(0, -1)} (see ${links.slice(0, LINKS_MAX).join(', ')}).`;
}

/** The first sentence of the first line, or as much of it as fits. */
function firstSentence(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  if (line.trim() === '') return '';
  const end = line.search(/[.!?](?:\s|$)/);
  const whole = end < 0 ? line : line.slice(0, end + 1);
  return sentence(shortened(whole));
}

function shortened(text: string): string {
  // Most texts have few enough units to need no count of their characters.
  if (text.length <= SENTENCE_LENGTH_MAX) return text;
  const characters = [...text];
  return characters.length > SENTENCE_LENGTH_MAX
    ? `${characters.slice(0, SENTENCE_LENGTH_MAX).join('')}…`
    : text;
}

/** The whole finding, the most important part first. */
export function messageMarkdownOf(finding: ProjectedFinding, evidence: readonly MessageEvidence[]): string {
  const { id, title, summary, impact, reproduction, remediation, verificationPlan } = finding;
  return joinBlocks([
    `**${markdownWords(title.trim() === '' ? id : title)}**`,
    markdownProse(summary),
    ...proseUnder('Impact', impact),
    ...(evidence.length === 0 ? [] : ['**Evidence**', ...evidence.flatMap(evidenceBlocks)]),
    ...proseUnder('Reproduction', reproduction),
    ...proseUnder('Remediation', remediation),
    ...proseUnder('Verification plan', verificationPlan),
    ...listUnder('References', (finding.references ?? []).map(markdownLink)),
  ]);
}

function evidenceBlocks({ description, location = '', target, snippet = '' }: MessageEvidence): string[] {
  const place = target === undefined ? markdownCode(location) : `[${markdownLine(location)}](${target})`;
  return [place, markdownProse(description), snippet.trim() === '' ? '' : markdownSnippet(snippet)];
}
