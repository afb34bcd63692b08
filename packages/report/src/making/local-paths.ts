/**
 * Removes this machine's personal paths from reports. Paths in the repository become relative to it, the home folder
 * becomes `~`, and a location outside the repository keeps only the name of its file. Routes and origins belong to the
 * scanned program and stay. So do paths in text that identify no person, such as /etc/passwd. An outside location of a
 * finding may be in a person's home, so the texts of that finding also keep only the name of the file.
 */
import { limits, type Finding, type FindingEvidence } from '@svc/contract';
import { isNamedOnly, normalizedFile, normalizedLocation, OUTSIDE } from '../identity/location.ts';
import { spanIn } from '../reading/spans.ts';

export interface LocalPlaces {
  /** Absolute; absent for findings that are not from a checkout on this machine. */
  readonly repositoryRoot?: string;
  /** Absolute; the home folder under each of its names. */
  readonly homes: readonly string[];
}

type Rewrite = (text: string) => string;

export interface PathCleaner {
  readonly text: Rewrite;
  readonly finding: (finding: Finding) => Finding;
}

export function pathCleaner({ repositoryRoot, homes }: LocalPlaces): PathCleaner {
  const ofRoot = repositoryRoot === undefined ? [] : spellings(repositoryRoot);
  const rules = [
    ...ofRoot.map((path) => ({ expression: under(path), by: '' })),
    ...ofRoot.map((path) => ({ expression: itself(path), by: '.' })),
    ...homes.flatMap(spellings).map((path) => ({ expression: itself(path), by: '~' })),
  ];
  // A text without a separator contains none of these paths, so it needs no search.
  const text: Rewrite = (given) =>
    SEPARATOR.test(given)
      ? rules.reduce((rest, { expression, by }) => rest.replaceAll(expression, by), given)
      : given;
  const file: Rewrite = (given) => text(withoutFolders(normalizedFile(given, repositoryRoot)));
  const place: Rewrite = (given) => text(withoutFolders(normalizedLocation(given, repositoryRoot)));
  return { text, finding: (finding) => cleanFinding(finding, text, file, place) };
}

const SEPARATOR = /[\\/]/;

/**
 * The ways to write a path; none for a folder directly under the root of the disk, such as /app or /root. Such a folder
 * identifies nobody and looks like a route.
 */
function spellings(path: string): string[] {
  const segments = path.split(/[\\/]/).filter((segment) => segment !== '' && !/^[A-Za-z]:$/.test(segment));
  if (segments.length < 2) return [];
  const forward = path.replaceAll('\\', '/');
  return [...new Set([path, forward, path.replaceAll('\\', '\\\\'), encodeURI(forward)])];
}

/** Excludes matches within a longer path or an address. */
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
  return isOutside(path) ? `${OUTSIDE}${lastName(path)}` : path;
}

/** An absolute path, or one that leads out of the repository. */
function isOutside(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\|\.\.(?:[\\/]|$))/.test(path);
}

function lastName(path: string): string {
  return path.split(/[\\/]/).findLast((segment) => segment !== '') ?? '';
}

const { finding: bounds } = limits;
const NOTE = ' (a path was shortened)';

/** Appends a note to a text that is too short for a report once its path has been removed. */
function atLeast(lengthMin: number, rewrite: Rewrite): Rewrite {
  return (given) => {
    const cleaned = rewrite(given);
    return cleaned === given || [...cleaned].length >= lengthMin ? cleaned : `${cleaned}${NOTE}`;
  };
}

/** Replaces paths outside the repository in a finding's texts with the names of their files. No text becomes longer. */
function placesOutside({ affected, evidence, corroboration = [] }: Finding, file: Rewrite): Rewrite {
  const located = [...evidence, ...corroboration].flatMap(({ location }) => {
    const { path, lineStart } = spanIn(location ?? '');
    return lineStart === undefined || path === '' ? [] : path;
  });
  const rules = [...new Set([...(affected.file === undefined ? [] : [affected.file]), ...located])]
    .filter((path) => isOutside(path) && isNamedOnly(file(path)))
    .toSorted((one, other) => other.length - one.length)
    .flatMap(spellings)
    .map((path) => ({ expression: itself(path), by: lastName(path) }));
  return (given) => rules.reduce((rest, { expression, by }) => rest.replaceAll(expression, () => by), given);
}

function cleanFinding(finding: Finding, known: Rewrite, file: Rewrite, place: Rewrite): Finding {
  const outside = placesOutside(finding, file);
  const text: Rewrite = (given) => outside(known(given));
  const prose = atLeast(bounds.proseLengthMin, text);
  const description = atLeast(bounds.evidenceDescriptionLengthMin, text);
  const evidence = (items: readonly FindingEvidence[]) =>
    items.map((item) => ({
      ...item,
      description: description(item.description),
      ...(item.snippet !== undefined && { snippet: text(item.snippet) }),
      ...(item.location !== undefined && { location: place(item.location) }),
    }));
  const { affected, taxonomy, corroboration, reproduction, references, tags, secretReferences, fixHistory } =
    finding;
  return {
    ...finding,
    title: atLeast(bounds.titleLengthMin, text)(finding.title),
    summary: prose(finding.summary),
    impact: prose(finding.impact),
    remediation: prose(finding.remediation),
    verificationPlan: atLeast(bounds.verificationPlanLengthMin, text)(finding.verificationPlan),
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
    ...(taxonomy && { taxonomy: taxonomy.map(text) }),
    ...(secretReferences && {
      secretReferences: secretReferences.map((reference) => ({
        ...reference,
        label: text(reference.label) || '.',
        kind: text(reference.kind) || '.',
        fingerprint: text(reference.fingerprint) || '.',
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
