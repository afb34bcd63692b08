/**
 * Requests generated from the contract: each starts as a valid request of its endpoint with its credential, and some
 * parts are replaced by odd ones. Most parts stay valid, so that the odd one is reached.
 */
import { limits, operations, requiresCredential, type Operation } from '@svc/contract';
import fc, { type Arbitrary } from 'fast-check';
import { bodyChanges } from './body-changes.ts';
import type { Change } from './change.ts';
import { headChanges } from './head-changes.ts';
import { bytesOf, type RequestParts } from './request-bytes.ts';
import type { FromWorld, Shot } from './shot.ts';
import { endpointOf, partyFor, validRequest } from './valid-requests.ts';
import type { Party } from './world.ts';

const CHANGES_MAX = 3;

const changes = fc.oneof({ weight: 30, arbitrary: bodyChanges() }, ...headChanges());

export const structuredShots: Arbitrary<FromWorld<Shot>> = fc
  .record({
    operation: fc.constantFrom(...operations),
    applied: fc.uniqueArray(changes, { selector: ({ name }) => name, maxLength: CHANGES_MAX }),
    expects: fc.oneof(
      { weight: 9, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  })
  .map((drawn) => (world) => shotOf(drawn, partyFor(drawn.operation, world)));

interface Drawn {
  readonly operation: Operation;
  readonly applied: readonly Change[];
  /** Requests `100 Continue`, but does not wait for it. */
  readonly expects: boolean;
}

function shotOf({ operation, applied, expects }: Drawn, party: Party): Shot {
  const changed = applied.reduce(
    (request, { apply }) => apply(request, operation, party),
    validRequest(operation, party),
  );
  const asks = expects && changed.body !== null;
  const request: RequestParts = asks
    ? { ...changed, headers: [...changed.headers, ['Expect', '100-continue']] }
    : changed;
  const names = applied.map(({ name }) => name).toSorted();
  return {
    kind: 'structured',
    label: [...(names.length === 0 ? ['unchanged'] : names), ...(asks ? ['expects'] : [])].join(' + '),
    pieces: [bytesOf(request)],
    methods: [request.method],
    required: 1,
    most: 1,
    reusable: true,
    ...(asks ? { mayContinue: (status) => !rejectsUnread(status, request, operation) } : {}),
  };
}

/** True for a rejection that depends on the head alone. */
function rejectsUnread(status: number, { body, chunkBytes }: RequestParts, operation: Operation): boolean {
  if (status === 415 || status === 417 || status === 431) return true;
  if (status === 413) return chunkBytes === undefined && (body?.length ?? 0) > limits.jsonBodyBytesMax;
  return status === 401 && requiresCredential(endpointOf(operation)) && !asksForPassword(operation);
}

/** Operations for which a 401 may be about a password in the body. */
function asksForPassword(operation: Operation): boolean {
  return endpointOf(operation).body?.properties['password'] !== undefined;
}
