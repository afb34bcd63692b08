/**
 * The file by which a repository says which project it is: `.svc.json` at its root, meant to be committed, so that every
 * clone is the same project. It names the binding, and by a digest the remote that it was made for (remote.ts); who may use
 * it is the service's to decide. A repository may be a stranger's: the file is opened as one of our own (own-file.ts).
 */
import path from 'node:path';
import { randomInt } from 'node:crypto';
import { limits } from '@svc/contract';
import { CliError } from '../errors.ts';
import { createOwn, NotARegularFileError, readOwn, requireOwn } from '../files/own-file.ts';
import { isThere } from '../files/places.ts';
import { replaceOwn } from '../files/private-file.ts';

export const BINDING_FILE = '.svc.json';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 131 bits: nobody else has the same. */
const ID_LENGTH = 22;

const BINDING_BYTES_MAX = 64 * 1024;

export interface Binding {
  readonly bindingPublicId: string;
  readonly repositoryRoot: string;
  /** Of the remote that it was made for; null in older files and where there was no remote. */
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

/** The binding that a folder is under. Needs no service. @throws CliError when its file is damaged or no regular file. */
export async function bindingOf(folder: string): Promise<Binding | null> {
  const repositoryRoot = repositoryRootOf(folder);
  if (repositoryRoot === null) return null;
  const fields = await fieldsIn(path.join(repositoryRoot, BINDING_FILE));
  if (fields === null) return null;
  const { bindingPublicId, remoteDigest = null } = fields;
  return { bindingPublicId, remoteDigest, repositoryRoot };
}

/** @throws CliError for anything but a regular file in its place. */
export function requireBindingPlace(repositoryRoot: string): void {
  requireOwn(path.join(repositoryRoot, BINDING_FILE));
}

/** For a repository that has none, or whose own is given up. @throws CliError, or the system's error. */
export async function writeBinding(
  repositoryRoot: string,
  { bindingPublicId, remoteDigest }: Pick<Binding, 'bindingPublicId' | 'remoteDigest'>,
): Promise<void> {
  const file = path.join(repositoryRoot, BINDING_FILE);
  const content = contentOf({ bindingPublicId, ...(remoteDigest !== null && { remoteDigest }) });
  if (isThere(file)) await replaceOwn(file, content);
  else await createOwn(file, content, MODE_OF_NEW_FILE);
}

/** All else in the file stays as it is. @throws CliError, or the system's error. */
export async function writeRemoteDigest({ repositoryRoot }: Binding, remoteDigest: string): Promise<void> {
  const file = path.join(repositoryRoot, BINDING_FILE);
  await replaceOwn(file, contentOf({ ...(await fieldsIn(file)), remoteDigest }));
}

/** What the person's umask leaves of it. */
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
    throw new CliError('failed', `${file} can not be read (${code}).`, {
      hint: 'Restore it from version control.',
      cause: error,
    });
  }
  return bytes === null ? null : parsed(bytes.toString(), file);
}

function parsed(text: string, file: string): Fields {
  const damaged = (cause?: unknown) =>
    new CliError('failed', `${file} names no binding.`, {
      hint: 'Restore it from version control, or delete it and run svc init.',
      cause,
    });
  let value: Partial<Fields> | null;
  try {
    value = JSON.parse(text) as Partial<Fields> | null;
  } catch (cause) {
    throw damaged(cause);
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
