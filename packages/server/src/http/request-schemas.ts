/**
 * Validates a request against the schema of its endpoint. An error names the path of an invalid value, never the value.
 */
import { limits, type Endpoint, type Issue } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { redactPointer } from '@svc/report';
import type { TObject } from 'typebox';
import { AppError, validationFailed } from '#app-error';
import { parseJson } from '#http/body';

const FIELD_NAME_TOLD_LENGTH_MAX = 100;

/** An endpoint without a body also accepts an empty object. */
export function bodyOf(endpoint: Endpoint, bytes: Uint8Array): unknown {
  if (!endpoint.body) {
    const given = parseJson(bytes);
    const isEmptyObject =
      typeof given === 'object' && given !== null && !Array.isArray(given) && Object.keys(given).length === 0;
    if (isEmptyObject) return undefined;
    throw new AppError('VALIDATION_FAILED', {
      details: { issues: [{ path: '', message: 'must be absent or an empty object' }] },
    });
  }
  const body = endpoint.bodyOptional && bytes.length === 0 ? {} : parseJson(bytes);
  if (endpoint.rejectsAsUnsafe) {
    rejectCounts(endpoint.body, body);
    rejectInvalid(endpoint.body, body, 'UNSAFE_PAYLOAD_REJECTED');
  } else rejectInvalid(endpoint.body, body);
  return body;
}

/**
 * The number of items in a list is reported apart from their content: it is not secret, and it lets a client send
 * fewer.
 */
function rejectCounts(schema: TObject, body: unknown): void {
  for (const [name, property] of Object.entries(schema.properties)) {
    const { minItems = 0, maxItems = Infinity } = property as { minItems?: number; maxItems?: number };
    const items = (body as Record<string, unknown> | null)?.[name];
    if (Array.isArray(items) && (items.length < minItems || items.length > maxItems))
      throw validationFailed({ path: `/${name}`, message: `must have ${minItems} to ${maxItems} items` });
  }
}

/**
 * More unknown fields than `issuesMax` are reported alone, because they would bury other issues. They are found without
 * the validator: it would check each of tens of thousands, which takes as long as fifty requests.
 * @throws AppError with all issues, up to a limit.
 */
export function rejectInvalid(
  schema: TObject,
  value: unknown,
  code: 'VALIDATION_FAILED' | 'UNSAFE_PAYLOAD_REJECTED' = 'VALIDATION_FAILED',
): void {
  const isClosed = (schema as { additionalProperties?: unknown }).additionalProperties === false;
  if (isClosed && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(schema.properties, name));
    if (unknown.length > limits.issuesMax) {
      const issues = unknown.slice(0, limits.issuesMax).map((name) => ({
        path: redactPointer(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).slice(
          0,
          FIELD_NAME_TOLD_LENGTH_MAX,
        ),
        message: 'is not a known field',
      }));
      throw rejection(code, issues);
    }
  }
  const validator = validatorOf(schema);
  if (validator.Check(value)) return;
  throw rejection(code, issuesOf(validator, value, limits.issuesMax, redactPointer));
}

function rejection(
  code: 'VALIDATION_FAILED' | 'UNSAFE_PAYLOAD_REJECTED',
  issues: readonly Issue[],
): AppError {
  const isUnsafe = code === 'UNSAFE_PAYLOAD_REJECTED';
  const shown = isUnsafe ? issues.map((issue) => ({ ...issue, rule: 'schema' as const })) : issues;
  return new AppError(code, { details: { issues: shown } });
}
