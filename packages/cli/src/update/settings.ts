/**
 * Which keys and which channel an update trusts. For each, the first source counts: the variable, then `update.json` in the
 * config folder, then the built-in value.
 */
import path from 'node:path';
import { isChannel } from '@svc/contract';
import builtIn from '../../release-keys.json' with { type: 'json' };
import type { Environment } from '../environment.ts';
import { CliError } from '../errors.ts';
import { foldersOf } from '../folders.ts';
import { readJsonIfThere } from '../json-file.ts';
import { publicKeyFrom, type PublicKey } from '../manifest/keys.ts';
import { rejected } from '../manifest/rejections.ts';

const DEFAULT_CHANNEL = 'stable';

export interface UpdateSettings {
  readonly channel: string;
  /** At least one. */
  readonly keys: readonly PublicKey[];
}

interface SettingsFile {
  readonly channel: string;
  readonly keys: readonly string[];
}

/** @throws CliError when the channel or a key is invalid, or no key is trusted. */
export async function updateSettings(environment: Environment): Promise<UpdateSettings> {
  const file = path.join(foldersOf(environment).config, 'update.json');
  const kept: Partial<Record<keyof SettingsFile, unknown>> =
    (await readJsonIfThere<SettingsFile>(file)) ?? {};
  return {
    channel: channelOf(environment, file, kept.channel),
    keys: trustedKeys(environment, file, kept.keys),
  };
}

function channelOf(environment: Environment, file: string, kept: unknown): string {
  const given = environment['SVC_UPDATE_CHANNEL'];
  const channel = given || (kept ?? DEFAULT_CHANNEL);
  if (typeof channel === 'string' && isChannel(channel)) return channel;
  throw new CliError('usage', `${given ? 'SVC_UPDATE_CHANNEL' : file}: it is not the name of a channel.`, {
    hint: 'Give one word of lower-case letters, digits and hyphens, such as stable.',
  });
}

function trustedKeys(environment: Environment, file: string, kept: unknown): PublicKey[] {
  const given = environment['SVC_UPDATE_KEYS']?.trim();
  if (given) return keysIn(given.split(/[\s,]+/).filter(Boolean), 'SVC_UPDATE_KEYS');
  if (kept !== undefined) return keysIn(Array.isArray(kept) ? kept : [kept], file);
  const own: readonly string[] = builtIn.keys;
  if (own.length === 0) {
    throw rejected('UPDATE_NO_KEYS', 'This svc trusts no keys, so it cannot accept a release.');
  }
  return keysIn(own, 'The list of built-in keys');
}

function keysIn(lines: readonly unknown[], source: string): PublicKey[] {
  return lines.map((line, index) => {
    const key = typeof line === 'string' ? publicKeyFrom(line) : undefined;
    if (key) return key;
    throw new CliError('usage', `${source}: entry ${index + 1} is not a public release key.`, {
      hint: 'Give the line that svc manifest keygen prints; separate several with commas.',
    });
  });
}
