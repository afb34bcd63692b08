/** Transactions in which an account creates or deletes a record, under its rate limit for that. */
import type { Database, Tx } from './database/database.ts';
import type { Throttles } from './throttles.ts';

export interface ChargingPorts {
  readonly database: Pick<Database, 'transaction'>;
  readonly throttles: Pick<Throttles, 'chargeIfDue'>;
}

/** @param work calls `due` if it creates or deletes something, as for `chargeIfDue`. */
export function chargedTransaction<Result>(
  { database, throttles }: ChargingPorts,
  userId: string,
  work: (tx: Tx, due: () => void) => Promise<Result>,
): Promise<Result> {
  return throttles.chargeIfDue(['recordsAccount', userId], (due) =>
    database.transaction((tx) => work(tx, due)),
  );
}
