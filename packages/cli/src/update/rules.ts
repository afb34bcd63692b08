/** The rules by which a release is refused, though it is signed: pure, and the same for a check and an update. */
import type { Release } from '@svc/contract';
import { isAmong, isOlder } from '../manifest/release.ts';
import { refused } from '../manifest/refusals.ts';
import type { Seen } from './memory.ts';

export interface Standing {
  /** That releases are wanted of. */
  readonly channel: string;
  readonly installed: string;
  readonly nowMs: number;
  readonly seen: Seen | null;
}

/** @throws CliError for the first rule that the release breaks. */
export function refuseRelease(release: Release, { channel, installed, nowMs, seen }: Standing): void {
  const { version, releasedAt, expiresAt, revokedVersions } = release;
  if (release.channel !== channel) {
    throw refused(
      'MANIFEST_OTHER_CHANNEL',
      `The service serves releases of the channel ${release.channel}, and this svc follows ${channel}.`,
    );
  }
  if (Date.parse(expiresAt) <= nowMs) {
    throw refused('MANIFEST_EXPIRED', `The release manifest has expired at ${expiresAt}.`);
  }
  if (seen && Date.parse(releasedAt) < seen.releasedAtMs) {
    throw refused(
      'MANIFEST_STALE',
      `The release manifest is of ${releasedAt}, and one of ${new Date(seen.releasedAtMs).toISOString()} was seen before.`,
    );
  }
  if (isOlder(version, installed)) {
    throw refused(
      'MANIFEST_DOWNGRADE',
      `The release is ${version}, which is lower than ${installed}, the version that runs.`,
    );
  }
  if (seen && isOlder(version, seen.version)) {
    throw refused(
      'MANIFEST_DOWNGRADE',
      `The release is ${version}, which is lower than ${seen.version}, which was seen before.`,
    );
  }
  if (isAmong(version, revokedVersions)) {
    throw refused('MANIFEST_REVOKED', `The release is ${version}, which it says is withdrawn.`);
  }
}
