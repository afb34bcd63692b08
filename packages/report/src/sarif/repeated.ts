/** Recognizes repeated results of a run. */
import { shortHash } from '../identity/sha256.ts';
import type { Results } from './document.ts';
import { fields, items, type Fields } from './parts.ts';

/** What may differ between repeated results. */
const IDS_AND_COUNTS = new Set(['guid', 'correlationGuid', 'occurrenceCount', 'provenance']);

/** A number is the index of the only result with this outline; a set has a hash of each. */
type Alike = number | Set<string>;

export class SeenResults {
  readonly #results: Pick<Results, 'at'>;
  readonly #byOutline = new Map<string, Alike>();

  /** @param results to read the earlier of two results of one outline again */
  constructor(results: Pick<Results, 'at'>) {
    this.#results = results;
  }

  /**
   * True from the second occurrence on. Results that differ in anything but their ids and their counts are not repeated:
   * one can be suppressed, or less severe than the other.
   */
  isRepeated(result: Fields, index: number): boolean {
    const outline = outlineOf(result);
    const alike = this.#byOutline.get(outline);
    if (alike === undefined) {
      this.#byOutline.set(outline, index);
      return false;
    }
    const hashes = typeof alike === 'number' ? new Set([hashOf(this.#results.at(alike) ?? {})]) : alike;
    const count = hashes.size;
    hashes.add(hashOf(result));
    this.#byOutline.set(outline, hashes);
    return hashes.size === count;
  }
}

/** Differs for most results, and takes little time to make. */
function outlineOf(result: Fields): string {
  const place = fields(fields(items(result['locations'])[0])['physicalLocation']);
  const { startLine, startColumn } = fields(place['region']);
  const parts = [result['ruleId'], fields(place['artifactLocation'])['uri'], startLine, startColumn];
  return shortHash(parts.map(textOf).join(' ') + textOf(fields(result['message'])['text']));
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function hashOf(result: Fields): string {
  return shortHash(JSON.stringify(Object.entries(result).filter(([name]) => !IDS_AND_COUNTS.has(name))));
}
