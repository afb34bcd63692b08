/** The cloud-report quota and the plans that define it. */
import type { Feature } from '#feature';
import { quotaRoutes } from './routes.ts';
import { createQuotaService, type QuotaPorts, type QuotaService } from './service.ts';

export { defaultPlans, PlanTableSchema, type PlanTable } from './plans.ts';

export interface QuotaFeature extends Feature {
  readonly get: QuotaService['get'];
  readonly describe: QuotaService['describe'];
  readonly newReservationId: QuotaService['newReservationId'];
  readonly reserve: QuotaService['reserve'];
  readonly spend: QuotaService['spend'];
  readonly release: QuotaService['release'];
}

export function createQuota(ports: QuotaPorts): QuotaFeature {
  const quota = createQuotaService(ports);
  return {
    routes: quotaRoutes(quota),
    jobs: [quota.job],
    get: quota.get,
    describe: quota.describe,
    newReservationId: quota.newReservationId,
    reserve: quota.reserve,
    spend: quota.spend,
    release: quota.release,
  };
}
