/** Converts the OpenAPI document to what the page shows: operations by tag, and the named objects. */
import { codesOf, endpoints, errors, type Endpoint, type ErrorCode, type RetryAdvice } from '@svc/contract';
import { openApiDocument } from '@svc/contract/openapi';
import { objectNameOf, wordsOf, type Schema } from './schema.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface OperationResponse {
  readonly status: string;
  readonly description: string;
  /** Empty if the response has no body. */
  readonly types: readonly string[];
  readonly schema: Schema | undefined;
}

export interface ErrorEntry {
  readonly code: ErrorCode;
  readonly statuses: readonly number[];
  readonly message: string;
  /** How a client may retry. */
  readonly advice: string;
}

/** The credential that a request needs. */
export type Credential = Endpoint['credential'];

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** The path with `/api/v1`. */
  readonly path: string;
  readonly summary: string;
  readonly credential: Credential;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  readonly answers: readonly OperationResponse[];
  /** The errors of the operation, without those that every operation has. */
  readonly errorEntries: readonly ErrorEntry[];
  readonly streams: boolean;
  readonly sendsFile: boolean;
  /** The lower-cased text, for searching. */
  readonly words: string;
}

export interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

export interface Reference {
  readonly groups: readonly Group[];
  readonly objects: ReadonlyMap<string, Schema>;
  /** The errors of every operation. */
  readonly errorEntries: readonly ErrorEntry[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const advices: Readonly<Record<RetryAdvice, string>> = {
  'after-backoff': 'Retry after a delay.',
  once: 'Retry once.',
  'after-reset': 'Retry when the quota resets.',
  poll: 'Poll again after a delay.',
  never: '',
  'never-reauthenticate': 'Get a new credential first.',
};

function errorEntryOf(code: ErrorCode): ErrorEntry {
  const { status, statuses, message, retry } = errors[code];
  return { code, statuses: statuses ?? [status], message, advice: advices[retry] };
}

/** Built when the page opens, from the same list of endpoints that the service uses. */
export function readReference(): Reference {
  // The page does not show the version.
  const { servers, tags, paths, components } = openApiDocument('') as unknown as Document;
  const definitions: Readonly<Record<string, Endpoint>> = endpoints;
  const everywhere = Object.values(definitions)
    .map((definition) => codesOf(definition))
    .reduce((common, codes) => common.filter((code) => codes.includes(code)));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const definition = definitions[described.operationId];
      if (!definition) throw new Error(`There is no endpoint ${described.operationId}.`);
      const address = `${servers[0]?.url ?? ''}${path}`;
      return {
        tags: described.tags,
        ...operationOf(method, address, described, definition, everywhere, components.schemas),
      };
    }),
  );
  return {
    groups: tags.map(({ name, description }) => ({
      name,
      description,
      operations: operations.filter((operation) => operation.tags.includes(name)),
    })),
    objects: new Map(
      Object.entries(components.schemas).toSorted(([one], [other]) => one.localeCompare(other, 'en')),
    ),
    errorEntries: everywhere.map(errorEntryOf),
  };
}

function operationOf(
  method: string,
  path: string,
  described: Described,
  definition: Endpoint,
  everywhere: readonly ErrorCode[],
  objects: Document['components']['schemas'],
): Operation {
  const { operationId: id, summary, parameters = [], requestBody, responses } = described;
  const body = requestBody && schemaOf(requestBody);
  const answers = Object.entries(responses)
    .filter(([status]) => status in definition.answers)
    .map(([status, answer]) => ({
      status,
      description: answer.description,
      types: Object.keys(answer.content ?? {}),
      schema: schemaOf(answer),
    }));
  const errorEntries = codesOf(definition)
    .filter((code) => !everywhere.includes(code))
    .map(errorEntryOf);
  const words = [
    id,
    method,
    path,
    summary,
    ...parameters.map((each) => `${each.name} ${each.description ?? ''} ${wordsOf(each.schema)}`),
    ...[body, ...answers.map(({ schema }) => schema)].map((schema) => shownTextsOf(schema, objects)),
    ...errorEntries.map(({ code }) => code),
  ];
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary,
    credential: definition.credential,
    parameters,
    body,
    answers,
    errorEntries,
    streams: definition.streams === true,
    sendsFile: definition.sendsFile === true,
    words: words.join(' ').toLowerCase(),
  };
}

/** The searchable text of the fields that are initially unfolded. */
function shownTextsOf(schema: Schema | undefined, objects: Document['components']['schemas']): string {
  if (!schema) return '';
  const named = objects[objectNameOf(schema) ?? ''];
  return `${wordsOf(schema)} ${named ? wordsOf(named) : ''}`;
}

function schemaOf({ content }: Content): Schema | undefined {
  return Object.values(content ?? {})[0]?.schema;
}

/** The groups with the operations that contain every search term. */
export function search(groups: readonly Group[], text: string): Group[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter(({ words }) =>
        wanted.every((word) => words.includes(word) || group.name.includes(word)),
      ),
    }))
    .filter(({ operations }) => operations.length > 0);
}

export function countOf(groups: readonly Group[]): number {
  return groups.reduce((count, { operations }) => count + operations.length, 0);
}
