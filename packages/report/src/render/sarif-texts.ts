/**
 * The message of a result. SARIF reads `[text](target)` within a message as a link, and GitHub shows it as one, so
 * the only links in a message are deliberate: to the locations of the evidence.
 */
import type { ProjectedFinding } from '@svc/contract';

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

/** The whole finding, most important first: readers that show one line show the summary. */
export function messageOf(finding: ProjectedFinding, evidence: readonly MessageEvidence[]): string {
  const {
    id,
    title,
    summary,
    impact,
    remediation,
    verificationPlan,
    reproduction,
    references = [],
  } = finding;
  const paragraphs = [
    plain(sentence(title.trim() === '' ? id : title)),
    plain(summary),
    labelled('Impact', impact),
    list('Evidence', evidence.map(evidenceText)),
    labelled('To reproduce', reproduction),
    labelled('Remediation', remediation),
    labelled('To verify', verificationPlan),
    list('References', references.map(plain)),
  ];
  return paragraphs.filter((paragraph) => paragraph.trim() !== '').join('\n\n');
}

function labelled(label: string, text = ''): string {
  return text.trim() === '' ? '' : `${label}: ${plain(text)}`;
}

function list(label: string, items: readonly string[]): string {
  return items.length === 0 ? '' : [`${label}:`, ...items.map((item) => `- ${item}`)].join('\n');
}

function evidenceText({ description, location = '', target, snippet }: MessageEvidence): string {
  const shown = target === undefined ? plain(location) : link(location, target);
  const parts = [location.trim() === '' ? plain(description) : `${plain(description)} (${shown})`];
  if (snippet !== undefined && snippet.trim() !== '') parts.push(plain(snippet));
  return parts.join('\n');
}
