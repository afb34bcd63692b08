/** Which versions of the client are accepted. */
import semver from 'semver';
import { AppError } from '#app-error';

export interface ClientVersionRules {
  readonly min: string | null;
  readonly revoked: readonly string[];
}

/**
 * Versions are compared as semver. Where a minimum is set, an unreadable version is too old.
 * @throws AppError CLIENT_VERSION_REVOKED or CLIENT_VERSION_TOO_OLD
 */
export function rejectClientVersion(version: string, rules: ClientVersionRules): void {
  const parsed = semver.parse(version.trim());
  if (parsed && rules.revoked.some((revoked) => semver.eq(parsed, revoked))) {
    throw new AppError('CLIENT_VERSION_REVOKED', {
      message: `Version ${parsed.version} was revoked. Update the client.`,
    });
  }
  if (rules.min !== null && (!parsed || semver.lt(parsed, rules.min))) {
    throw new AppError('CLIENT_VERSION_TOO_OLD', {
      message: `The client must be version ${rules.min} or later. Update it.`,
    });
  }
}
