/**
 * Everything tests need to talk to a real server. For development only. What imports it comes to a database, and runs over
 * PostgreSQL too; a test that needs only some part of it imports that part: `@svc/testkit/clock`.
 */
export * from './actors.ts';
export * from './answers.ts';
export * from './billing.ts';
export * from './clock.ts';
export * from './database.ts';
export * from './disk-image.ts';
export * from './event-stream.ts';
export * from './free-port.ts';
export * from './origin.ts';
export * from './outcomes.ts';
export * from './postgres-server.ts';
export * from './raw-http.ts';
export * from './report-body.ts';
export { bindProject, newLocalId, shellOf, type BoundProject } from './reports.ts';
export * from './server.ts';
export { readSetupToken } from './setup-token.ts';
export * from './service-process.ts';
export * from './shares.ts';
export * from './team-server.ts';
export * from './teams.ts';
export { interleavedTimes, welch } from './timing.ts';
export * from './timers.ts';
export * from './uploads.ts';
