/** One malformed (or, as a control, well-formed) input, and the acceptable responses. */
import type { World } from './world.ts';

export type Kind = 'structured' | 'bytes' | 'raw';
export const kinds: readonly Kind[] = ['structured', 'bytes', 'raw'];

export interface Shot {
  readonly kind: Kind;
  /** A label of what is odd, for counts and reports. */
  readonly label: string;
  /** Written one after the other, `pauseMs` apart. */
  readonly pieces: readonly Buffer[];
  readonly pauseMs?: number;
  /** The methods of the requests in the shot, oldest first; others count as GET. */
  readonly methods: readonly string[];
  /** Fewer responses than this is a failure. */
  readonly required: number;
  /** More responses than this is a failure. */
  readonly most: number;
  /** The connection is kept for the next shot. Otherwise it is ended once the required responses are there. */
  readonly reusable?: true;
  /** The end of the request is ambiguous: the server must reject it and close the connection. */
  readonly mustClose?: true;
  /** What the sender does after writing, without waiting for responses: ends its side, or disconnects. */
  readonly ending?: 'end' | 'reset';
  /** The required statuses, in order. */
  readonly statuses?: readonly number[];
  /** `100 Continue` may precede a final response for which this returns true. When absent, never. */
  readonly mayContinue?: (finalStatus: number) => boolean;
}

/** Ids and secrets are known only once there is a service, so values with them are created late. */
export type FromWorld<Value> = (world: World) => Value;
