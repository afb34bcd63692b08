/** Rules for the fields of a release, beyond its schema, for signing and for updating. */
import { ReceivedRelease, type Release } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import compare from 'semver/functions/compare.js';
import valid from 'semver/functions/valid.js';
import { jsonIn } from './envelope.ts';
import { rejected } from './rejections.ts';

/** @throws CliError when a signed payload is not a release that this version understands. */
export function releaseIn(payload: Uint8Array): Release {
  const value = jsonIn(payload);
  const validator = validatorOf(ReceivedRelease);
  const issues = validator.Check(value)
    ? contradictionsIn(value as Release)
    : issuesOf(validator, value).map(({ path, message }) => `${path || '/'}: ${message}`);
  if (issues.length === 0) return value as Release;
  throw rejected('MANIFEST_INVALID', 'The signed release is not valid.', {
    details: issues,
  });
}

/** One line for each fault in a release that the schema does not detect. */
export function contradictionsIn(release: Release): string[] {
  const { version, minimumVersion, revokedVersions, releasedAt, expiresAt, artifacts } = release;
  const versions = { version, minimumVersion, ...Object.fromEntries(revokedVersions.entries()) };
  const unreadable = Object.entries(versions).filter(([, text]) => !isVersion(text));
  if (unreadable.length > 0) {
    return unreadable.map(([name]) => {
      const place = /^\d+$/.test(name) ? `revokedVersions/${name}` : name;
      return `/${place}: must be a semantic version such as 1.2.3`;
    });
  }
  const issues: string[] = [];
  if (Date.parse(expiresAt) <= Date.parse(releasedAt))
    issues.push('/expiresAt: must be later than releasedAt');
  if (isOlder(version, minimumVersion)) issues.push('/minimumVersion: must not be later than version');
  const platforms = artifacts.map(({ platform, arch }) => `${platform}-${arch}`);
  for (const [index, name] of platforms.entries()) {
    if (platforms.indexOf(name) < index) issues.push(`/artifacts/${index}: ${name} is listed twice`);
  }
  return issues;
}

export function isVersion(text: string): boolean {
  return valid(text) !== null;
}

/** Compares by the precedence of semantic versions. */
export function isOlder(version: string, other: string): boolean {
  return compare(version, other) < 0;
}

export function isAmong(version: string, versions: readonly string[]): boolean {
  return versions.some((other) => compare(version, other) === 0);
}
