/**
 * Holds each answer against the shape that the contract gives it, so that another program at the address of the service is
 * told apart from it before anything is made of its words. Fields and words that this version does not know are let
 * through: a newer service may have more.
 */
import { UnexpectedAnswerError, type Client } from '@svc/client';
import { endpoints, type Endpoint } from '@svc/contract';

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
}

type Call = (
  input?: object,
) => Promise<{ readonly ok: boolean; readonly status: number; readonly body?: unknown }>;

/** Each call throws UnexpectedAnswerError where the answer has not what its endpoint promises. */
export function withShapes(client: Client): Client {
  const calls = Object.entries(client as Record<string, Call>).map(([name, call]) => {
    const { answers }: Endpoint = endpoints[name as keyof Client];
    const checked: Call = async (input) => {
      const outcome = await call(input);
      const shape: Shape | undefined = answers[outcome.status as keyof typeof answers];
      if (!outcome.ok || shape === undefined || hasShape(outcome.body, shape)) return outcome;
      throw new UnexpectedAnswerError(`The answer to ${name} lacks parts.`, outcome.status);
    };
    return [name, checked];
  });
  return Object.fromEntries(calls) as Client;
}

function hasShape(value: unknown, shape: Shape): boolean {
  const { type, anyOf, enum: words, items = {} } = shape;
  if (anyOf) return anyOf.some((either) => hasShape(value, either));
  if (words) return words.some((word) => typeof word === typeof value);
  switch (type) {
    case 'object':
      return isObject(value) && hasFields(value, shape);
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

function hasFields(value: Record<string, unknown>, { properties = {}, required = [] }: Shape): boolean {
  return Object.entries(properties).every(([name, shape]) =>
    Object.hasOwn(value, name) ? hasShape(value[name], shape) : !required.includes(name),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
