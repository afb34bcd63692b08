/** The rules that reject a signed release: pure functions, the same for a check and an update. */
import type { Release } from '@svc/contract';
import { isAmong, isOlder } from '../manifest/release.ts';
import { rejected } from '../manifest/rejections.ts';
import type { SeenRelease } from './seen-releases.ts';

export interface Standing {
  /** The channel that this svc follows. */
  readonly channel: string;
  readonly installed: string;
  readonly nowMs: number;
  readonly seen: SeenRelease | null;
}

/** @throws CliError when every client would reject the release, whatever it has installed or seen. */
export function rejectByItself({ version, expiresAt, revokedVersions }: Release, nowMs: number): void {
  if (Date.parse(expiresAt) <= nowMs) {
    throw rejected('MANIFEST_EXPIRED', `The release manifest expired at ${expiresAt}.`);
  }
  if (isAmong(version, revokedVersions)) {
    throw rejected('MANIFEST_REVOKED', `The release, ${version}, lists itself as revoked.`);
  }
}

/** @throws CliError for the first rule that the release breaks. */
export function rejectRelease(release: Release, { channel, installed, nowMs, seen }: Standing): void {
  const { version, releasedAt } = release;
  if (release.channel !== channel) {
    throw rejected(
      'MANIFEST_OTHER_CHANNEL',
      `The service serves releases of the channel ${release.channel}, and this svc follows ${channel}.`,
    );
  }
  rejectByItself(release, nowMs);
  if (seen && Date.parse(releasedAt) < seen.releasedAtMs) {
    throw rejected(
      'MANIFEST_STALE',
      `The release manifest is from ${releasedAt}, but one from ${new Date(seen.releasedAtMs).toISOString()} was seen before.`,
    );
  }
  if (isOlder(version, installed)) {
    throw rejected(
      'MANIFEST_DOWNGRADE',
      `The release is ${version}, which is lower than the running version, ${installed}.`,
    );
  }
  if (seen && isOlder(version, seen.version)) {
    throw rejected(
      'MANIFEST_DOWNGRADE',
      `The release is ${version}, which is lower than ${seen.version}, which was seen before.`,
    );
  }
}
