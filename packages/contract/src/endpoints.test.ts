import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import {
  checksOrigin,
  codesOf,
  endpoint,
  parameterNames,
  requiresCredential,
  takesSession,
  type CodesOf,
  type Credential,
  type Endpoint,
} from './endpoint.ts';
import { endpoints, operations } from './endpoints.ts';
import { ErrorEnvelopeSchema } from './error-envelope.ts';

const all = operations.map((operation) => [operation, endpoints[operation] as Endpoint] as const);

/** Every object schema within a schema, with its path. */
function objectsWithin(node: unknown, at: string): { at: string; schema: Record<string, unknown> }[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node).flatMap(([key, value]) => objectsWithin(value, `${at}/${key}`));
  const schema = node as Record<string, unknown>;
  return schema['type'] === 'object' ? [{ at, schema }, ...below] : below;
}

describe('schemas', () => {
  // The OpenAPI document has its own specification, and an error's details depend on its code.
  const open = new Set([
    'getOpenApi/answers/200',
    'getReportSchema/answers/200',
    'error/properties/error/properties/details',
    // The payment provider’s own format.
    'receiveBillingEvent/body',
    'receiveBillingEvent/body/properties/data',
    'receiveBillingEvent/body/properties/data/properties/object',
  ]);
  const schemas = all.flatMap(([operation, { query, body, answers }]) => [
    ...objectsWithin(query, `${operation}/query`),
    ...objectsWithin(body, `${operation}/body`),
    ...objectsWithin(answers, `${operation}/answers`),
  ]);
  const closedOnes = [...schemas, ...objectsWithin(ErrorEnvelopeSchema, 'error')].filter(
    ({ at }) => !open.has(at),
  );

  test.each(closedOnes)('[D2] $at is closed', ({ schema }) => {
    expect(schema['additionalProperties']).toBe(false);
  });

  test('[D2] that are listed as open exist', () => {
    const found = new Set([...schemas, ...objectsWithin(ErrorEnvelopeSchema, 'error')].map(({ at }) => at));
    expect([...open].filter((at) => !found.has(at))).toEqual([]);
  });
});

describe('endpoints', () => {
  test('[D2] have unique methods and paths', () => {
    const names = all.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    expect(new Set(names).size).toBe(all.length);
  });

  test.each(all)('[D2] %s has the common form', (operation, definition) => {
    expect(operation).toMatch(/^[a-z]+(?:[A-Z][a-z]+)*$/);
    expect(definition.path).toMatch(
      /^(?:\/(?:[a-z]+(?:-[a-z]+)*(?:-\d+\.\d+\.\d+)?(?:\.json)?|\{[a-z]+(?:[A-Z][a-z]+)*\}))+$/,
    );
    expect(new Set(parameterNames(definition)).size).toBe(parameterNames(definition).length);
    expect(definition.method === 'GET' && definition.body !== undefined).toBe(false);
    expect(Object.keys(definition.answers).length).toBeGreaterThan(0);
    expect(definition.summary).toMatch(/^[A-Z].*[^.]$/);
  });

  test.each(all.filter(([, { method }]) => method === 'DELETE'))(
    '[D2] %s returns 200 with what was deleted or revoked',
    (_operation, { answers }) => {
      expect(Object.keys(answers)).toEqual(['200']);
      const { properties } = answers[200] as unknown as { properties: Record<string, { const?: unknown }> };
      const [id, done] = Object.keys(properties);
      expect(id).toMatch(/Id$|^name$/);
      expect(done).toMatch(/^(?:deleted|revoked)$/);
      expect(properties[done ?? '']?.const).toBe(true);
    },
  );
});

/** Who may call what, as specified; the rest are extensions. */
const interfaces: Record<string, Credential> = {
  'GET /health': 'none',
  'GET /ready': 'none',
  'POST /auth/signup': 'none',
  'POST /auth/login': 'none',
  'POST /auth/recover': 'none',
  'POST /auth/logout': 'optionalSession',
  'POST /device-links': 'none',
  'GET /device-links/{id}/status': 'none',
  'POST /device-links/{id}/approve': 'session',
  'POST /device-links/{id}/exchange': 'none',
  'GET /workspaces': 'sessionOrDevice',
  'POST /workspaces': 'sessionOrDevice',
  'GET /projects': 'sessionOrDevice',
  'POST /projects': 'sessionOrDevice',
  'GET /sync-quota': 'sessionOrDevice',
  'POST /reports': 'device',
  'POST /reports/{id}/progress': 'device',
  'POST /reports/{id}/upload-intent': 'device',
  'PUT /uploads/{uploadId}': 'device',
  'POST /reports/{id}/finalize': 'device',
  'GET /reports/{id}': 'session',
  'GET /reports/{id}/events': 'session',
  'GET /reports/{id}/export/{format}': 'session',
  'GET /reports/{id}/shares': 'session',
  'POST /reports/{id}/shares': 'session',
  'PATCH /shares/{shareId}': 'session',
  'DELETE /shares/{shareId}': 'session',
  'GET /shares/slug/{slug}/report': 'optionalSession',
  'GET /shares/slug/{slug}/export/{format}': 'optionalSession',
  'POST /analytics/events': 'sessionOrDevice',
  'GET /updates/manifest': 'none',
};

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

