/** Downloads the program of a release into memory. No byte is written before length and digest match the signed ones. */
import { createHash } from 'node:crypto';
import type { ReleaseArtifact } from '@svc/contract';
import { artifactAddress } from '../manifest/artifact-address.ts';
import { rejected, type RejectionCode } from '../manifest/rejections.ts';
import { transfer, TransferError, type Bounds, type TransferProblem } from './transfer.ts';

export type Patience = Pick<Bounds, 'totalMs' | 'silenceMs'>;

const PATIENCE: Patience = { totalMs: 600_000, silenceMs: 30_000 };
const REDIRECTS_MAX = 3;

const codes: Readonly<Record<TransferProblem, RejectionCode>> = {
  unreachable: 'ARTIFACT_UNREACHABLE',
  slow: 'ARTIFACT_TOO_SLOW',
  encoded: 'ARTIFACT_ENCODED',
  tooLarge: 'ARTIFACT_SIZE',
  redirected: 'ARTIFACT_REDIRECTED',
  address: 'ARTIFACT_ADDRESS',
};

export interface Watcher {
  readonly signal: AbortSignal;
  readonly onBytes?: (count: number) => void;
}

/** @throws CliError when the received bytes are not the signed ones. */
export async function downloadArtifact(
  { url: address, size, sha256 }: Pick<ReleaseArtifact, 'url' | 'size' | 'sha256'>,
  watcher: Watcher,
  patience: Patience = PATIENCE,
): Promise<Uint8Array> {
  const url = artifactAddress(address);
  if (!url) {
    throw rejected('ARTIFACT_ADDRESS', 'The release names a program that is not served over https.');
  }
  const bounds = { ...patience, bytesMax: size, redirectsMax: REDIRECTS_MAX };
  const bytes = await fetched(url, bounds, watcher);
  if (bytes.length !== size) {
    throw rejected(
      'ARTIFACT_SIZE',
      `The program is ${bytes.length} bytes long, but its signed size is ${size}.`,
    );
  }
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw rejected('ARTIFACT_DIGEST', 'The program is not the one that was signed: its SHA-256 differs.');
  }
  return bytes;
}

async function fetched(url: URL, bounds: Bounds, watcher: Watcher): Promise<Uint8Array> {
  try {
    const { status, bytes } = await transfer({ url, bounds, addressOf: artifactAddress, ...watcher });
    if (bytes) return bytes;
    throw new TransferError('unreachable', `it was not found (status ${status})`);
  } catch (error) {
    if (!(error instanceof TransferError)) throw error;
    throw rejected(codes[error.problem], `The program from ${url.host} was rejected: ${error.message}.`, {
      cause: error,
    });
  }
}
