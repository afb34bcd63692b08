/**
 * The permission of this browser to upload one report: a device link that the user approves on this page. The
 * credential is only in memory. It expires after 15 minutes, or earlier if the upload ends or the user leaves the page.
 */
import { createClient, type Client } from '@svc/client';
import { sha256Hex } from '@svc/report/making/digest';
import { ApiError, ask, client } from '../../lib/api.ts';
import { readJson } from '../../lib/read-json.ts';
import { host } from './own-host.ts';

export interface UploadLink {
  readonly publicRequestId: string;
  readonly verifier: string;
}

export interface UploadCredential {
  readonly client: Client;
  /** Never throws. If the request fails, the credential expires after 15 minutes. */
  readonly revoke: () => Promise<void>;
}

const LIFETIME_MINUTES = 15;
const VERIFIER_BYTES = 32;

/** Starts a device link, which gives no permission before it is approved. */
export async function startLink(signal: AbortSignal): Promise<UploadLink> {
  const verifier = randomHex(VERIFIER_BYTES);
  const body = {
    verifierHash: sha256Hex(verifier),
    deviceName: 'Upload from a browser',
    clientVersion: host.cliVersion,
    osFamily: host.osFamily,
    arch: host.arch,
  };
  const { publicRequestId } = await ask('createDeviceLink', { body }, signal);
  return { publicRequestId, verifier };
}

/** Denies a link that was not exchanged. If this fails, the link expires after some minutes. */
export async function dropLink({ publicRequestId: id }: UploadLink): Promise<void> {
  await client.denyDeviceLink({ params: { id } }).catch(() => undefined);
}

/** Call when the user has allowed the upload, and only then. */
export async function approveLink(link: UploadLink, userId: string): Promise<UploadCredential> {
  const { publicRequestId: id, verifier } = link;
  const body = { userId, lifetimeMinutes: LIFETIME_MINUTES };
  await ask('approveDeviceLink', { params: { id }, body });
  try {
    const { deviceToken } = await ask('exchangeDeviceLink', { params: { id }, body: { verifier } });
    return { client: clientWith(deviceToken), revoke: () => revoke(deviceToken) };
  } catch (error) {
    await dropLink(link);
    throw error;
  }
}

async function revoke(deviceToken: string): Promise<void> {
  await clientWith(deviceToken, { keepalive: true })
    .revokeCurrentDevice()
    .catch(() => undefined);
}

/** Deletes a report that was not finalized and releases its unit, with the user's session. Ignores errors. */
export async function discardReport(reportId: string): Promise<void> {
  const keeping = createClient({
    readJson,
    fetch: (input, init) => fetch(input, { ...init, keepalive: true }),
  });
  await keeping.deleteReport({ params: { id: reportId } }).catch(() => undefined);
}

/** The client's calls send only the credential, never the session cookie. */
function clientWith(deviceToken: string, more: RequestInit = {}): Client {
  const calls: typeof fetch = (input, init) => fetch(input, { ...init, ...more, credentials: 'omit' });
  return createClient({ readJson, deviceToken, fetch: calls });
}

export function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** @throws ApiError */
export function bodyOf<Body>(outcome: { readonly ok: true; readonly body: Body } | FailureOf): Body {
  if (!outcome.ok) throw new ApiError(outcome);
  return outcome.body;
}

type FailureOf = ConstructorParameters<typeof ApiError>[0];
