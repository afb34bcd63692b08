/** Uploads: receiving, checking and storing report bodies, and reading them. */
import type { Feature } from '#feature';
import type { Telemetry } from '#platform/telemetry/telemetry';
import { createAdmission } from './admission.ts';
import { createBodyChecker } from './body-checker.ts';
import type { ContentsPorts, ContentsService } from './contents-service.ts';
import { createFinalizeService, type FinalizePorts } from './finalize-service.ts';
import { uploadRoutes } from './routes.ts';
import { createUploadService, type UploadPorts } from './service.ts';

export { createBodyReader, createContentsService as createContents } from './contents-service.ts';
export { createTextsReader, type ReadTexts } from './texts-reader.ts';
export { updateUpload } from './store.ts';
export { bringBodies, forgetDeleted, someBlobNames, verifyBodies, type BodiesFound } from './copies.ts';
export { copyBlobs, type CopiedBlobs } from './blob-copies.ts';

export interface UploadsFeature extends Feature {
  readonly readBytes: ContentsService['readBytes'];
  /** Resolves once the blob deletions that follow commits are done. */
  readonly settled: ContentsService['settled'];
  /** Ends the workers and waits for deletions under way. */
  close(): Promise<void>;
}

/** @param contents created earlier, because deleting reports needs it, and uploads need reports. */
export function createUploads(
  ports: UploadPorts & FinalizePorts & ContentsPorts & { readonly telemetry: Telemetry },
  contents: ContentsService,
): UploadsFeature {
  const checker = createBodyChecker(ports.reportBytesMax, ports.telemetry);
  const admission = createAdmission(ports.reportBytesMax, ports.telemetry.metrics);
  const uploads = createUploadService(ports, { admission, checker, contents });
  return {
    routes: uploadRoutes(uploads, createFinalizeService(ports)),
    jobs: contents.jobs,
    readBytes: contents.readBytes,
    settled: contents.settled,
    async close() {
      await checker.close();
      await contents.settled();
    },
  };
}
