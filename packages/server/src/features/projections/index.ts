/** Prepared projections: what shares show of reports, computed when something changes instead of at each read. */
export { policyDigestOf } from './digest.ts';
export { recordDecisions, type PlacedLapse } from './moves.ts';
export { createPreparedReader } from './prepared-reader.ts';
export {
  createProjectionsService as createProjections,
  type PreparedProjection,
  type ProjectionsService,
} from './service.ts';
export {
  deleteRowsOf as forgetProjections,
  listBlobs as listProjectionBlobs,
  preparedAmong,
  type PreparedRow,
  type ProjectionKey,
} from './store.ts';
