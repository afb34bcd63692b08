/**
 * Releases of the CLI: the signature envelope, which the service returns unchanged, and the signed data in it.
 *
 * The signature envelope has the format of DSSE. The envelope and the data each have a closed schema, which detects an
 * operator's mistake before signing, and an open schema for received data: a client must be able to update to a version
 * whose manifest has fields that it does not know.
 */
import Type, { type Static, type TProperties } from 'typebox';
import { limits } from './limits.ts';
import { closed, line, matching, time } from './schema.ts';

export const RELEASE_PAYLOAD_TYPE = 'application/vnd.svc.release-manifest+json';

const { release } = limits;

const signatureFields = {
  keyid: Type.String({ description: 'SHA-256 of the public key in SPKI form, in hexadecimal.' }),
  sig: Type.String({ description: 'Ed25519 over the pre-authentication encoding of DSSE v1, in base64.' }),
};

function envelopeWith<Signature extends Type.TSchema>(signature: Signature) {
  return {
    payloadType: Type.String({ description: `\`${RELEASE_PAYLOAD_TYPE}\`.` }),
    payload: Type.String({ description: 'A release, as JSON in base64.' }),
    signatures: Type.Array(signature),
  } satisfies TProperties;
}

export const ReleaseEnvelope = closed(envelopeWith(closed(signatureFields)), { title: 'ReleaseEnvelope' });
export type ReleaseEnvelope = Static<typeof ReleaseEnvelope>;

export const ReceivedEnvelope = Type.Object(envelopeWith(Type.Object(signatureFields)));

const version = matching(
  /^[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}(?:-[0-9A-Za-z.-]{1,60})?$/,
  'must be a version such as 1.2.3 or 1.3.0-beta.1',
);
const platform = matching(
  /^[a-z0-9_]{1,20}$/,
  'must be the name of a platform or an architecture in Node.js, such as linux or x64',
);

const artifactFields = {
  platform,
  arch: platform,
  url: line(1, release.urlLengthMax),
  sha256: matching(/^[0-9a-f]{64}$/, 'must be a SHA-256 in 64 lower-case hexadecimal characters'),
  size: Type.Integer({ minimum: 1, maximum: release.artifactBytesMax }),
};

const CHANNEL = /^[a-z0-9][a-z0-9-]{0,39}$/;
const channel = matching(CHANNEL, 'must be a channel name such as stable');

function fieldsWith<Artifact extends Type.TSchema>(artifact: Artifact) {
  return {
    schemaVersion: Type.Literal(1),
    channel,
    version,
    releasedAt: time,
    expiresAt: time,
    /** For older versions the update is urgent. */
    minimumVersion: version,
    revokedVersions: Type.Array(version, { maxItems: release.revokedVersionsMax }),
    artifacts: Type.Array(artifact, { minItems: 1, maxItems: release.artifactsMax }),
  } satisfies TProperties;
}

/** The signed data, without unknown fields. */
export const Release = closed(fieldsWith(closed(artifactFields)));
export type Release = Static<typeof Release>;
export type ReleaseArtifact = Release['artifacts'][number];

/** A program that people can install from a service, as the page `/install` lists it. */
export interface OfferedProgram {
  /** The platform as Node names it; null for a program that runs on every platform. */
  readonly platform: string | null;
  readonly arch: string | null;
  /** A path on the service, or a URL elsewhere. */
  readonly url: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

export const ReceivedRelease = Type.Object(fieldsWith(Type.Object(artifactFields)));

/** True if the text is a valid channel name. */
export function isChannel(text: string): boolean {
  return CHANNEL.test(text);
}