test('[D15] only the probes answer under every host name', () => {
  const anywhere = all.filter(([, { anyHost }]) => anyHost);
  expect(anywhere.map(([operation]) => operation)).toEqual(['getHealth', 'getReady']);
});

describe('credentials', () => {
  const ofInterface = all.filter(([, definition]) => nameOf(definition) in interfaces);
  test.each(ofInterface)('[T1] %s accepts the specified credential', (_operation, definition) => {
    expect(definition.credential).toBe(interfaces[nameOf(definition)]);
  });

  test.each(all)('[D16] %s is marked as an extension if it is not specified', (_operation, definition) => {
    expect(definition.extension === true).toBe(!(nameOf(definition) in interfaces));
  });

  test('[D3] every call that sets the cookie, or changes something with it, checks the origin', () => {
    for (const [, definition] of all) {
      const bySession = ['session', 'sessionOrDevice', 'optionalSession'].includes(definition.credential);
      expect(takesSession(definition)).toBe(bySession);
      expect(requiresCredential(definition)).toBe(
        ['session', 'device', 'sessionOrDevice'].includes(definition.credential),
      );
      const changes = definition.method !== 'GET';
      expect(checksOrigin(definition)).toBe(changes && (bySession || definition.setsSession === true));
    }
  });
});

/**
 * `codesOf` and the type `CodesOf` must agree. For each kind of endpoint, the record of its codes compiles only if it
 * has exactly the codes of the type, and it must equal the result of the function.
 */
describe('codes', () => {
  const base = { summary: 'A call', tag: 'operation', answers: { 200: Type.Null() } } as const;
  const anywhere = { BAD_REQUEST: true, VALIDATION_FAILED: true, INTERNAL: true } as const;
  const always = { ...anywhere, FORBIDDEN: true } as const;
  const rejected = { UNAUTHENTICATED: true, DEVICE_REVOKED: true } as const;

  function same<const E extends Endpoint>(definition: E, codes: Record<CodesOf<E>, true>) {
    return [definition, Object.keys(codes)] as const;
  }

  const forms = [
    same(endpoint({ ...base, method: 'GET', path: '/a', credential: 'none', codes: [] }), always),
    same(endpoint({ ...base, method: 'POST', path: '/a', credential: 'none', codes: [] }), always),
    same(
      endpoint({ ...base, method: 'GET', path: '/a', credential: 'none', anyHost: true, codes: [] }),
      anywhere,
    ),
    same(endpoint({ ...base, method: 'GET', path: '/a/{id}', credential: 'none', codes: [] }), {
      ...always,
      NOT_FOUND: true,
    }),
    same(endpoint({ ...base, method: 'GET', path: '/a', credential: 'session', codes: [] }), {
      ...always,
      ...rejected,
    }),
    same(endpoint({ ...base, method: 'POST', path: '/a', credential: 'session', codes: [] }), {
      ...always,
      ...rejected,
    }),
    same(
      endpoint({
        ...base,
        method: 'PATCH',
        path: '/a/{id}/b/{other}',
        credential: 'session',
        codes: ['CONFLICT'],
      }),
      { ...always, ...rejected, NOT_FOUND: true, CONFLICT: true },
    ),
    same(endpoint({ ...base, method: 'GET', path: '/a', credential: 'device', codes: [] }), {
      ...always,
      ...rejected,
    }),
    same(endpoint({ ...base, method: 'DELETE', path: '/a', credential: 'device', codes: [] }), {
      ...always,
      ...rejected,
    }),
    same(endpoint({ ...base, method: 'GET', path: '/a', credential: 'sessionOrDevice', codes: [] }), {
      ...always,
      ...rejected,
    }),
    same(endpoint({ ...base, method: 'PUT', path: '/a', credential: 'sessionOrDevice', codes: [] }), {
      ...always,
      ...rejected,
    }),
    same(endpoint({ ...base, method: 'GET', path: '/a', credential: 'optionalSession', codes: [] }), always),
    same(
      endpoint({
        ...base,
        method: 'POST',
        path: '/a',
        credential: 'optionalSession',
        codes: ['RATE_LIMITED', 'INTERNAL'],
      }),
      { ...always, RATE_LIMITED: true },
    ),
  ];

  test.each(forms)('[D2] of %j are %j', (definition, codes) => {
    expect(codesOf(definition).toSorted()).toEqual(codes.toSorted());
  });

  test.each(all)('[D2] %s lists no code that follows from its definition', (_operation, definition) => {
    const implied = codesOf({ ...definition, codes: [] });
    expect(definition.codes.filter((code) => implied.includes(code))).toEqual([]);
    expect(new Set(definition.codes).size).toBe(definition.codes.length);
  });

  test('a wrong record of codes does not compile', () => {
    const definition = endpoint({ ...base, method: 'GET', path: '/a', credential: 'device', codes: [] });
    // @ts-expect-error a code is missing
    const missing = same(definition, always);
    // @ts-expect-error there is one code too many
    const excess = same(definition, { ...always, ...rejected, NOT_FOUND: true });
    for (const [of, codes] of [missing, excess]) expect(codesOf(of).toSorted()).not.toEqual(codes.toSorted());
  });
});
