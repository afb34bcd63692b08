/** Liveness and readiness. */
import Type, { type Static } from 'typebox';
import { closed } from './schema.ts';

export const Health = closed({ status: Type.Literal('ok'), version: Type.String() });

const Check = Type.Enum(['ok', 'failing']);

export const readyChecks = closed({ database: Check, blobs: Check, counters: Check });
export type ReadyChecks = Static<typeof readyChecks>;

export const Ready = closed({ status: Type.Literal('ready'), checks: readyChecks });
export const Unready = closed({ status: Type.Literal('unavailable'), checks: readyChecks });
