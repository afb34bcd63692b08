/** Which of the fingerprints that a SARIF result has can identify it. */
import type { ToolFingerprint } from '../identity/imported-identity.ts';
import { fields, text, type Fields } from './parts.ts';

/** Hashes of the whole file, of a column, or of a line's author and date: they do not identify a result. */
const NO_FINGERPRINT = /file|author|email|date|message|commit|column|linenumber/i;
/** What a tool writes if it has no licence. */
const NO_VALUE = /^requires login$/i;
/** Algorithms that distinguish results of the same file and rule, the best first. */
const KNOWN = [
  'matchBasedId/v1',
  'primaryLocationLineHash',
  'primaryLocationLineHash/v1',
  'contextRegionHash/v1',
];
const FINGERPRINT_LENGTH_MAX = 4096;

/** `fingerprints` before `partialFingerprints`, known algorithms before others, and the others by name. */
export function toolFingerprintsOf(result: Fields): ToolFingerprint[] {
  return ['fingerprints', 'partialFingerprints'].flatMap((list) =>
    Object.entries(fields(result[list]))
      .flatMap(([name, given]) => {
        const value = text(given);
        const isUsable = value !== undefined && !NO_VALUE.test(value) && !NO_FINGERPRINT.test(name);
        return isUsable ? [{ name, value: value.slice(0, FINGERPRINT_LENGTH_MAX) }] : [];
      })
      .toSorted((one, other) => rankOf(one.name) - rankOf(other.name) || (one.name < other.name ? -1 : 1)),
  );
}

function rankOf(name: string): number {
  const rank = KNOWN.indexOf(name);
  return rank < 0 ? KNOWN.length : rank;
}
