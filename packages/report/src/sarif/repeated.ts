/** Recognizes repeated results of a run. */
import { shortHash } from '#sha256';
import type { Results } from './document.ts';
import { fields, items, type Fields } from './parts.ts';

/** What may differ between repeated results. */
const IDS_AND_COUNTS = new Set(['guid', 'correlationGuid', 'occurrenceCount', 'provenance']);

/** A number is the index of the only result with this outline. A set has the hashes of several results. */
type Alike = number | Set<string>;

export class SeenResults {
  readonly #results: Pick<Results, 'at'>;
  readonly #byOutline = new Map<number, Alike>();

  /** @param results gives access to the earlier of two results with the same outline */
  constructor(results: Pick<Results, 'at'>) {
    this.#results = results;
  }

  /**
   * True from the second occurrence on. Results that differ in anything but their ids and their counts are not
   * repeated: one can be suppressed, or less severe than the other.
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

/** A hash that differs for most results, and takes little time and memory. */
function outlineOf(result: Fields): number {
  const location = fields(fields(items(result['locations'])[0])['physicalLocation']);
  const { startLine, startColumn } = fields(location['region']);
  const file = fields(location['artifactLocation'])['uri'];
  const message = fields(result['message'])['text'];
  return [result['ruleId'], file, startLine, startColumn, message].reduce(mixed, OFFSET);
}

/** FNV-1a over UTF-16 units instead of bytes. */
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

function mixed(hash: number, value: unknown): number {
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
  let next = hash;
  for (let at = 0; at < text.length; at += 1) next = Math.imul(next ^ text.charCodeAt(at), PRIME);
  // Separates two values.
  return Math.imul(next ^ UNIT_MAX, PRIME);
}

const UNIT_MAX = 0xffff;

function hashOf(result: Fields): string {
  return shortHash(JSON.stringify(Object.entries(result).filter(([name]) => !IDS_AND_COUNTS.has(name))));
}
