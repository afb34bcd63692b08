/** In tests, checks each response against the declaration of its endpoint, so that the contract matches the service. */
import { codesOf, type Endpoint } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { AppError } from '#app-error';
import type { StreamSource } from '#event-sink';
import type { Call, Result, Route } from '#http/route';

/**
 * Calls the handler.
 * @throws Error for a status, a body or a code that the endpoint does not declare.
 */
export async function checkedAnswer(route: Route, call: Call<Endpoint>): Promise<Result> {
  const { endpoint } = route;
  let result;
  try {
    result = await route.handler(call);
  } catch (error) {
    if (error instanceof AppError && !codesOf(endpoint).includes(error.code)) {
      throw new Error(
        `${endpoint.method} ${endpoint.path} returned ${error.code}, which it does not declare`,
        { cause: error },
      );
    }
    throw error;
  }
  const schema = endpoint.answers[result.status as keyof Endpoint['answers']];
  if (!schema)
    throw new Error(
      `${endpoint.method} ${endpoint.path} returned ${result.status}, which it does not declare`,
    );
  if (result.source) return result;
  if (endpoint.sendsFile) return result;
  const validator = validatorOf(schema);
  const published: unknown = JSON.parse(await textOf(result));
  if (!validator.Check(published)) {
    const issues = JSON.stringify(issuesOf(validator, published));
    throw new Error(`${endpoint.method} ${endpoint.path} returned a body outside its schema: ${issues}`);
  }
  return result;
}

async function textOf(result: Exclude<Result, { source: StreamSource }>): Promise<string> {
  if (!result.prepared) return JSON.stringify(result.body);
  return Buffer.from(await result.prepared.bytesIn('identity')).toString();
}
