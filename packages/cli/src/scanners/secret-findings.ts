/**
 * The secrets of one file as findings. None contains a value or a line of code: secrets are distinguished by an HMAC under a
 * key that stays on this machine.
 *
 * One finding is one secret in one file; its other locations are further references and evidence. Its identity is the code
 * around its first location without the secret (D12). So neither moved lines nor another machine's key make it a
 * new finding. A rotated secret in the same place is the same finding: it is still in the code.
 */
import { limits, type FindingEvidence, type SecretReference } from '@svc/contract';
import { RULE_TAG, TOOL_TAG } from '@svc/report/reading/tags';
import {
  adjustedSeverity,
  codeTagOf,
  findSecrets,
  fingerprintOf,
  redactText,
  sha256Hex,
  withoutSpace,
  type Arrival,
  type RootCause,
  type SecretMatch,
} from '@svc/report';
import { createHmac } from 'node:crypto';
import { secretKindOf, type SecretKind } from './secret-kinds.ts';

const { finding: bounds } = limits;
/** The name of the search among the tools of a report. */
export const SECRET_CHECK = 'secrets';
const CATEGORY = 'exposed_secret';
/** A name that reveals nothing about the file. */
const COMPONENT = 'repository files';
/**
 * Enough to distinguish one assignment from another. Limited, so that a file without line ends is not read again for each of
 * its secrets.
 */
const CONTEXT_LENGTH = 200;

interface SecretLocation {
  readonly line: number;
  readonly context: string;
  /** Where its lines begin and end in the text. */
  readonly bounds: readonly [start: number, end: number];
}

interface Secret {
  readonly kind: string;
  readonly hmac: string;
  readonly places: SecretLocation[];
}

export function secretFindings(file: string, text: string, key: Uint8Array): Arrival[] {
  const matches = findSecrets(text);
  if (matches.length === 0) return [];
  const secrets = groupedByValue(text, matches, key);
  // A path can contain a secret too.
  const shown = redactText(file).text.slice(0, bounds.locationLengthMax);
  const rootCauses = rootCausesOf(secrets);
  return secrets.map((secret, index) => {
    const finding = findingOf(secret, shown);
    const fingerprint = fingerprintOf({ ...finding, rootCause: rootCauses[index] ?? [] });
    return { ...finding, fingerprint, tags: [...(finding.tags ?? []), codeTag(secret, text)] };
  });
}

/** Identifies the finding when its file is renamed. */
function codeTag({ kind, places: [first] }: Secret, text: string): string {
  const { context = '', bounds: [start, end] = [0, 0] } = first ?? {};
  return codeTagOf(kind, {
    line: withoutSpace(context),
    above: neighbour(
      text
        .slice(Math.max(0, start - NEIGHBOURS_LENGTH), start)
        .split('\n')
        .toReversed(),
    ),
    below: neighbour(text.slice(end, end + NEIGHBOURS_LENGTH).split('\n')),
  });
}

const NEIGHBOURS_LENGTH = 1000;

/** The first line that is not blank, without secrets. */
function neighbour(lines: readonly string[]): string {
  const found = lines.find((line) => line.trim() !== '') ?? '';
  return withoutSpace(redactText(found.slice(0, CONTEXT_LENGTH)).text);
}

/** The code around each secret. Equal code of one file is numbered. */
function rootCausesOf(secrets: readonly Secret[]): RootCause[] {
  const seen = new Map<string, number>();
  return secrets.map(({ kind, places }) => {
    const code = sha256Hex((places[0]?.context ?? '').trim().replaceAll(/\s+/g, ' '));
    const key = `${kind} ${code}`;
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    return ['imported', kind, 'line', code, String(ordinal)];
  });
}

