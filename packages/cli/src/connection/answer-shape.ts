/**
 * Checks each response against its shape in the contract, so that another program at the service's address is detected
 * before its data is used. Unknown fields and enum values are accepted, since a newer service may have more.
 */
import { UnexpectedAnswerError, type Client } from '@svc/client';
import { endpoints, type Endpoint } from '@svc/contract';

interface ResponseShape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, ResponseShape>>;
  readonly required?: readonly string[];
  readonly items?: ResponseShape;
  readonly anyOf?: readonly ResponseShape[];
  readonly enum?: readonly unknown[];
}

type CheckedCall = (
  input?: object,
) => Promise<{ readonly ok: boolean; readonly status: number; readonly body?: unknown }>;

/** Each call throws UnexpectedAnswerError when the response lacks parts that its endpoint promises. */
export function withShapes(client: Client): Client {
  const calls = Object.entries(client as Record<string, CheckedCall>).map(([name, call]) => {
    const { answers }: Endpoint = endpoints[name as keyof Client];
    const checked: CheckedCall = async (input) => {
      const outcome = await call(input);
      const shape: ResponseShape | undefined = answers[outcome.status as keyof typeof answers];
      if (!outcome.ok || shape === undefined || hasShape(outcome.body, shape)) return outcome;
      throw new UnexpectedAnswerError(`The response to ${name} is incomplete.`, outcome.status);
    };
    return [name, checked];
  });
  return Object.fromEntries(calls) as Client;
}

function hasShape(value: unknown, shape: ResponseShape): boolean {
  const { type, anyOf, enum: words, items = {}, properties = {}, required = [] } = shape;
  if (anyOf) return anyOf.some((either) => hasShape(value, either));
  if (words) return words.some((word) => typeof word === typeof value);
  switch (type) {
    case 'object':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
      return Object.entries(properties).every(([name, field]) =>
        Object.hasOwn(value, name)
          ? hasShape((value as Record<string, unknown>)[name], field)
          : !required.includes(name),
      );
    case 'array':
      return Array.isArray(value) && value.every((item) => hasShape(item, items));
    case 'integer':
    case 'number':
      return typeof value === 'number';
    case 'null':
      return value === null;
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}
