/** Exports: reports as bytes for viewers, and files for owners and members. */
import type { Feature } from '#feature';
import type { Renderings } from './renderings.ts';
import { exportRoutes } from './routes.ts';
import { createExportService, type ExportPorts, type ExportService } from './service.ts';

export { createExportRecorder, type ExportRecorder, type WantedFile } from './export-records.ts';
export { rejectLive } from './service.ts';
export type { ProjectionInput, ShareInput } from './rendering.ts';
export {
  createRenderings,
  type Baseline,
  type Envelope,
  type RenderedReport,
  type Requester,
  type Renderings,
} from './renderings.ts';

export interface ExportsFeature extends Feature {
  readonly read: ExportService['read'];
  readonly page: ExportService['page'];
}

export function createExports(ports: ExportPorts, renderings: Renderings): ExportsFeature {
  const exports = createExportService(ports, renderings);
  return { routes: exportRoutes(exports), jobs: [], read: exports.read, page: exports.page };
}
