/** An example request of an operation: valid values as a curl command. */
import type { Operation } from './reference.ts';
import { objectNameOf, type Schema } from './schema.ts';

export type Objects = ReadonlyMap<string, Schema>;

const ID = '01j9x2v5k8m3n6p7q4r1s0t9w8';
const record = (prefix: string) => `${prefix}_${ID}`;

/** Example values by field name; used if they satisfy the schema. */
const byName: Readonly<Record<string, string>> = {
  arch: 'x64',
  bindingPublicId: 'Jk3uV9xQ2mT7',
  clientVersion: '0.1.0',
  deviceName: 'work laptop',
  displayName: 'Ada',
  email: 'you@example.com',
  eventId: '0b7e9c52-6d1f-4a38-9c5e-2f4d8a1b7c60',
  name: 'checkout',
  newPassword: 'correct horse battery staple',
  osFamily: 'linux',
  password: 'correct horse battery staple',
  projectId: record('prj'),
  reason: 'The owner asked why it shows no findings.',
  recoveryCode: '7K2MQ-X9D4T-0BVRA-3HJWN-E8SPZ',
  reportId: record('rep'),
  uploadId: record('upl'),
  verifier: 'Qm9x2v5k8m3n6p7q4r1s0t9w8Jk3uV9xQ2mT7aBcDeF',
  with: record('rep'),
  workspaceId: record('ws'),
};

/** Values for other fields: the first that matches the pattern. */
const byPattern: readonly string[] = [
  ...['rep', 'ws', 'usr', 'prj', 'dev', 'shr', 'ses', 'inv', 'upl'].map(record),
  'F-1',
  'Jk3uV9xQ2mT7',
  '2026-06-03T14:00:00Z',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
];

/** Values of path parameters, by the preceding path segment. */
const byPath: Readonly<Record<string, string>> = {
  devices: record('dev'),
  'device-links': 'Jk3uV9xQ2mT7aBcDeFgH5k8m3n6p7q4r',
  findings: 'F-1',
  invitations: 'Jk3uV9xQ2mT7aBcDeFgH5k8m3n6p7q4r1s0t9w8v5xY',
  members: record('usr'),
  projects: record('prj'),
  reports: record('rep'),
  sessions: record('ses'),
  shares: record('shr'),
  slug: 'Jk3uV9xQ2mT7aBcDeFgH5k8m3n6',
  uploads: record('upl'),
  workspaces: record('ws'),
};

/** A valid value with only the required fields. */
export function exampleOf(schema: Schema, objects: Objects, name = ''): unknown {
  const named = objectNameOf(schema);
  if (named !== undefined) return exampleOf(objects.get(named) ?? {}, objects, name);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, objects, name);
  switch (schema.type) {
    case 'string':
      return textOf(schema, name);
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, Math.min(1, schema.maximum ?? 1));
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => exampleOf(schema.items ?? {}, objects, name));
    default:
      return objectOf(schema, objects);
  }
}

/** If no field is required, includes the first one, as an example of a change. */
function objectOf({ properties = {}, required = [] }: Schema, objects: Objects): Record<string, unknown> {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {}, objects, name)]));
}

function textOf({ pattern, minLength = 0, maxLength = Infinity }: Schema, name: string): string {
  // linear: the patterns come from the contract, where they are checked to be linear
  const matches = (text: string) => pattern === undefined || new RegExp(pattern).test(text);
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength && matches(text);
  const known = [byName[name], ...(pattern === undefined ? [] : byPattern)];
  return known.find((text) => text !== undefined && fits(text)) ?? 'text'.padEnd(minLength, ' text');
}

const credentials: Readonly<Record<Operation['credential'], string | undefined>> = {
  none: undefined,
  optionalSession: undefined,
  session: `--cookie "svc_session=$SVC_SESSION"`,
  device: `--header "authorization: Bearer $SVC_DEVICE_TOKEN"`,
  sessionOrDevice: `--header "authorization: Bearer $SVC_DEVICE_TOKEN"`,
};

/** @param origin of the service. */
export function curlOf(operation: Operation, origin: string, objects: Objects): string {
  const { method, credential, body, streams, sendsFile } = operation;
  const parts = [
    `curl ${method === 'GET' ? '' : `--request ${method} `}'${origin}${addressOf(operation, objects)}'`,
    credentials[credential],
    streams ? '--no-buffer' : undefined,
    sendsFile ? '--remote-name --remote-header-name' : undefined,
    ...(body ? [`--header 'content-type: application/json'`, dataOf(body, objects)] : []),
  ];
  return parts.filter((part) => part !== undefined).join(' \\\n  ');
}

function addressOf({ path, parameters }: Operation, objects: Objects): string {
  const segments = path.split('/').map((segment, at, all) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name === undefined) return segment;
    const { schema } = parameters.find((parameter) => parameter.name === name) ?? {};
    const isEnum = schema?.enum !== undefined;
    return isEnum ? String(exampleOf(schema, objects, name)) : (byPath[all[at - 1] ?? ''] ?? name);
  });
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(exampleOf(schema, objects, name)))}`);
  return segments.join('/') + (query.length > 0 ? `?${query.join('&')}` : '');
}

function dataOf(body: Schema, objects: Objects): string {
  if (body.externalDocs) return '--data-binary @report.json';
  const json = JSON.stringify(exampleOf(body, objects), null, 2).replaceAll('\n', '\n  ');
  return `--data '${json.replaceAll("'", String.raw`'\''`)}'`;
}
