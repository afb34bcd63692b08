/**
 * The secrets of one file as findings. None bears a value or a line of code: a secret is told apart from others by an
 * HMAC under a key that stays on this machine.
 *
 * One finding is one secret in one file; its further places are further references and evidence of it. Its identity is
 * the code around its first place with the secret taken out (decisions D12), and so neither moved lines nor another
 * machine's key make a new finding of it. A rotated secret in the same place is the same finding: it is still in the
 * code.
 */
import { limits, type FindingEvidence, type SecretReference } from '@svc/contract';
import {
  adjustedSeverity,
  findSecrets,
  fingerprintOf,
  redactText,
  rootCausesOfImport,
  type Arrival,
  type SecretMatch,
} from '@svc/report';
import { createHmac } from 'node:crypto';
import { secretKindOf, type SecretKind } from './secret-kinds.ts';

const { finding: bounds } = limits;
const CATEGORY = 'exposed_secret';
/** What is known of a file, and tells nothing of which one it is. */
const COMPONENT = 'repository files';
/** Enough to tell one assignment from another; a file without line ends is not read again for each of its secrets. */
const CONTEXT_LENGTH = 200;

interface Place {
  readonly line: number;
  readonly context: string;
}

interface Secret {
  readonly kind: string;
  readonly hmac: string;
  readonly places: Place[];
}

export function secretFindings(file: string, text: string, key: Uint8Array): Arrival[] {
  const matches = findSecrets(text);
  if (matches.length === 0) return [];
  const secrets = groupedByValue(text, matches, key);
  // A path can hold a secret too.
  const shown = redactText(file).text.slice(0, bounds.locationLengthMax);
  const rootCauses = rootCausesOfImport(
    secrets.map(({ kind, places }) => ({ ruleId: kind, line: places[0]?.context ?? '', place: shown })),
  );
  return secrets.map((secret, index) => {
    const finding = findingOf(secret, shown);
    return { ...finding, fingerprint: fingerprintOf({ ...finding, rootCause: rootCauses[index] ?? [] }) };
  });
}

function groupedByValue(text: string, matches: readonly SecretMatch[], key: Uint8Array): Secret[] {
  const byValue = new Map<string, Secret>();
  let line = 1;
  let countedTo = 0;
  for (const [index, { kind, start, end }] of matches.entries()) {
    line += lineEndsIn(text, countedTo, start);
    countedTo = start;
    const hmac = createHmac('sha256', key).update(text.slice(start, end)).digest('hex');
    const place = { line, context: contextOf(text, matches, index) };
    const known = byValue.get(hmac);
    if (known === undefined) byValue.set(hmac, { kind, hmac, places: [place] });
    else known.places.push(place);
  }
  return [...byValue.values()];
}

function lineEndsIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The rest of the secret's line, as far as no other secret stands in it. */
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

/** Where what is written is mostly made up. */
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
    tags: ['secret', kind, ...(isSample ? ['sample-path'] : [])],
  });
  const secretReferences = places.slice(0, bounds.secretReferencesMax).map((place): SecretReference => ({
    label: described.label,
    kind,
    fingerprint: hmac,
    location: locationOf(file, place),
  }));
  return { ...adjusted, secretReferences };
}

function evidenceOf(place: Place, { label }: SecretKind, file: string): FindingEvidence {
  return {
    kind: 'source',
    description: `The text here has the published format of ${withArticle(label)}. Its value is left out.`,
    location: locationOf(file, place),
    redacted: true,
  };
}

function locationOf(file: string, { line }: Place): string {
  const end = `:${line}`;
  return `${file.slice(0, bounds.locationLengthMax - end.length)}${end}`;
}

/** Where it is stands in `affected` and `evidence` alone, so that it can be left out for some readers. */
function proseOf({ label, opens, revoke }: SecretKind) {
  return {
    title: `Hard-coded ${label}`,
    summary: `A file holds what has the format of ${withArticle(label)}. Whoever can read the file can read it: everyone with access to the repository, its history, its forks and copies, and whatever is built from it.`,
    impact: `Whoever has it can ${opens}. Where the repository is or was public, take it as known to others.`,
    remediation: `Make it invalid first: ${revoke}. Then take it out of the file and have the program read it from its environment or a secret store when it starts. It stays in the history of the repository, and so taking it out does not undo that it was readable. If it is an example or already invalid, mark the finding as a false positive.`,
    verificationPlan: `See that the old ${label} is refused where it was accepted, scan again and see that this finding is gone, and see that the program still runs with the new one.`,
  };
}

/** By how the first word is said. */
function withArticle(label: string): string {
  return /^(?:[AEIOaeio]|npm )/.test(label) ? `an ${label}` : `a ${label}`;
}
