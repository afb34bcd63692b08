/**
 * Keeps what this machine is called by its owner out of what travels: paths under the repository become relative to it,
 * the home folder becomes `~`, and a place outside keeps its last name only. Routes and origins are the scanned program's
 * own and stay; so do paths that belong to no person, such as /etc/passwd, in text.
 */
import type { Finding, FindingEvidence } from '@svc/contract';
import { normalizedFile, normalizedPlace } from '@svc/report';

export interface LocalPlaces {
  /** Absolute. */
  readonly repositoryRoot: string;
  /** Absolute; the home folder under each name that it goes by. */
  readonly homes: readonly string[];
}

type Rewrite = (text: string) => string;

export interface PathCleaner {
  readonly text: Rewrite;
  readonly finding: (finding: Finding) => Finding;
}

export function pathCleaner({ repositoryRoot, homes }: LocalPlaces): PathCleaner {
  const rules = [
    ...spellings(repositoryRoot).map((path) => ({ expression: under(path), by: '' })),
    ...spellings(repositoryRoot).map((path) => ({ expression: itself(path), by: '.' })),
    ...homes.flatMap(spellings).map((path) => ({ expression: itself(path), by: '~' })),
  ];
  const text: Rewrite = (given) =>
    rules.reduce((rest, { expression, by }) => rest.replaceAll(expression, by), given);
  const file: Rewrite = (given) => text(withoutFolders(normalizedFile(given, repositoryRoot)));
  const place: Rewrite = (given) => text(withoutFolders(normalizedPlace(given, repositoryRoot)));
  return { text, finding: (finding) => cleanFinding(finding, text, file, place) };
}

/** A folder directly under the root of the disk, such as /app or /root, names nobody and reads like a route. */
function spellings(path: string): string[] {
  const segments = path.split(/[\\/]/).filter((segment) => segment !== '' && !/^[A-Za-z]:$/.test(segment));
  if (segments.length < 2) return [];
  const forward = path.replaceAll('\\', '/');
  return [...new Set([path, forward, path.replaceAll('\\', '\\\\'), encodeURI(forward)])];
}

/** Not within a longer path or an address. */
const BEFORE = '(?<![A-Za-z0-9._~-])';

function under(path: string): RegExp {
  // linear: a literal text, and a few separators after it
  return new RegExp(`${BEFORE}(?:file:///?)?${literal(path)}(?:/|\\\\{1,2})`, 'g');
}

function itself(path: string): RegExp {
  // linear: a literal text
  return new RegExp(`${BEFORE}(?:file:///?)?${literal(path)}(?![A-Za-z0-9_-])`, 'g');
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

function withoutFolders(path: string): string {
  if (!/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)) return path;
  return `[outside]/${path.split(/[\\/]/).findLast((segment) => segment !== '') ?? ''}`;
}

function cleanFinding(finding: Finding, text: Rewrite, file: Rewrite, place: Rewrite): Finding {
  const evidence = (items: readonly FindingEvidence[]) =>
    items.map((item) => ({
      ...item,
      description: text(item.description),
      ...(item.snippet !== undefined && { snippet: text(item.snippet) }),
      ...(item.location !== undefined && { location: place(item.location) }),
    }));
  const { affected, corroboration, reproduction, references, tags, secretReferences, fixHistory } = finding;
  return {
    ...finding,
    title: text(finding.title),
    summary: text(finding.summary),
    impact: text(finding.impact),
    remediation: text(finding.remediation),
    verificationPlan: text(finding.verificationPlan),
    affected: {
      ...affected,
      component: text(affected.component) || '.',
      ...(affected.file !== undefined && { file: file(affected.file) }),
    },
    evidence: evidence(finding.evidence),
    ...(corroboration && { corroboration: evidence(corroboration) }),
    ...(reproduction !== undefined && { reproduction: text(reproduction) }),
    ...(references && { references: references.map(text) }),
    ...(tags && { tags: tags.map(text) }),
    ...(secretReferences && {
      secretReferences: secretReferences.map((reference) => ({
        ...reference,
        ...(reference.location !== undefined && { location: place(reference.location) }),
      })),
    }),
    ...(fixHistory && {
      fixHistory: fixHistory.map((entry) => ({
        ...entry,
        ...(entry.changedFiles && { changedFiles: entry.changedFiles.map(file) }),
        ...(entry.note !== undefined && { note: text(entry.note) }),
      })),
    }),
  };
}
