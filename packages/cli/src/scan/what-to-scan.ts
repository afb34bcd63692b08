/**
 * What `svc scan` scans: without a path, the whole repository around the current folder; with a path, only that folder
 * or file. In both cases, findings have paths from the root of the repository.
 */
import path from 'node:path';
import type { Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import { kindOf, realPath } from '../files/paths.ts';
import { nearest } from '../nearest.ts';
import { repositoryRootOf } from '../project/binding.ts';
import type { ScannedPart } from '../report/scanned-part.ts';
import { safeLine } from '../terminal/safe-text.ts';

export interface WhatToScan {
  /** The root of the repository; absolute, with symbolic links resolved. */
  readonly root: string;
  /** Undefined for the whole repository. */
  readonly part: ScannedPart | undefined;
}

/** @throws CliError `rejected` for what cannot be scanned. */
export async function whatToScan({
  arguments: [given],
  folder,
}: Pick<Invocation, 'arguments' | 'folder'>): Promise<WhatToScan> {
  if (typeof given !== 'string') {
    const here = await realPath(folder);
    return { root: repositoryRootOf(here) ?? here, part: undefined };
  }
  const asked = path.resolve(folder, given);
  const kind = await kindOf(asked);
  if (kind !== 'folder' && kind !== 'file') throw notThere(given, asked, kind !== undefined);
  // For a link, its target is scanned.
  const real = await realPath(asked);
  const nearby = kind === 'file' ? path.dirname(real) : real;
  const root = repositoryRootOf(nearby) ?? nearby;
  const relative = path.relative(root, real).split(path.sep).join('/');
  return { root, part: relative === '' ? undefined : { path: relative, kind } };
}

function notThere(given: string, asked: string, isOther: boolean): CliError {
  if (isOther) return new CliError('rejected', `${safeLine(asked)} is neither a folder nor a file.`);
  const command = nearest(given, ['start', 'finish', 'abort']);
  return new CliError('rejected', `${safeLine(asked)} does not exist or cannot be read.`, {
    ...(command !== undefined && { hint: `Did you mean svc scan ${command}?` }),
  });
}
