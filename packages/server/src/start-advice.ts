/**
 * Configurations that work but are probably not intended, logged once as warnings at the start. Each warning names the
 * variable or the file, and what to change.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { limits, normalizeEmail } from '@svc/contract';
import { isAdministratorMissed } from '#features/auth';
import { isLoopbackHost } from '#http/local-request';
import { systemClock } from '#platform/clock';
import type { Db } from '#platform/database/database';
import { createReplacedFile } from '#platform/replaced-file';
import type { Config } from './config.ts';

export async function startAdvice(config: Config, db: Db): Promise<string[]> {
  const advice = [
    await ofAdministrator(config, db),
    ofSecurityContact(config),
    ofOrigin(config),
    ofProxy(config),
    ofMasterKey(config),
    await ofManifest(config),
  ];
  return advice.filter((line) => line !== null);
}

async function ofAdministrator({ platformAdminEmail }: Config, db: Db): Promise<string | null> {
  if (platformAdminEmail === null || !(await isAdministratorMissed(db, platformAdminEmail))) return null;
  return 'PLATFORM_ADMIN_EMAIL: the account with this address existed before the variable was set, so it is not the administrator. Name an address without an account, and sign up with it.';
}

/** The advice does not contain the address, because it is logged. */
function ofSecurityContact({ securityContact, platformAdminEmail }: Config): string | null {
  if (securityContact === null || platformAdminEmail === null) return null;
  if (!normalizeEmail(securityContact).includes(platformAdminEmail)) return null;
  return 'SECURITY_CONTACT: publishes the address in PLATFORM_ADMIN_EMAIL. Use another address.';
}

function ofOrigin({ appBaseUrl }: Config): string | null {
  if (appBaseUrl === null || !appBaseUrl.startsWith('http:')) return null;
  if (isLoopbackHost(new URL(appBaseUrl).host)) return null;
  return 'APP_BASE_URL: without https, passwords, cookies and reports go over the network in plain text. Put a proxy with a certificate in front, and name its https origin.';
}

/** The service speaks no TLS itself. */
function ofProxy({ appBaseUrl, trustedProxyHops }: Config): string | null {
  if (!appBaseUrl?.startsWith('https:') || trustedProxyHops > 0) return null;
  return 'TRUSTED_PROXY_HOPS: is 0, while APP_BASE_URL is on https, which needs a proxy: all clients count as one address and are throttled together. Set it to the number of proxies that are yours.';
}

function ofMasterKey({ dataDir, masterKeys }: Config): string | null {
  const file = path.resolve(dataDir, 'master.key');
  const mode = masterKeys.length === 0 ? (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) : 0;
  if (process.platform === 'win32' || (mode & 0o077) === 0) return null;
  return `The master key file ${file} can be read by other users of this machine: chmod 600 it.`;
}

async function ofManifest({ updateManifestPath }: Config): Promise<string | null> {
  if (updateManifestPath === null) return null;
  const file = createReplacedFile(updateManifestPath, limits.release.manifestBytesMax, systemClock);
  const { problem } = await file.read();
  if (problem === undefined) return null;
  return `UPDATE_MANIFEST_PATH: ${JSON.stringify(updateManifestPath)} cannot be used (${problem}), so clients are offered no release. The file is read again at the next request.`;
}
