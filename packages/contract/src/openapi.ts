/** The OpenAPI 3.1 document, made from the endpoints. */
import type { TSchema } from 'typebox';
import { codesOf, parameterNames, type Credential, type Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { ErrorEnvelopeSchema } from './error-envelope.ts';
import { errors, type ErrorCode } from './errors.ts';
import { SchemaPublisher, type JsonSchema } from './json-schema.ts';
import { limits } from './limits.ts';

const securityOf: Record<Credential, JsonSchema[]> = {
  none: [],
  session: [{ session: [] }],
  device: [{ device: [] }],
  sessionOrDevice: [{ device: [] }, { session: [] }],
  optionalSession: [{}, { session: [] }],
};

const tags: Record<string, string> = {
  operation: 'For the operator of the service.',
  accounts: 'Accounts and browser sessions.',
  devices: 'Linking a machine to an account, and the credential of the machine.',
  workspaces: 'Workspaces, members and invitations.',
  projects: 'Repositories bound to workspaces.',
  quota: 'How many reports may be uploaded.',
  reports: 'Reports: created by devices, read in browsers.',
  shares: 'Share links, through which viewers read the projection of a report that a policy allows.',
  analytics: 'How often the product is used, as daily counts.',
  updates: 'Releases of the CLI.',
  billing: 'Plans of workspaces, and the subscriptions that pay for them.',
  admin: 'For platform administrators. For everyone else these routes do not exist.',
};

/** The schema of a report body is a separate document, for validators in any language. */
const REPORT: JsonSchema = {
  type: 'object',
  title: 'CanonicalReport',
  description: 'A report body in canonical form, byte for byte as declared.',
  externalDocs: { url: '/api/v1/schemas/report-1.0.0.json', description: 'Its JSON Schema.' },
};

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly [key: string]: unknown;
}

/** @param version the version of the service, as `info.version`. */
export function openApiDocument(version: string): OpenApiDocument {
  const publisher = new SchemaPublisher('#/components/schemas/');
  const errorSchema = publisher.publish(ErrorEnvelopeSchema);
  const paths: Record<string, JsonSchema> = {};
  for (const [operation, definition] of Object.entries(endpoints) as [string, Endpoint][]) {
    const path = (paths[definition.path] ??= {});
    path[definition.method.toLowerCase()] = operationObject(operation, definition, publisher, errorSchema);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc API',
      version,
      summary: 'Stores security reports and shares with each viewer only what they may see.',
      description:
        'Every response except the release manifest has `cache-control: private, no-store, must-revalidate`. Every error has the same envelope; branch on `error.code`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        device: {
          type: 'http',
          scheme: 'bearer',
          description: 'A device credential: `svc_dev_` and 46 characters.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'svc_session',
          description: 'The session cookie of a browser.',
        },
      },
      schemas: publisher.definitions,
    },
  };
}

function operationObject(
  operation: string,
  definition: Endpoint,
  publisher: SchemaPublisher,
  errorSchema: JsonSchema,
): JsonSchema {
  const parameters = [
    ...parameterNames(definition).map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: parameterSchemaOf(definition, name, publisher),
    })),
    ...queryParameters(definition, publisher),
    ...(definition.streams ? [LAST_EVENT_ID] : []),
    ...(definition.takesSharePassword ? [SHARE_PASSWORD, SHARE_UNLOCK] : []),
    ...(definition.signed ? [SIGNATURE] : []),
  ];
  return {
    operationId: operation,
    summary: definition.summary,
    tags: [definition.tag],
    ...(definition.extension ? { 'x-extension': true } : {}),
    security: securityOf[definition.credential],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(definition, publisher),
    responses: { ...successResponses(definition, publisher), ...errorResponses(definition, errorSchema) },
  };
}

function parameterSchemaOf({ params }: Endpoint, name: string, publisher: SchemaPublisher): JsonSchema {
  const schema = params?.properties[name];
  return schema ? publisher.publish(schema) : { type: 'string' };
}

function requestBody(
  { body, bodyOptional, takesReport, signed }: Endpoint,
  publisher: SchemaPublisher,
): JsonSchema {
  if (!body && !takesReport) return {};
  const schema = body ? publisher.publish(body) : REPORT;
  const description = signed ? { description: SIGNED_BODY } : {};
  const required = bodyOptional !== true;
  return { requestBody: { ...description, required, content: { 'application/json': { schema } } } };
}

/** Browsers send this header when they reconnect. */
const LAST_EVENT_ID: JsonSchema = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The `id` of the last received event; used only with `resume=1`.',
  schema: { type: 'string' },
};

const SHARE_PASSWORD: JsonSchema = {
  name: 'x-svc-share-password',
  in: 'header',
  required: false,
  description: 'The password of the share, in UTF-8.',
  schema: { type: 'string' },
};

const SHARE_UNLOCK: JsonSchema = {
  name: 'x-svc-share-unlock',
  in: 'header',
  required: false,
  description: 'A token from `unlock`. It takes precedence over a password; an invalid token is ignored.',
  schema: { type: 'string' },
};

const SIGNATURE: JsonSchema = {
  name: 'stripe-signature',
  in: 'header',
  required: true,
  description:
    'Created by Stripe with the secret of the endpoint: `t=<seconds since 1970>,v1=<HMAC-SHA-256 of t, a full stop and the body, in hex>`. A signature that is missing, wrong or more than five minutes off is rejected with `UNAUTHENTICATED`.',
  schema: { type: 'string' },
};
const SIGNED_BODY = `JSON in UTF-8 of at most ${limits.jsonBodyBytesMax / 1024 / 1024} MiB. The signature is verified over the bytes as sent, before the body is parsed.`;

function queryParameters({ query }: Endpoint, publisher: SchemaPublisher): JsonSchema[] {
  if (!query) return [];
  const required = new Set((query as { required?: string[] }).required ?? []);
  return Object.entries(query.properties as Record<string, TSchema>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema: publisher.publish(schema),
  }));
}

function successResponses({ answers, streams, sendsFile }: Endpoint, publisher: SchemaPublisher): JsonSchema {
  const descriptions: Record<string, string> = {
    200: 'OK.',
    201: 'Created.',
    204: 'No content.',
    503: 'Not ready.',
  };
  const types = sendsFile
    ? ['text/html', 'text/markdown', 'application/json']
    : [streams ? 'text/event-stream' : 'application/json'];
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      {
        description: descriptions[status],
        ...(status === '204' ? {} : { content: contentOf(types, publisher.publish(schema)) }),
      },
    ]),
  );
}

function contentOf(types: readonly string[], schema: JsonSchema): JsonSchema {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function errorResponses(definition: Endpoint, errorSchema: JsonSchema): JsonSchema {
  const codesByStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(definition)) {
    for (const status of errors[code].statuses ?? [errors[code].status]) {
      if (status in definition.answers) continue;
      codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
    }
  }
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\``).join(', '),
        content: { 'application/json': { schema: errorSchema } },
      },
    ]),
  );
}
