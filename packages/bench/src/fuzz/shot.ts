/** One malformed (or, as a control, well-formed) thing to send, and what may come back. */
import type { World } from './world.ts';

export type Kind = 'structured' | 'bytes' | 'raw';
export const kinds: readonly Kind[] = ['structured', 'bytes', 'raw'];

export interface Shot {
  readonly kind: Kind;
  /** What is odd about it, for counts and for reports. */
  readonly label: string;
  /** Written one after the other, `pauseMs` apart. */
  readonly pieces: readonly Buffer[];
  readonly pauseMs?: number;
  /** Of the requests in it, oldest first; those not named count as GET. */
  readonly methods: readonly string[];
  /** Fewer answers than this is a failure. */
  readonly required: number;
  /** More answers than this is a failure. */
  readonly most: number;
  /** The connection is kept for the next shot. Otherwise it is ended once the required answers are there. */
  readonly reusable?: true;
  /** Where the request ends is in doubt: the server must close the connection by itself, and refuse. */
  readonly mustClose?: true;
  /** What the sender does once all is written, without waiting for answers: ends its side, or breaks off. */
  readonly ending?: 'end' | 'reset';
  /** The statuses that must come, in this order. */
  readonly statuses?: readonly number[];
  /** `100 Continue` may come before a final answer that this accepts. Without it, never. */
  readonly mayContinue?: (finalStatus: number) => boolean;
}

/** Ids and secrets are known only once there is a service, so whatever holds them is made late. */
export type FromWorld<Value> = (world: World) => Value;
