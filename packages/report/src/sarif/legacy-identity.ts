/**
 * The fingerprints that version 1 gave imported results, which keep a project's history. Each result also has the
 * fingerprint that version 1 would have given it (`was:` and 64 digits), so that reports of both versions can be
 * compared. Fingerprints based on the message alone are left out, since two different results may share them.
 *
 * Reports made since 2.0 do not need this. It can be removed when the finding snapshots of earlier versions have
 * expired, 400 days after a service's upgrade.
 */
import { fingerprintOf, type RootCause } from '../identity/fingerprint.ts';
import { sha256Hex } from '#sha256';
import { fields, text, type Fields } from './parts.ts';
import type { Affected } from '@svc/contract';

export interface LegacyResult {
  readonly category: string;
  readonly affected: Pick<Affected, 'file' | 'route' | 'origin'>;
  readonly ruleId: string;
  readonly result: Fields;
  /** The line as quoted in the log; undefined where the identity was the message. */
  readonly line: string | undefined;
}

export interface LegacyFingerprint {
  readonly fingerprint: string;
  /** The fingerprint that another equal result in the same location would have. */
  readonly next: string;
}

/** Undefined for each result identified by its message. */
export function legacyFingerprintsOf(results: readonly LegacyResult[]): (LegacyFingerprint | undefined)[] {
  const counts = new Map<string, number>();
  const numbered = results.map((result) => {
    const { location, root } = rootOf(result);
    const key = JSON.stringify([result.ruleId, location, root]);
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    return { result, root, key, number };
  });
  return numbered.map(({ result: { category, affected, ruleId }, root, key, number }) => {
    if (root === undefined) return undefined;
    const at = (which: number) =>
      fingerprintOf({ category, affected, rootCause: ['imported', ruleId, ...rootCauseOf(root, which)] });
    return { fingerprint: at(number), next: at((counts.get(key) ?? 0) + 1) };
  });
}

type Named = readonly [name: string, value: string];
type Root = { readonly fingerprints: readonly Named[] } | { readonly code: string };

function rootOf({ affected, result, line }: LegacyResult) {
  const location = affected.file ?? affected.route ?? affected.origin ?? '';
  const fingerprints = partialFingerprintsOf(result);
  if (fingerprints.length > 0) return { location, root: { fingerprints } };
  return {
    location,
    root: line === undefined ? undefined : { code: sha256Hex(line.trim().replaceAll(/\s+/g, ' ')) },
  };
}

function rootCauseOf(root: Root, number: number): RootCause {
  if ('code' in root) return ['line', root.code, String(number)];
  const { fingerprints } = root;
  const all =
    number === 1 ? fingerprints : byName([...fingerprints, ['occurrence', String(number)] as const]);
  return ['fingerprints', ...all.flat()];
}

const NO_FINGERPRINT = /file|author|email|date|message/i;
const NO_VALUE = /^requires login$/i;

function partialFingerprintsOf(result: Fields): Named[] {
  const named = Object.entries(fields(result['partialFingerprints'])).flatMap(([name, value]) => {
    const found = text(value);
    const isUsable = found !== undefined && !NO_VALUE.test(found) && !NO_FINGERPRINT.test(name);
    return isUsable ? [[name, found] as const] : [];
  });
  return byName(named);
}

function byName(named: readonly Named[]): Named[] {
  return named.toSorted(([one], [other]) => (one < other ? -1 : 1));
}
