/**
 * The release manifest, byte for byte as the operator's file holds it. Nothing of it is read here but that it is a JSON
 * object: who may sign what is up to the clients, and the service has no key.
 */
import { AppError } from '#app-error';
import type { ReplacedFile } from '#platform/replaced-file';
import type { Prepared } from '#prepared';

/** An operator who is mending the file takes about as long. */
const RETRY_AFTER_MS = 5000;

export interface UpdatesPorts {
  readonly releaseManifest: ReplacedFile | null;
}

export interface UpdatesService {
  /** @throws AppError NOT_FOUND where no file is configured, INTERNAL 503 while it can not be used. */
  manifest(): Promise<Prepared>;
}

export function createUpdatesService({ releaseManifest }: UpdatesPorts): UpdatesService {
  // So that there is an old one when the file is first replaced. What stands in the way is told to who asks.
  releaseManifest?.read().catch(() => undefined);
  return {
    async manifest() {
      if (releaseManifest === null) throw new AppError('NOT_FOUND');
      const { bytes, problem } = await releaseManifest.read();
      if (problem !== undefined) {
        throw new AppError('INTERNAL', {
          status: 503,
          retryAfterMs: RETRY_AFTER_MS,
          cause: new Error(`The file that UPDATE_MANIFEST_PATH names can not be used: ${problem}.`),
        });
      }
      return {
        contentType: 'application/json; charset=utf-8',
        isPublic: true,
        codings: ['identity'],
        bytesIn: async () => bytes,
      };
    },
  };
}
