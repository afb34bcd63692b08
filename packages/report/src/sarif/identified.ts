/** The findings of one run with their identities: in the order of the log, each with its fingerprint and its tags. */
import { limits } from '@svc/contract';
import { identitiesOf } from '../identity/imported-identity.ts';
import { contextOf, withoutSpace, type LineContext, type Lines } from '../identity/line-context.ts';
import type { Arrival } from '../intake/deduplication.ts';
import { redactText } from '../secrets/redact.ts';
import type { Fields } from './parts.ts';
import type { DraftFinding } from './findings.ts';
import { ownPropertiesOf } from './own.ts';
import { toolFingerprintsOf } from './tool-fingerprints.ts';

type Draft = DraftFinding & { readonly result: Fields };

export function identified(
  drafts: readonly Draft[],
  tool: string,
  linesOf: (file: string) => Lines | undefined,
): Arrival[] {
  const clean = cleanerOfLines();
  const results = drafts.map(({ result, finding, ruleId, advisoryIn, message, ...draft }) => ({
    ruleId,
    affected: finding.affected,
    toolFingerprints: toolFingerprintsOf(result),
    context: draft.isLineMeant ? contextFor({ ...draft, finding }, linesOf, clean) : undefined,
    advisoryIn,
    message,
  }));
  const identities = identitiesOf(results);
  return drafts.map(({ result, finding }, index) => {
    const own = ownPropertiesOf(result, tool)?.fingerprint;
    if (own !== undefined) return { ...finding, fingerprint: own };
    const { fingerprint, tags } = identities[index] as (typeof identities)[number];
    const kept = (finding.tags ?? []).slice(0, limits.finding.tagsMax - tags.length);
    return { ...finding, fingerprint, tags: [...kept, ...tags] };
  });
}

/** Redacted lines; each distinct line is checked once. */
function cleanerOfLines(): (line: string) => string {
  const known = new Map<string, string>();
  return (line) => {
    let clean = known.get(line);
    if (clean === undefined) known.set(line, (clean = redactText(line).text));
    return clean;
  };
}

/** Enough to distinguish lines; minified files have longer ones. */
const LINE_LENGTH_MAX = 2000;

/**
 * The line from the checkout if it is the one that the log quotes; otherwise from the log. In the line of a secret,
 * quoted texts and long words do not count: the hash must not allow guessing the secret.
 */
function contextFor(
  { finding, quotedLine, isSecret }: Pick<Draft, 'finding' | 'quotedLine' | 'isSecret'>,
  linesOf: (file: string) => Lines | undefined,
  clean: (line: string) => string,
): LineContext | undefined {
  const { file, lineStart } = finding.affected;
  const lines = file === undefined || lineStart === undefined ? undefined : linesOf(file);
  const found = lines && contextOf(lines, lineStart ?? 0);
  const quoted = quotedLine === undefined ? undefined : withoutSpace(quotedLine);
  const isSame = quoted === undefined || (found !== undefined && isPartOf(quoted, found.line));
  const context =
    found !== undefined && isSame
      ? found
      : quoted === undefined
        ? undefined
        : { line: quoted, above: '', below: '' };
  if (context === undefined) return undefined;
  const plain = (line: string) => clean(line.slice(0, LINE_LENGTH_MAX));
  return {
    line: isSecret ? withoutValues(context.line) : plain(context.line),
    above: plain(context.above),
    below: plain(context.below),
  };
}

/** Tools quote the whole line, or a part of it. */
function isPartOf(quoted: string, line: string): boolean {
  return line.includes(quoted) || quoted.includes(line);
}

const VALUE = /"[^"]*"|'[^']*'|`[^`]*`|[A-Za-z0-9+/=_.-]{12,}/g;

function withoutValues(line: string): string {
  return line.replaceAll(VALUE, '');
}
