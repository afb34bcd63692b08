/**
 * Finds fingerprints that are distinct only because equal findings in the same location are numbered. When one of those
 * findings is fixed, the next scan may give its number to another.
 */
import { limits } from '@svc/contract';
import { numberedFingerprint, locatedRoot, rootIn, type NumberedFinding } from './imported-identity.ts';

/** Bounds the work for all findings of a comparison. */
const HASHES_MAX = 200_000;

interface Numbers {
  readonly fingerprints: Set<string>;
  last: number;
}

export class NumberedFingerprints {
  readonly #ofRoots = new Map<string, Numbers>();
  #hashesLeft = HASHES_MAX;

  /** Also true for a fingerprint that cannot be checked within the bound: a match then needs more than that. */
  has(finding: NumberedFinding & { readonly fingerprint: string }): boolean {
    const [key, root] = [locatedRoot(finding), rootIn(finding.tags ?? [])];
    if (key === undefined || root === undefined) return false;
    const numbers = this.#ofRoots.get(key) ?? { fingerprints: new Set<string>(), last: 0 };
    this.#ofRoots.set(key, numbers);
    while (!numbers.fingerprints.has(finding.fingerprint) && numbers.last < limits.report.findingsMax) {
      if (this.#hashesLeft === 0) return true;
      this.#hashesLeft -= 1;
      numbers.last += 1;
      numbers.fingerprints.add(numberedFingerprint(finding.affected, root, numbers.last));
    }
    return numbers.fingerprints.has(finding.fingerprint);
  }
}
