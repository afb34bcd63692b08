/**
 * Whether usage is counted: yes, unless `DO_NOT_TRACK`, `SVC_ANALYTICS` or `svc analytics off` turned counting off.
 */
import path from 'node:path';
import { writtenByAnotherBuild } from '../another-build.ts';
import type { Environment } from '../environment.ts';
import { foldersOf } from '../folders.ts';
import { readJsonIfThere, writeJson } from '../json-file.ts';

export interface AnalyticsChoice {
  readonly isOn: boolean;
  /** What decided whether usage is counted. */
  readonly because: 'DO_NOT_TRACK' | 'SVC_ANALYTICS' | 'chosen' | 'default';
}

const NO: ReadonlySet<string> = new Set(['off', '0', 'false', 'no']);

/** @throws CliError when the file with the choice is damaged. */
export async function choiceOf(environment: Environment): Promise<AnalyticsChoice> {
  const tracked = environment['DO_NOT_TRACK']?.trim().toLowerCase() ?? '';
  if (tracked !== '' && !NO.has(tracked)) return { isOn: false, because: 'DO_NOT_TRACK' };
  const wanted = environment['SVC_ANALYTICS']?.trim().toLowerCase() ?? '';
  if (NO.has(wanted)) return { isOn: false, because: 'SVC_ANALYTICS' };
  const kept = await readJsonIfThere<{ isOn: unknown }>(fileOf(environment));
  if (kept === null) return { isOn: true, because: 'default' };
  if (typeof kept.isOn !== 'boolean') throw writtenByAnotherBuild(fileOf(environment));
  return { isOn: kept.isOn, because: 'chosen' };
}

export function choose(environment: Environment, isOn: boolean): Promise<void> {
  return writeJson(fileOf(environment), { isOn });
}

function fileOf(environment: Environment): string {
  return path.join(foldersOf(environment).config, 'analytics.json');
}
