/**
 * The release manifest, with exactly the bytes of the operator's file. The service only checks that it is a JSON
 * object. Clients verify its signature; the service has no key.
 */
import { AppError } from '#app-error';
import type { ReplacedFile } from '#platform/replaced-file';
import type { Prepared } from '#prepared';

/** Short, because the file works again as soon as the operator has fixed it. */
const RETRY_AFTER_MS = 5000;

export interface UpdatesPorts {
  readonly releaseManifest: ReplacedFile | null;
}

export interface UpdatesService {
  /** @throws AppError NOT_FOUND when no file is configured, INTERNAL 503 while it cannot be used. */
  manifest(): Promise<Prepared>;
  /**
   * Null when no file is configured.
   * @throws AppError INTERNAL 503 while it cannot be used.
   */
  manifestBytes(): Promise<Uint8Array | null>;
}

export function createUpdatesService({ releaseManifest }: UpdatesPorts): UpdatesService {
  // Caches the file before it is first replaced. A failure is reported by the first request.
  releaseManifest?.read().catch(() => undefined);

  async function manifestBytes(): Promise<Uint8Array | null> {
    if (releaseManifest === null) return null;
    const { bytes, problem } = await releaseManifest.read();
    if (problem !== undefined) {
      throw new AppError('INTERNAL', {
        status: 503,
        retryAfterMs: RETRY_AFTER_MS,
        cause: new Error(`The file that UPDATE_MANIFEST_PATH names cannot be used: ${problem}.`),
      });
    }
    return bytes;
  }

  return {
    manifestBytes,
    async manifest() {
      const bytes = await manifestBytes();
      if (bytes === null) throw new AppError('NOT_FOUND');
      return {
        contentType: 'application/json; charset=utf-8',
        isPublic: true,
        codings: ['identity'],
        bytesIn: async () => bytes,
      };
    },
  };
}
