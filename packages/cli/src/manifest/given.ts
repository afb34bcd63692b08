/** The input of the operator's commands: JSON files, key files, and the destination of the result. */
import path from 'node:path';
import { limits } from '@svc/contract';
import type { Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import { readGiven } from '../files/given-file.ts';
import { readJson } from '../report/json-input.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { KEY_BYTES_MAX, publicKeyFrom, readPrivateKey, type PrivateKey, type PublicKey } from './keys.ts';

export interface GivenJson {
  /** The name in messages. */
  readonly shown: string;
  readonly value: unknown;
  readonly bytes: Uint8Array;
  /** The folder for relative paths in the file. */
  readonly folder: string;
}

/**
 * Reads the only argument.
 * @throws CliError `rejected` when it is not JSON.
 */
export async function givenJson(invocation: Invocation): Promise<GivenJson> {
  const {
    arguments: [name],
    folder,
  } = invocation;
  const given = String(name);
  const isStandardInput = given === '-';
  const file = isStandardInput ? given : path.resolve(folder, given);
  const shown = isStandardInput ? 'Standard input' : safeLine(given);
  const input = await readJson({ file, sizeBytesMax: limits.release.manifestBytesMax }, invocation);
  if (!input.isJson) throw new CliError('rejected', `${shown} is ${input.reason}.`);
  return {
    shown,
    value: input.value,
    bytes: input.bytes,
    folder: isStandardInput ? folder : path.dirname(file),
  };
}

export function outputOf({ options }: Invocation): string {
  const { output } = options;
  if (typeof output === 'string') return output;
  throw new CliError('usage', 'No output file given.', { hint: 'Use --output FILE.' });
}

/** The private keys in the files that were given, at least one. */
export async function privateKeysOf({ options, folder, signal }: Invocation): Promise<PrivateKey[]> {
  const files = keyWords(options);
  if (files.length === 0) {
    throw new CliError('usage', 'No key was given to sign with.', {
      hint: 'Name the file of a private key with --key.',
    });
  }
  return Promise.all(files.map((file) => readPrivateKey(path.resolve(folder, file), signal)));
}

/** Empty when no key was given. */
export function publicKeysOf({ options, folder, signal }: Invocation): Promise<PublicKey[]> {
  return Promise.all(
    keyWords(options).map(async (word) => {
      const text = publicKeyFrom(word)
        ? word
        : String(await readGiven(path.resolve(folder, word), KEY_BYTES_MAX, signal).catch(() => ''));
      const key = publicKeyFrom(text);
      if (key) return key;
      throw new CliError('usage', `${safeLine(word)} is neither a public key nor a file that contains one.`, {
        hint: 'Give the line that svc manifest keygen prints, or its .pub file.',
      });
    }),
  );
}

function keyWords({ key }: Invocation['options']): readonly string[] {
  return Array.isArray(key) ? (key as string[]) : [];
}
