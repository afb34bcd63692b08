/** What a request brought, held against the schema of its endpoint. What departs from it is told by its place, not by its value. */
import { limits, type Endpoint, type ErrorCode } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { redactPointer } from '@svc/report';
import type { TObject } from 'typebox';
import { AppError, validationFailed } from '#app-error';
import { parseJson } from '#http/body';

const FIELD_NAME_TOLD_LENGTH_MAX = 100;

/** An endpoint without a body takes none, or an empty object. */
export function bodyOf(endpoint: Endpoint, bytes: Uint8Array): unknown {
  if (!endpoint.body) {
    if (bytes.length === 0) return undefined;
    const given = parseJson(bytes);
    const isEmptyObject =
      typeof given === 'object' && given !== null && !Array.isArray(given) && Object.keys(given).length === 0;
    if (isEmptyObject) return undefined;
    throw new AppError('VALIDATION_FAILED', {
      details: { issues: [{ path: '', message: 'must be absent or an empty object' }] },
    });
  }
  const body = endpoint.bodyOptional && bytes.length === 0 ? {} : parseJson(bytes);
  if (endpoint.refusesAsUnsafe) {
    refuseCounts(endpoint.body, body);
    refuseInvalid(endpoint.body, body, 'UNSAFE_PAYLOAD_REJECTED');
  } else refuseInvalid(endpoint.body, body);
  return body;
}

/** How many items a list has is told apart from what is in them: it is no secret, and a client sends fewer. */
function refuseCounts(schema: TObject, body: unknown): void {
  for (const [name, property] of Object.entries(schema.properties)) {
    const { minItems = 0, maxItems = Infinity } = property as { minItems?: number; maxItems?: number };
    const items = (body as Record<string, unknown> | null)?.[name];
    if (Array.isArray(items) && (items.length < minItems || items.length > maxItems))
      throw validationFailed({ path: `/${name}`, message: `must have ${minItems} to ${maxItems} items` });
  }
}

/** @throws AppError with all that is wrong, up to a limit. */
export function refuseInvalid(
  schema: TObject,
  value: unknown,
  code: 'VALIDATION_FAILED' | 'UNSAFE_PAYLOAD_REJECTED' = 'VALIDATION_FAILED',
): void {
  refuseManyUnknown(schema, value, code);
  const validator = validatorOf(schema);
  if (validator.Check(value)) return;
  throw new AppError(code, {
    details: { issues: issuesOf(validator, value, limits.issuesMax, redactPointer) },
  });
}

/**
 * More unknown fields than can be told are all that is told, found without the validator: it would look at every one of
 * tens of thousands, for as long as fifty requests take.
 */
function refuseManyUnknown(schema: TObject, value: unknown, code: ErrorCode): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if (!isClosed(schema)) return;
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(schema.properties, name));
  if (unknown.length <= limits.issuesMax) return;
  const issues = unknown.slice(0, limits.issuesMax).map((name) => ({
    path: redactPointer(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).slice(
      0,
      FIELD_NAME_TOLD_LENGTH_MAX,
    ),
    message: 'is not a known field',
  }));
  throw new AppError(code, { details: { issues } });
}

function isClosed(schema: TObject): boolean {
  return (schema as { additionalProperties?: unknown }).additionalProperties === false;
}
