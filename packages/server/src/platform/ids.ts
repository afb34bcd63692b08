/**
 * Record ids: a prefix that says of what, and 26 characters of lower-case Crockford base32. Those made from the time
 * (UUIDv7) sort by age and are no secret.
 */
import { crockford } from './encoding.ts';
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

export type TimedIdPrefix = 'usr' | 'ws' | 'prj' | 'dev' | 'ses' | 'inv' | 'res';

export interface Ids {
  /** A new id that begins with the time. */
  timed(prefix: TimedIdPrefix): string;
}

export function createIds(clock: Clock, random: Random): Ids {
  return {
    timed(prefix) {
      return `${prefix}_${crockford(uuidV7(clock.now(), random), 26).toLowerCase()}`;
    },
  };
}

function uuidV7(now: number, random: Random): Uint8Array {
  const bytes = Uint8Array.from(random.bytes(16));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(now / 0x10000));
  view.setUint16(4, now % 0x10000);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  return bytes;
}

const FORM = /^[a-z]{2,3}_[0-9a-hjkmnp-tv-z]{26}$/;

/** True when a text has the form of an id of that kind. What has not can not name a record, and need not be looked up. */
export function isRecordId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && FORM.test(text);
}
