/** Follows the findings of a project from report to report, and keeps triage decisions. */
import type { Feature } from '#feature';
import type { FindingRecords } from './records-service.ts';
import { findingRoutes } from './routes.ts';
import { createFindingService, type FindingPorts, type FindingService } from './service.ts';

export { createFindingRecords } from './records-service.ts';
export { setAsideOf, type SetAside } from './set-aside.ts';

export interface FindingsFeature extends Feature {
  readonly baselineOf: FindingService['baselineOf'];
}

/** @param records created before, because rendering needs them, and findings are read through rendering. */
export function createFindings(ports: FindingPorts, records: FindingRecords): FindingsFeature {
  const findings = createFindingService(ports, records);
  return { routes: findingRoutes(findings), jobs: [records.job], baselineOf: findings.baselineOf };
}
