/** A change of one part of a request, and the notation for random choices among changes. */
import type { Operation } from '@svc/contract';
import fc, { type Arbitrary } from 'fast-check';
import type { RequestParts } from './request-bytes.ts';
import type { Party } from './world.ts';

export interface Change {
  /** Goes into the shot's label. */
  readonly name: string;
  readonly apply: (request: RequestParts, operation: Operation, party: Party) => RequestParts;
}

export function change(name: string, apply: Change['apply']): Change {
  return { name, apply };
}

export interface Weighted<Value> {
  readonly weight: number;
  readonly arbitrary: Arbitrary<Value>;
}

/** A change with one of the values. */
export function among<Value>(
  weight: number,
  values: readonly Value[],
  make: (value: Value) => Change,
): Weighted<Change> {
  return drawn(weight, fc.constantFrom(...values), make);
}

/** A change with a random value. */
export function drawn<Value>(
  weight: number,
  values: Arbitrary<Value>,
  make: (value: Value) => Change,
): Weighted<Change> {
  return { weight, arbitrary: values.map(make) };
}
