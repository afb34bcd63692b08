/**
 * The states of reports as literals, for conditions. Beside a parameter, SQLite compiles a statement again in each call,
 * because the value could decide whether a partial index applies. That takes ten times as long as running it.
 */
import { sql } from 'kysely';

export const LIVE = sql.lit<'live'>('live');
export const FINALIZED = sql.lit<'finalized'>('finalized');
export const EXPIRED = sql.lit<'expired'>('expired');
