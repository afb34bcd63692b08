/**
 * The programs that people can install from this service. Without a release manifest, that is the CLI of this build.
 * With a manifest, these are the programs that it names; the CLI of this build is served only if it is one of them.
 */
import {
  ReceivedEnvelope,
  ReceivedRelease,
  RELEASE_PAYLOAD_TYPE,
  type OfferedProgram,
  type Release,
  type ReleaseEnvelope,
} from '@svc/contract';
import { validatorOf } from '@svc/contract/validation';
import { AppError } from '#app-error';
import type { ProgramDigest, ProgramFile } from '#platform/program-file';

/** The address of the CLI of this build. */
export const PROGRAM_PATH = '/download/svc.mjs';

export interface ProgramsService {
  /** The version in the manifest; null without a usable manifest. */
  release(): Promise<string | null>;
  /** @throws AppError INTERNAL 503 while the manifest cannot be used. */
  offered(): Promise<readonly OfferedProgram[]>;
  /** @throws AppError NOT_FOUND when the build may not be served, INTERNAL 503 while the manifest cannot be used. */
  digest(): Promise<ProgramDigest>;
  /** @throws AppError like `digest`. */
  read(): Promise<ProgramDigest & { readonly bytes: Uint8Array }>;
}

/** @param manifestBytes resolves to null when no manifest is configured, and rejects while it cannot be used. */
export function createProgramsService(
  programFile: ProgramFile,
  manifestBytes: () => Promise<Uint8Array | null>,
): ProgramsService {
  /** @throws AppError NOT_FOUND unless the build exists and, with a manifest, its digest is in the manifest. */
  async function requireServed<Program extends ProgramDigest>(program: Program | null): Promise<Program> {
    if (program === null) throw new AppError('NOT_FOUND');
    const manifest = await manifestBytes();
    if (manifest === null) return program;
    if (artifactsIn(manifest).some(({ sha256 }) => sha256 === program.sha256)) return program;
    throw new AppError('NOT_FOUND');
  }

  return {
    async release() {
      const manifest = await manifestBytes().catch(() => null);
      return (manifest && releaseIn(manifest)?.version) ?? null;
    },
    async offered() {
      const [own, manifest] = await Promise.all([programFile.digest(), manifestBytes()]);
      if (manifest === null)
        return own === null ? [] : [{ platform: null, arch: null, url: PROGRAM_PATH, ...digestOf(own) }];
      return artifactsIn(manifest).map(({ platform, arch, url, sha256, size }) => ({
        platform,
        arch,
        url: sha256 === own?.sha256 ? PROGRAM_PATH : url,
        sha256,
        sizeBytes: size,
      }));
    },
    digest: async () => requireServed(await programFile.digest()),
    read: async () => requireServed(await programFile.read()),
  };
}

function digestOf({ sha256, sizeBytes }: ProgramDigest): ProgramDigest {
  return { sha256, sizeBytes };
}

/** The artifacts whose address a browser can open. Empty when the manifest does not contain a release. */
function artifactsIn(manifest: Uint8Array): Release['artifacts'] {
  return releaseIn(manifest)?.artifacts.filter(({ url }) => /^https?:$/.test(protocolOf(url))) ?? [];
}

/** Does not verify the signature: the clients do, which have the keys. */
function releaseIn(manifest: Uint8Array): Release | undefined {
  const envelope = jsonIn(manifest);
  if (!validatorOf(ReceivedEnvelope).Check(envelope)) return undefined;
  const { payload, payloadType } = envelope as ReleaseEnvelope;
  const release = jsonIn(Buffer.from(payload, 'base64'));
  if (payloadType !== RELEASE_PAYLOAD_TYPE || !validatorOf(ReceivedRelease).Check(release)) return undefined;
  return release as Release;
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
