import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { codesOf, parameterNames, type Endpoint } from './endpoint.ts';
import { endpoints, operations } from './endpoints.ts';
import { errors } from './errors.ts';
import { openApiDocument } from './openapi.ts';

interface OperationObject {
  readonly operationId: string;
  readonly 'x-extension'?: boolean;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly tags: readonly string[];
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: unknown }[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: unknown }> };
  readonly responses: Record<string, { description: string; content: Record<string, { schema: unknown }> }>;
}

const document = openApiDocument('1.2.3') as unknown as {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, OperationObject>>;
  readonly components: {
    readonly schemas: Record<string, unknown>;
    readonly securitySchemes: Record<string, unknown>;
  };
};

const all = operations.map((operation) => [operation, endpoints[operation] as Endpoint] as const);

function described({ method, path }: Endpoint): OperationObject {
  const found = document.paths[path]?.[method.toLowerCase()];
  if (!found) throw new Error(`${method} ${path} is not described`);
  return found;
}

/** Every nested value with its key. */
function* entriesWithin(node: unknown): Generator<[key: string, value: unknown]> {
  if (typeof node !== 'object' || node === null) return;
  for (const entry of Object.entries(node)) {
    yield entry;
    yield* entriesWithin(entry[1]);
  }
}

describe('the OpenAPI document', () => {
  test('[D16] has OpenAPI version 3.1, the version of the service and its base path', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.2.3' },
      servers: [{ url: '/api/v1' }],
    });
  });

  test('[D16] describes every endpoint and nothing else', () => {
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(found.toSorted()).toEqual(all.map(([, { method, path }]) => `${method} ${path}`).toSorted());
  });

  test.each(all)('[D16] describes the input of %s', (operation, definition) => {
    const { operationId, parameters = [], requestBody, tags, ...rest } = described(definition);
    expect(operationId).toBe(operation);
    expect(rest['x-extension'] === true).toBe(definition.extension === true);
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...tags]));
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name }) => name)).toEqual(parameterNames(definition));
    expect(inPath.every(({ required }) => required)).toBe(true);
    const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    expect(inQuery).toEqual(Object.keys(definition.query?.properties ?? {}));
    const takesBody = definition.body !== undefined || definition.takesReport === true;
    expect(requestBody !== undefined).toBe(takesBody);
    expect(Object.keys(requestBody?.content ?? {})).toEqual(takesBody ? ['application/json'] : []);
  });

  test.each(all)(
    '[D16] lists every response and every code of %s under its status',
    (_operation, definition) => {
      const { responses } = described(definition);
      for (const status of Object.keys(definition.answers)) expect(responses).toHaveProperty(status);
      for (const code of codesOf(definition)) {
        for (const status of errors[code].statuses ?? [errors[code].status]) {
          if (status in definition.answers) continue;
          expect(responses[status]?.description.split(', ')).toContain(`\`${code}\``);
          expect(responses[status]?.content['application/json']?.schema).toEqual({
            $ref: '#/components/schemas/Error',
          });
        }
      }
    },
  );

  test.each(all)('[T1] names the credential that %s accepts', (_operation, definition) => {
    const wanted = {
      none: [],
      session: [{ session: [] }],
      device: [{ device: [] }],
      sessionOrDevice: [{ device: [] }, { session: [] }],
      optionalSession: [{}, { session: [] }],
    };
    expect(described(definition).security).toEqual(wanted[definition.credential]);
    expect(Object.keys(document.components.securitySchemes).toSorted()).toEqual(['device', 'session']);
  });

  test('[D16] has no dangling reference, and no internal key of the schema builder', () => {
    for (const [key, value] of entriesWithin(document)) {
      expect(key).not.toMatch(/^~|^x-length$/);
      if (key !== '$ref') continue;
      const [, name = ''] = /^#\/components\/schemas\/(\w+)$/.exec(String(value)) ?? [];
      expect(Object.keys(document.components.schemas)).toContain(name);
    }
  });

  test('[D2] publishes the length limits of texts, and closed objects', () => {
    const { requestBody } = described(endpoints.signUp);
    expect(requestBody?.content['application/json']?.schema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['email', 'password'],
      properties: {
        email: { type: 'string', maxLength: 254 },
        password: { type: 'string', minLength: 12, maxLength: 256 },
        displayName: { type: 'string', minLength: 1, maxLength: 80 },
      },
    });
  });

  test('[D16] is committed as generated', () => {
    const file = new URL('../schemas/openapi.json', import.meta.url);
    const committed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(committed).toEqual(JSON.parse(JSON.stringify(openApiDocument(version))));
  });
});
