/**
 * Finds secrets of any length at any position of a text, in time that is linear in the text. One pass searches for the
 * literal texts in or beside secrets, and a format is checked only where one occurs.
 */
import {
  anchorTable,
  OTHER_CHARACTER,
  type Anchored,
  type AnchorTable,
  type Landmark,
} from './anchor-table.ts';
import { ScannedText } from './scanned-text.ts';
import type { Follow, SecretFormat } from './secret-format.ts';
import { secretFormats } from './secret-formats.ts';

export interface SecretMatch {
  /** The kind of secret, in lower-case words with hyphens: `github-token`. */
  readonly kind: string;
  /** In UTF-16 units, the end excluded. */
  readonly start: number;
  readonly end: number;
}

/** Checking more characters takes longer than it saves. */
const FOLLOW_LENGTH_MAX = 32;

/** A text without any of these contains no secret. */
export function secretAnchors(): Anchored<readonly SecretFormat[]>[] {
  const formatsByAnchor = new Map<string, SecretFormat[]>();
  for (const format of secretFormats) {
    for (const anchor of format.anchors) {
      const known = formatsByAnchor.get(anchor);
      if (known === undefined) formatsByAnchor.set(anchor, [format]);
      else known.push(format);
    }
  }
  return [...formatsByAnchor].map(([anchor, formats]) => ({
    anchor,
    follow: weakest(formats),
    value: formats,
  }));
}

let made: AnchorTable<readonly SecretFormat[]> | undefined;
/** Made at the first search: a service that has just started needs neither their memory nor the time to make them. */
const tables = () => (made ??= anchorTable(secretAnchors()));

/** The kinds that a search can report. */
export const secretKindNames: readonly string[] = [
  ...new Set(secretFormats.flatMap(({ kind, otherKinds = [] }) => [kind, ...otherKinds])),
];

function weakest(formats: readonly SecretFormat[]): Follow | undefined {
  const [first, ...others] = formats.map(({ follow }) => follow);
  if (first === undefined || others.some((other) => other === undefined)) return undefined;
  const set = new Uint8Array(128);
  for (const { follow } of formats)
    follow?.set.forEach((isMember, code) => isMember && set.fill(1, code, code + 1));
  const length = Math.min(FOLLOW_LENGTH_MAX, ...formats.map(({ follow }) => follow?.length ?? 0));
  return { set, length };
}

/** Every secret of a text, in order, without overlaps. */
export function findSecrets(text: string): readonly SecretMatch[] {
  const found = secretsOf(text, Infinity);
  if (found.length < 2) return found;
  const apart: SecretMatch[] = [];
  for (const match of found.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = apart.at(-1);
    if (last === undefined || match.start >= last.end) apart.push(match);
    else if (match.end > last.end) apart[apart.length - 1] = { ...last, end: match.end };
  }
  return apart;
}

export function hasSecret(text: string): boolean {
  return secretsOf(text, 1).length > 0;
}

/** At most this many secrets, in no particular order. */
function secretsOf(text: string, max: number): SecretMatch[] {
  const { groupOfPair, groups, before, behind } = tables();
  const found: SecretMatch[] = [];
  const end = text.length - 1;
  let scanned: ScannedText | undefined;
  for (let place = 0; place < end && found.length < max; place += 2) {
    const first = text.charCodeAt(place);
    const second = text.charCodeAt(place + 1);
    if ((first | second) >= 128) continue;
    const group = groupOfPair[(first << 7) | second] ?? 0;
    if (group === 0) continue;
    const bits =
      (before[(group << 7) | asciiAt(text, place - 1)] ?? 0) &
      (behind[(group << 7) | asciiAt(text, place + 2)] ?? 0);
    if (bits !== 0) scanned = search(text, place, { landmarks: groups[group] ?? [], bits, scanned, found });
  }
  return found;
}

function asciiAt(text: string, at: number): number {
  const code = at < 0 || at >= text.length ? OTHER_CHARACTER : text.charCodeAt(at);
  return code < 128 ? code : OTHER_CHARACTER;
}

interface Search {
  readonly landmarks: readonly Landmark<readonly SecretFormat[]>[];
  /** The bits of the landmarks that the sides of the pair allow. */
  readonly bits: number;
  readonly scanned: ScannedText | undefined;
  readonly found: SecretMatch[];
}

/** Checks the formats whose anchors may be around a pair. Returns the prepared text if it checked any. */
function search(text: string, place: number, { landmarks, bits, scanned: known, found }: Search) {
  let scanned = known;
  for (const { anchor, offset, bit, follow, value } of landmarks) {
    if ((bits & bit) === 0) continue;
    const at = place - offset;
    if (at < 0 || !text.startsWith(anchor, at)) continue;
    if (follow !== undefined && !isFollowed(text, at + anchor.length, follow)) continue;
    scanned ??= new ScannedText(text);
    for (const { kind, locate } of value) {
      const span = locate(scanned, at, anchor);
      if (span !== undefined) found.push({ kind, ...span });
    }
  }
  return scanned;
}

function isFollowed(text: string, from: number, { set, length }: Follow): boolean {
  for (let at = from; at < from + length; at += 1) {
    if (set[text.charCodeAt(at)] !== 1) return false;
  }
  return true;
}
