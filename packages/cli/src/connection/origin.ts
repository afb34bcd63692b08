/**
 * Which service a command calls: `SVC_API_BASE_URL` for one command, else the one remembered at login, else the one
 * that `npm start` runs on this machine. Without `SVC_ALLOW_HTTP=1`, a bearer token is never sent unencrypted to
 * another machine.
 */
import path from 'node:path';
import { writtenByAnotherBuild } from '../another-build.ts';
import type { Environment } from '../environment.ts';
import { CliError } from '../errors.ts';
import { readJsonIfThere, writeJson } from '../json-file.ts';

const DEFAULT_ORIGIN = 'http://localhost:8787';

/** @throws CliError when the address cannot be used, or the remembered one cannot be read. */
export async function originOf(environment: Environment, configFolder: string): Promise<string> {
  const given = environment['SVC_API_BASE_URL'];
  if (given) return readOrigin(given, 'SVC_API_BASE_URL', environment);
  const file = fileOf(configFolder);
  const remembered = await readJsonIfThere<{ service: unknown }>(file);
  if (remembered === null) return DEFAULT_ORIGIN;
  if (typeof remembered.service !== 'string') throw writtenByAnotherBuild(file);
  return readOrigin(remembered.service, file, environment);
}

export function rememberOrigin(configFolder: string, origin: string): Promise<void> {
  return writeJson(fileOf(configFolder), { service: origin });
}

function fileOf(configFolder: string): string {
  return path.join(configFolder, 'service.json');
}

/** The origin of an address with or without `/api/v1`. */
function readOrigin(text: string, source: string, environment: Environment): string {
  const url = URL.parse(text.trim());
  const reject = (message: string, hint: string): never => {
    throw new CliError('usage', `${source}: ${message}`, { hint });
  };
  const form = 'Give the origin of the service, such as https://svc.example.com.';
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return reject('it is not an http or https address.', form);
  if (url.username !== '' || url.password !== '') {
    return reject('an address must not contain a user name or a password.', form);
  }
  if (!/^\/(?:api\/v1\/?)?$/.test(url.pathname) || url.search !== '' || url.hash !== '') {
    return reject('it contains more than the origin of the service.', form);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && environment['SVC_ALLOW_HTTP'] !== '1') {
    return reject(
      `${url.origin} is not encrypted, so the credential would be sent in clear text.`,
      'Use https, or set SVC_ALLOW_HTTP=1 if you trust the network.',
    );
  }
  return url.origin;
}

/** A name or an address of this machine, as in a URL. */
export function isLoopback(host: string): boolean {
  return /^(?:.+\.)?localhost$/.test(host) || /^127(?:\.\d+){3}$/.test(host) || host === '[::1]';
}

/** An origin as a file name, different for different origins. */
export function fileNameOf(origin: string): string {
  return encodeURIComponent(origin);
}
