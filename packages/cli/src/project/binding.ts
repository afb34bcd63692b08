/**
 * The file by which a repository says which project it is: `.svc.json` at its root, meant to be committed, so that every
 * clone is the same project. It names the binding and nothing else; who may use it is the service's to decide.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { randomInt } from 'node:crypto';
import { limits } from '@svc/contract';
import { CliError } from '../errors.ts';

export const BINDING_FILE = '.svc.json';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 131 bits: nobody else has the same. */
const ID_LENGTH = 22;

export interface Binding {
  readonly bindingPublicId: string;
  readonly repositoryRoot: string;
}

/** The nearest folder, from this one upwards, that has a binding or is a repository. Null when there is none. */
export function repositoryRootOf(folder: string): string | null {
  let current = path.resolve(folder);
  for (;;) {
    if ([BINDING_FILE, '.git'].some((name) => existsSync(path.join(current, name)))) return current;
    const parent = path.dirname(current);
    if (parent === current) return null;
    current = parent;
  }
}

/** The binding that a folder is under. Needs no service. @throws CliError when its file is damaged. */
export async function bindingOf(folder: string): Promise<Binding | null> {
  const repositoryRoot = repositoryRootOf(folder);
  if (repositoryRoot === null) return null;
  const file = path.join(repositoryRoot, BINDING_FILE);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new CliError('failed', `${file} can not be read (${code}).`, {
      hint: 'Restore it from version control.',
      cause: error,
    });
  }
  return { bindingPublicId: bindingIn(text, file), repositoryRoot };
}

function bindingIn(text: string, file: string): string {
  const damaged = (cause?: unknown) =>
    new CliError('failed', `${file} names no binding.`, {
      hint: 'Restore it from version control, or delete it and run svc init.',
      cause,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw damaged(cause);
  }
  const id = (value as { bindingPublicId?: unknown } | null)?.bindingPublicId;
  const { bindingLengthMin, bindingLengthMax } = limits;
  if (typeof id !== 'string' || id.length < bindingLengthMin || id.length > bindingLengthMax) throw damaged();
  if (!/^[\w-]+$/.test(id)) throw damaged();
  return id;
}

export function bindingFileContent(bindingPublicId: string): string {
  return `${JSON.stringify({ bindingPublicId }, null, 2)}\n`;
}

export function newBindingId(): string {
  return Array.from({ length: ID_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');
}
