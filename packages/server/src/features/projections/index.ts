/** Prepared projections: what shares show of reports, made when it changes and not when it is read. */
export { policyDigestOf } from './digest.ts';
export { decisionsOf, recordDecision } from './moves.ts';
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
