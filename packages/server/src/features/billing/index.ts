/** Plans that follow the subscriptions at the payment provider. */
import type { Feature } from '#feature';
import { billingRoutes } from './routes.ts';
import { createEventService, type EventPorts } from './event-service.ts';
import { createPlanReading, type PlanPorts } from './plan-service.ts';

export function createBilling(ports: EventPorts & PlanPorts): Feature {
  const events = createEventService(ports);
  return { routes: billingRoutes(createPlanReading(ports), events), jobs: [events.job] };
}
