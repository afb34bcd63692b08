/**
 * Everything that tests need to use a real server. For development only. Tests that import it use a database and also
 * run on PostgreSQL; a test that needs only a part imports that part: `@svc/testkit/clock`.
 */
export * from './actors.ts';
export * from './answers.ts';
export * from './billing.ts';
export * from './clock.ts';
export * from './collector.ts';
export * from './database.ts';
export * from './disk-image.ts';
export * from './event-stream.ts';
export * from './first-data.ts';
export * from './free-port.ts';
export * from './origin.ts';
export * from './outcomes.ts';
export * from './postgres-server.ts';
export * from './progress.ts';
export * from './raw-http.ts';
export * from './redis-server.ts';
export * from './report-body.ts';
export { bindProject, newLocalId, shellOf, type BoundProject } from './reports.ts';
export * from './server.ts';
export { readSetupToken } from './setup-token.ts';
export * from './service-process.ts';
export * from './shares.ts';
export * from './stored.ts';
export * from './team-server.ts';
export * from './teams.ts';
export { interleavedTimes, welch } from './timing.ts';
export * from './timers.ts';
export * from './uploads.ts';
