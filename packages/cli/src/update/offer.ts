/**
 * The release that the service offers to this machine: its manifest is downloaded, opened, and checked against every
 * rule. Only `rememberOffer` writes. The caller uses it once nothing can reject the offer any more.
 */
import { limits, type Release, type ReleaseArtifact } from '@svc/contract';
import type { Invocation } from '../command.ts';
import { originOf } from '../connection/origin.ts';
import { foldersOf } from '../folders.ts';
import { openEnvelope, signersOf } from '../manifest/envelope.ts';
import { isAmong, isOlder, releaseIn } from '../manifest/release.ts';
import { rejected, type RejectionCode } from '../manifest/rejections.ts';
import { version } from '../version.ts';
import { remember, seenOf, type SeenRelease } from './seen-releases.ts';
import { rejectRelease } from './rules.ts';
import { updateSettings, type UpdateSettings } from './settings.ts';
import { transfer, TransferError, type TransferProblem } from './transfer.ts';
import { MINUTE_MS } from '../time.ts';

export interface ReleaseOffer {
  readonly origin: string;
  readonly channel: string;
  readonly release: Release;
  readonly state: 'current' | 'available';
  /** The running version was revoked, or is older than the minimum. */
  readonly isUrgent: boolean;
  /** Ids of the trusted keys that signed the release. */
  readonly keyIds: readonly string[];
  /** The program for this machine; null when this version is current. */
  readonly artifact: ReleaseArtifact | null;
}

const BOUNDS = {
  bytesMax: limits.release.manifestBytesMax,
  totalMs: MINUTE_MS,
  silenceMs: 20_000,
  redirectsMax: 0,
};

const codes: Readonly<Record<TransferProblem, RejectionCode>> = {
  unreachable: 'MANIFEST_UNREACHABLE',
  slow: 'MANIFEST_TOO_SLOW',
  encoded: 'MANIFEST_ENCODED',
  tooLarge: 'MANIFEST_TOO_LARGE',
  redirected: 'MANIFEST_REDIRECTED',
  address: 'MANIFEST_REDIRECTED',
};

/** @throws CliError for the first rule that the served manifest breaks. */
export async function currentOffer({
  environment,
  signal,
}: Pick<Invocation, 'environment' | 'signal'>): Promise<ReleaseOffer> {
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

/**
 * Records the offer: from then on no older release is accepted.
 * @throws CliError when another svc has seen a newer release in the meantime.
 */
export function rememberOffer(
  { environment }: Pick<Invocation, 'environment'>,
  { release, channel }: Pick<ReleaseOffer, 'release' | 'channel'>,
): Promise<void> {
  const seenNow = { version: release.version, releasedAtMs: Date.parse(release.releasedAt) };
  return remember(foldersOf(environment).data, channel, seenNow, (seen) => {
    rejectIfOvertaken(release, seen);
    acceptable(release, channel, seen);
  });
}

/** Another svc may have seen a newer release since this one was offered. */
export function rejectIfOvertaken(release: Release, seen: SeenRelease | null): void {
  if (!seen || !isOlder(release.version, seen.version)) return;
  throw rejected(
    'UPDATE_OVERTAKEN',
    `svc ${release.version} was not installed: the newer svc ${seen.version} was released in the meantime.`,
  );
}

function acceptable(release: Release, channel: string, seen: SeenRelease | null): void {
  rejectRelease(release, { channel, installed: version, nowMs: Date.now(), seen });
}

async function fetchManifest(origin: string, signal: AbortSignal): Promise<Uint8Array> {
  const url = new URL('/api/v1/updates/manifest', origin);
  try {
    const { status, bytes } = await transfer({ url, bounds: BOUNDS, signal });
    if (bytes) return bytes;
    throw status === 404
      ? rejected('MANIFEST_ABSENT', `${origin} serves no releases of svc.`)
      : rejected(
          'MANIFEST_UNREACHABLE',
          `${origin} has no usable release manifest at the moment (status ${status}).`,
        );
  } catch (error) {
    if (!(error instanceof TransferError)) throw error;
    throw rejected(
      codes[error.problem],
      `The release manifest of ${origin} was rejected: ${error.message}.`,
      {
        cause: error,
      },
    );
  }
}

function opened(bytes: Uint8Array, { keys }: UpdateSettings) {
  const envelope = openEnvelope(bytes);
  const keyIds = signersOf(envelope, keys).map(({ keyId }) => keyId);
  if (keyIds.length === 0) {
    throw rejected(
      'MANIFEST_UNTRUSTED',
      'The release manifest is not signed by any key that this svc trusts.',
      {
        details: keys.map(({ keyId }) => `trusted: ${keyId}`),
      },
    );
  }
  return { release: releaseIn(envelope.payload), keyIds };
}

function artifactFor({ artifacts, version: offered }: Release): ReleaseArtifact {
  const { platform, arch } = process;
  const found = artifacts.find((artifact) => artifact.platform === platform && artifact.arch === arch);
  if (found) return found;
  throw rejected(
    'ARTIFACT_ABSENT',
    `Release ${offered} has no program for this machine, ${platform}-${arch}.`,
    {
      details: artifacts.map((artifact) => `available: ${artifact.platform}-${artifact.arch}`),
    },
  );
}
