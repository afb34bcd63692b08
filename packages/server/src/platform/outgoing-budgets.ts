/**
 * How many bytes of large responses may wait for their readers: in total, and for each report owner, share link and
 * network.
 */
import { closed } from '@svc/contract';
import Type, { type Static } from 'typebox';

const MIB = 1024 * 1024;

export const defaultOutgoingBudgets = {
  totalBytes: 128 * MIB,
  ownerBytes: 64 * MIB,
  linkBytes: 64 * MIB,
  networkBytes: 64 * MIB,
  /** The lowest average pace of a reader after a grace period of ten seconds. */
  leastBytesPerSecond: 32 * 1024,
};

export type OutgoingBudgets = Readonly<typeof defaultOutgoingBudgets>;

const Bytes = Type.Optional(Type.Integer({ minimum: 1024, maximum: 1024 ** 4 }));

/** Section `outgoingBytes` of the operator's file (`THROTTLES_PATH`). */
export const OutgoingBudgetsSchema = closed({
  totalBytes: Bytes,
  ownerBytes: Bytes,
  linkBytes: Bytes,
  networkBytes: Bytes,
  leastBytesPerSecond: Bytes,
});

export function outgoingBudgets(given: Static<typeof OutgoingBudgetsSchema> = {}): OutgoingBudgets {
  return { ...defaultOutgoingBudgets, ...given };
}
