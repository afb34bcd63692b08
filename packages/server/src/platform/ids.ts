/**
 * Record ids: a prefix for the kind, and 26 characters of lower-case Crockford base32. Those created from the time
 * (UUIDv7) sort by age and are not secret.
 */
import { crockford } from './encoding.ts';
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

export type TimedIdPrefix = 'usr' | 'ws' | 'prj' | 'dev' | 'ses' | 'inv' | 'res' | 'upl' | 'grt' | 'aud';
export type RandomIdPrefix = 'rep' | 'shr' | 'und';

export interface Ids {
  /** A new id that begins with the time. */
  timed(prefix: TimedIdPrefix): string;
  /** A new id that reveals nothing, for what strangers may see. */
  random(prefix: RandomIdPrefix): string;
}

/** The twelve bits after the time; they begin low enough to count up from. */
const COUNTER_MAX = 0xfff;
const COUNTER_START_MAX = 0x7ff;

export function createIds(clock: Clock, random: Random): Ids {
  let lastTime = Number.NaN;
  let counter = 0;

  /** Ids of the same millisecond count up, so that they sort in the order in which this process created them. */
  function uuidV7(): Uint8Array {
    const now = clock.now();
    const bytes = Uint8Array.from(random.bytes(16));
    const view = new DataView(bytes.buffer);
    counter = now === lastTime && counter < COUNTER_MAX ? counter + 1 : view.getUint16(6) & COUNTER_START_MAX;
    lastTime = now;
    view.setUint32(0, Math.floor(now / 0x10000));
    view.setUint16(4, now % 0x10000);
    view.setUint16(6, 0x7000 | counter);
    view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
    return bytes;
  }

  return {
    timed: (prefix) => `${prefix}_${crockford(uuidV7(), 26).toLowerCase()}`,
    random: (prefix) => `${prefix}_${crockford(random.bytes(16), 26).toLowerCase()}`,
  };
}

/** The lowest id of that kind at that time: ids created earlier sort before it, and all others do not. */
export function lowestTimedId(prefix: TimedIdPrefix, time: number): string {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(time / 0x10000));
  view.setUint16(4, time % 0x10000);
  return `${prefix}_${crockford(bytes, 26).toLowerCase()}`;
}

const FORM = /^[a-z]{2,3}_[0-9a-hjkmnp-tv-z]{26}$/;

/**
 * True when a text has the form of an id of that kind. A text of another form names no record, so no query is needed.
 */
export function isRecordId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && FORM.test(text);
}
