/** Findings over time: what is known of them from report to report, and what people decide of them. */
import type { Feature } from '#feature';
import type { FindingRecords } from './records-service.ts';
import { findingRoutes } from './routes.ts';
import { createFindingService, type FindingPorts, type FindingService } from './service.ts';

export { createFindingRecords } from './records-service.ts';

export interface FindingsFeature extends Feature {
  readonly baselineOf: FindingService['baselineOf'];
}

/** @param records made first, since what renders reports needs them, and findings are read through that. */
export function createFindings(ports: FindingPorts, records: FindingRecords): FindingsFeature {
  const findings = createFindingService(ports, records);
  return { routes: findingRoutes(findings), jobs: [records.job], baselineOf: findings.baselineOf };
}