function groupedByValue(text: string, matches: readonly SecretMatch[], key: Uint8Array): Secret[] {
  const byValue = new Map<string, Secret>();
  let line = 1;
  let lineStart = 0;
  let lineEnd = endOfLine(text, 0);
  for (const [index, { kind, start, end }] of matches.entries()) {
    for (; lineEnd < start; line += 1) {
      lineStart = lineEnd + 1;
      lineEnd = endOfLine(text, lineStart);
    }
    const place: SecretLocation = {
      line,
      context: contextOf(text, matches, index),
      bounds: [lineStart, lineEnd < end ? endOfLine(text, end) : lineEnd],
    };
    const hmac = createHmac('sha256', key).update(text.slice(start, end)).digest('hex');
    const known = byValue.get(hmac);
    if (known === undefined) byValue.set(hmac, { kind, hmac, places: [place] });
    else known.places.push(place);
  }
  return [...byValue.values()];
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** The rest of the secret's line, up to another secret. */
function contextOf(text: string, matches: readonly SecretMatch[], index: number): string {
  const { start = 0, end = 0, kind = '' } = matches[index] ?? {};
  const earliest = Math.max(matches[index - 1]?.end ?? 0, start - CONTEXT_LENGTH);
  const latest = Math.min(matches[index + 1]?.start ?? text.length, end + CONTEXT_LENGTH);
  const before = text.slice(earliest, start);
  const after = text.slice(end, latest);
  const lineBefore = before.slice(before.lastIndexOf('\n') + 1);
  const [lineAfter = ''] = after.split('\n', 1);
  return redactText(`${lineBefore}[redacted ${kind}]${lineAfter}`).text;
}

/** Places where values are usually made up. */
const SAMPLE_PLACE =
  /(?:^|[/._-])(?:tests?|specs?|__tests__|__fixtures__|testdata|fixtures?|mocks?|samples?|examples?|docs?|templates?|readme)(?:$|[/._-])/i;

function findingOf({ kind, hmac, places }: Secret, file: string): Omit<Arrival, 'fingerprint'> {
  const described = secretKindOf(kind);
  const isSample = SAMPLE_PLACE.test(file);
  const line = places[0]?.line ?? 1;
  const { adjusted } = adjustedSeverity({
    ...proseOf(described),
    category: CATEGORY,
    severity: described.severity,
    verification:
      described.isDistinct && !isSample ? ('strong_evidence' as const) : ('needs_review' as const),
    affected: { component: COMPONENT, file, lineStart: line, lineEnd: line },
    evidence: places.slice(0, bounds.evidenceMax).map((place) => evidenceOf(place, described, file)),
    taxonomy: ['CWE-798', 'OWASP A07:2021'],
    references: ['https://cwe.mitre.org/data/definitions/798.html'],
    tags: [
      `${TOOL_TAG}${SECRET_CHECK}`,
      `${RULE_TAG}${kind}`,
      'secret',
      kind,
      ...(isSample ? ['sample-path'] : []),
    ],
  });
  const secretReferences = places.slice(0, bounds.secretReferencesMax).map((place): SecretReference => ({
    label: described.label,
    kind,
    fingerprint: hmac,
    location: locationOf(file, place),
  }));
  return { ...adjusted, secretReferences };
}

function evidenceOf(place: SecretLocation, { label }: SecretKind, file: string): FindingEvidence {
  return {
    kind: 'source',
    description: `The text here has the published format of ${withArticle(label)}. Its value is left out.`,
    location: locationOf(file, place),
    redacted: true,
  };
}

function locationOf(file: string, { line }: SecretLocation): string {
  const end = `:${line}`;
  return `${file.slice(0, bounds.locationLengthMax - end.length)}${end}`;
}

/** The texts do not contain the location, which is only in `affected` and `evidence`, so that a policy can hide it. */
function proseOf({ label, opens, revoke }: SecretKind) {
  return {
    title: `Hard-coded ${label}`,
    summary: `A file contains text in the format of ${withArticle(label)}. Everyone who can read the file can read it: everyone with access to the repository, its history, its forks and copies, and whatever is built from it.`,
    impact: `Anyone who has it can ${opens}. If the repository is or was public, assume that others know it.`,
    remediation: `Make it invalid first: ${revoke}. Then take it out of the file and have the program read it from its environment or a secret store when it starts. It stays readable in the history of the repository, so removing it from the file is not enough. If it is an example or already invalid, mark the finding as a false positive.`,
    verificationPlan: `Check that the old ${label} is rejected where it was accepted. Scan again and check that this finding is gone, and that the program still runs with the new one.`,
  };
}

/** Chooses the article by the sound of the first word. */
function withArticle(label: string): string {
  return /^(?:[AEIOaeio]|npm )/.test(label) ? `an ${label}` : `a ${label}`;
}
