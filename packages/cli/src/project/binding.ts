/**
 * The binding of a repository to a project: `.svc.json` at its root, meant to be committed, so that every clone belongs to
 * the same project. It contains the id of the binding and a digest of the remote for which it was created (remote.ts). The
 * service decides who may use it. A repository may be a stranger's, so the file is opened like one of our own (own-file.ts).
 */
import path from 'node:path';
import { randomInt } from 'node:crypto';
import { limits } from '@svc/contract';
import { CliError } from '../errors.ts';
import { createOwn, NotARegularFileError, readOwn, requireOwn } from '../files/own-file.ts';
import { isThere } from '../files/paths.ts';
import { replaceOwn } from '../files/private-file.ts';

export const BINDING_FILE = '.svc.json';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 131 bits, so that no two ids are the same. */
const ID_LENGTH = 22;

const BINDING_BYTES_MAX = 64 * 1024;

export interface Binding {
  readonly bindingPublicId: string;
  readonly repositoryRoot: string;
  /** The digest of the remote for which the binding was created; null if the repository had none. */
  readonly remoteDigest: string | null;
}

/** The nearest folder, from this one upwards, that has a binding or is a repository. Null when there is none. */
export function repositoryRootOf(folder: string): string | null {
  let current = path.resolve(folder);
  for (;;) {
    if ([BINDING_FILE, '.git'].some((name) => isThere(path.join(current, name)))) return current;
    const parent = path.dirname(current);
    if (parent === current) return null;
    current = parent;
  }
}

/**
 * The binding of a folder. Needs no service.
 * @throws CliError when its file is damaged or not a regular file.
 */
export async function bindingOf(folder: string): Promise<Binding | null> {
  const repositoryRoot = repositoryRootOf(folder);
  if (repositoryRoot === null) return null;
  const fields = await fieldsIn(path.join(repositoryRoot, BINDING_FILE));
  if (fields === null) return null;
  const { bindingPublicId, remoteDigest = null } = fields;
  return { bindingPublicId, remoteDigest, repositoryRoot };
}

/** @throws CliError if something other than a regular file is at the path of the binding. */
export function requireBindingPlace(repositoryRoot: string): void {
  requireOwn(path.join(repositoryRoot, BINDING_FILE));
}

/**
 * Writes the binding of a repository that has none, or replaces its binding.
 * @throws CliError, or the system's error.
 */
export async function writeBinding(
  repositoryRoot: string,
  { bindingPublicId, remoteDigest }: Pick<Binding, 'bindingPublicId' | 'remoteDigest'>,
): Promise<void> {
  const file = path.join(repositoryRoot, BINDING_FILE);
  const content = contentOf({ bindingPublicId, ...(remoteDigest !== null && { remoteDigest }) });
  if (isThere(file)) await replaceOwn(file, content);
  else await createOwn(file, content, MODE_OF_NEW_FILE);
}

/**
 * Writes the digest, and keeps all other fields of the file.
 * @throws CliError, or the system's error.
 */
export async function writeRemoteDigest({ repositoryRoot }: Binding, remoteDigest: string): Promise<void> {
  const file = path.join(repositoryRoot, BINDING_FILE);
  await replaceOwn(file, contentOf({ ...(await fieldsIn(file)), remoteDigest }));
}

/** The permissions before the umask applies. */
const MODE_OF_NEW_FILE = 0o666;

interface Fields {
  readonly bindingPublicId: string;
  readonly remoteDigest?: string;
}

/** Null when there is no file. */
async function fieldsIn(file: string): Promise<Fields | null> {
  let bytes: Buffer | null;
  try {
    bytes = await readOwn(file, BINDING_BYTES_MAX);
  } catch (error) {
    if (error instanceof CliError && !(error instanceof NotARegularFileError && error.isFolder)) throw error;
    const code = error instanceof NotARegularFileError ? 'EISDIR' : (error as NodeJS.ErrnoException).code;
    throw new CliError('failed', `${file} cannot be read (${code}).`, {
      hint: code === 'EISDIR' ? 'Restore it from version control.' : 'Check its permissions.',
      cause: error,
    });
  }
  return bytes === null ? null : parsed(bytes.toString(), file);
}

async function parsed(text: string, file: string): Promise<Fields> {
  const damaged = (cause?: unknown, what = 'contains no valid binding id') =>
    new CliError('failed', `${file} ${what}.`, {
      hint: 'Restore it from version control, or delete it and run svc init.',
      cause,
    });
  let value: Partial<Fields> | null;
  try {
    value = JSON.parse(text) as Partial<Fields> | null;
  } catch (cause) {
    const { jsonFault } = await import('@svc/report/making/json-fault');
    const fault = jsonFault(text);
    throw damaged(cause, fault === undefined ? 'is not JSON' : `is not JSON (${fault})`);
  }
  const id = value?.bindingPublicId;
  const digest = value?.remoteDigest;
  const { bindingLengthMin, bindingLengthMax } = limits;
  if (typeof id !== 'string' || id.length < bindingLengthMin || id.length > bindingLengthMax) throw damaged();
  if (!/^[\w-]+$/.test(id)) throw damaged();
  if (digest !== undefined && !(typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest))) throw damaged();
  return { ...value, bindingPublicId: id };
}

function contentOf(fields: object): string {
  return `${JSON.stringify(fields, null, 2)}\n`;
}

export function newBindingId(): string {
  return Array.from({ length: ID_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');
}
