/**
 * What the service offers to this machine: its manifest, fetched, opened, and held against every rule. Nothing is written
 * here: an offer is remembered by whoever takes it, once nothing is left that could refuse it.
 */
import { limits, type Release, type ReleaseArtifact } from '@svc/contract';
import type { Invocation } from '../command.ts';
import { originOf } from '../connection/origin.ts';
import { foldersOf } from '../folders.ts';
import { openEnvelope, signersOf } from '../manifest/envelope.ts';
import { isAmong, isOlder, releaseIn } from '../manifest/release.ts';
import { refused, type RefusalCode } from '../manifest/refusals.ts';
import { version } from '../version.ts';
import { remember, seenOf, type Seen } from './memory.ts';
import { refuseRelease } from './rules.ts';
import { updateSettings, type UpdateSettings } from './settings.ts';
import { transfer, TransferError, type TransferProblem } from './transfer.ts';

export interface Offer {
  readonly origin: string;
  readonly channel: string;
  readonly release: Release;
  readonly state: 'current' | 'available';
  /** The version that runs was withdrawn, or is older than the oldest that still counts. */
  readonly isUrgent: boolean;
  /** Ids of the trusted keys that have signed it. */
  readonly keyIds: readonly string[];
  /** For this machine; null when this version is current. */
  readonly artifact: ReleaseArtifact | null;
}

const BOUNDS = {
  bytesMax: limits.release.manifestBytesMax,
  totalMs: 60_000,
  silenceMs: 20_000,
  redirectsMax: 0,
};

const codes: Readonly<Record<TransferProblem, RefusalCode>> = {
  unreachable: 'MANIFEST_UNREACHABLE',
  slow: 'MANIFEST_TOO_SLOW',
  encoded: 'MANIFEST_ENCODED',
  tooLarge: 'MANIFEST_TOO_LARGE',
  redirected: 'MANIFEST_REDIRECTED',
  address: 'MANIFEST_REDIRECTED',
};

/** @throws CliError for the first rule that what the service serves breaks. */
export async function currentOffer({
  environment,
  signal,
}: Pick<Invocation, 'environment' | 'signal'>): Promise<Offer> {
  const { config, data } = foldersOf(environment);
  const settings = await updateSettings(environment);
  const origin = await originOf(environment, config);
  const { release, keyIds } = opened(await fetchManifest(origin, signal), settings);
  const { channel } = settings;
  acceptable(release, channel, await seenOf(data, channel));
  const isNewer = isOlder(version, release.version);
  const artifact = isNewer ? artifactFor(release) : null;
  return {
    origin,
    channel,
    release,
    keyIds,
    artifact,
    state: isNewer ? 'available' : 'current',
    isUrgent: isAmong(version, release.revokedVersions) || isOlder(version, release.minimumVersion),
  };
}

/** From here on nothing older is taken. @throws CliError when another svc has seen what refuses it meanwhile. */
export function rememberOffer(
  { environment }: Pick<Invocation, 'environment'>,
  { release, channel }: Pick<Offer, 'release' | 'channel'>,
): Promise<void> {
  const seenNow = { version: release.version, releasedAtMs: Date.parse(release.releasedAt) };
  return remember(foldersOf(environment).data, channel, seenNow, (seen) => {
    refuseIfOvertaken(release, seen);
    acceptable(release, channel, seen);
  });
}

/** Another svc may have seen a newer one since this one was offered. */
export function refuseIfOvertaken(release: Release, seen: Seen | null): void {
  if (!seen || !isOlder(release.version, seen.version)) return;
  throw refused('UPDATE_OVERTAKEN', `svc ${seen.version} was released while ${release.version} was fetched.`);
}

function acceptable(release: Release, channel: string, seen: Seen | null): void {
  refuseRelease(release, { channel, installed: version, nowMs: Date.now(), seen });
}

async function fetchManifest(origin: string, signal: AbortSignal): Promise<Uint8Array> {
  const url = new URL('/api/v1/updates/manifest', origin);
  try {
    const { status, bytes } = await transfer({ url, bounds: BOUNDS, signal });
    if (bytes) return bytes;
    throw status === 404
      ? refused('MANIFEST_ABSENT', `${origin} serves no releases of svc.`)
      : refused('MANIFEST_UNREACHABLE', `${origin} has no release manifest just now (status ${status}).`);
  } catch (error) {
    if (!(error instanceof TransferError)) throw error;
    throw refused(codes[error.problem], `The release manifest of ${origin} is not taken: ${error.message}.`, {
      cause: error,
    });
  }
}

function opened(bytes: Uint8Array, { keys }: UpdateSettings) {
  const envelope = openEnvelope(bytes);
  const keyIds = signersOf(envelope, keys).map(({ keyId }) => keyId);
  if (keyIds.length === 0) {
    throw refused('MANIFEST_UNTRUSTED', 'The release manifest is signed by no key that this svc trusts.', {
      details: keys.map(({ keyId }) => `trusted: ${keyId}`),
    });
  }
  return { release: releaseIn(envelope.payload), keyIds };
}

function artifactFor({ artifacts, version: offered }: Release): ReleaseArtifact {
  const { platform, arch } = process;
  const found = artifacts.find((artifact) => artifact.platform === platform && artifact.arch === arch);
  if (found) return found;
  throw refused(
    'ARTIFACT_ABSENT',
    `Release ${offered} has no program for ${platform}-${arch}, this machine.`,
    {
      details: artifacts.map((artifact) => `there is: ${artifact.platform}-${artifact.arch}`),
    },
  );
}
