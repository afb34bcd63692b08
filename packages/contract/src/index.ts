/** The wire truth: what the service, the command line, the pages and the tests agree on. */
export * from './accounts.ts';
export * from './devices.ts';
export * from './endpoint.ts';
export * from './endpoints.ts';
export * from './errors.ts';
export * from './findings.ts';
export * from './health.ts';
export * from './progress.ts';
export * from './reports.ts';
export * from './limits.ts';
export * from './projects.ts';
export * from './quota.ts';
export * from './schema.ts';
export * from './severity.ts';
export * from './uploads.ts';
export * from './workspaces.ts';
