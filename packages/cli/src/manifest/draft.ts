/**
 * A release draft as an operator writes it. It has the fields that will be signed, but an artifact may name its file
 * instead of size and digest, and the time of the release may be absent. Everything that a client would reject is
 * reported here. Faults that one check finds are reported together.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { limits, Release } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { CliError } from '../errors.ts';
import { readBounded } from '../files/read-bounded.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { artifactAddress } from './artifact-address.ts';
import { contradictionsIn, isAmong } from './release.ts';

/**
 * How far in the future the time of a release may be, since clocks differ. The limit catches a mistyped year: clients
 * that have seen it would reject all releases with earlier times.
 */
const FUTURE_MS_MAX = 600_000;

type Fields = Readonly<Record<string, unknown>>;

/** @throws CliError `rejected`, with a line for each fault. */
export async function releaseFromDraft(
  value: unknown,
  { shown, folder }: { readonly shown: string; readonly folder: string },
  nowMs: number,
): Promise<Release> {
  const problems: string[] = [];
  const { artifacts, ...draft } = fieldsOf(value);
  const filled = Array.isArray(artifacts)
    ? await Promise.all(artifacts.map((artifact, index) => filledArtifact(artifact, index, folder, problems)))
    : artifacts;
  const release = { releasedAt: new Date(nowMs).toISOString(), ...draft, artifacts: filled };
  const issues = problems.length > 0 ? problems : releaseProblems(release, nowMs);
  if (issues.length > 0) {
    throw new CliError('rejected', `${shown} is not a release that can be signed.`, {
      details: issues.map(safeLine),
      hint: 'Correct it and sign it again; docs/RELEASING.md describes each field.',
    });
  }
  return release as Release;
}

/** One line for each fault in what is to be signed. */
export function releaseProblems(value: unknown, nowMs: number): string[] {
  const validator = validatorOf(Release);
  if (!validator.Check(value)) {
    return issuesOf(validator, value).map(({ path: place, message }) => `${place || '/'}: ${message}`);
  }
  const release = value as Release;
  const issues = contradictionsIn(release);
  if (issues.length > 0) return issues;
  const { version, revokedVersions, releasedAt, expiresAt, artifacts } = release;
  if (isAmong(version, revokedVersions)) issues.push('/revokedVersions: must not name the version itself');
  if (Date.parse(expiresAt) <= nowMs) issues.push('/expiresAt: has passed');
  if (Date.parse(releasedAt) > nowMs + FUTURE_MS_MAX) issues.push('/releasedAt: must not be in the future');
  for (const [index, { url }] of artifacts.entries()) {
    if (!artifactAddress(url)) {
      issues.push(`/artifacts/${index}/url: must be an https address without a user or a password`);
    }
  }
  return issues;
}

/** Adds size and digest of the named file. A size or digest that is given too must match the file. */
async function filledArtifact(
  value: unknown,
  index: number,
  folder: string,
  problems: string[],
): Promise<unknown> {
  const { file, ...artifact } = fieldsOf(value);
  if (file === undefined) return value;
  const place = `/artifacts/${index}`;
  const bytesMax = limits.release.artifactBytesMax;
  const bytes =
    typeof file === 'string'
      ? await readBounded(path.resolve(folder, file), bytesMax).catch(() => undefined)
      : undefined;
  if (bytes === 'too_large') {
    problems.push(`${place}/file: must be at most ${bytesMax} bytes`);
    return artifact;
  }
  if (!bytes) {
    problems.push(`${place}/file: cannot be read`);
    return artifact;
  }
  const found: Fields = { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
  for (const [name, is] of Object.entries(found)) {
    if (Object.hasOwn(artifact, name) && artifact[name] !== is) {
      problems.push(`${place}/${name}: does not match the file, whose ${name} is ${String(is)}`);
    }
  }
  return { ...artifact, ...found };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
