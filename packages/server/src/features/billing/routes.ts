/** Billing over HTTP. The HTTP binding has already verified the provider's signature. */
import { endpoints } from '@svc/contract';
import { ok, route, type Route } from '#http/route';
import type { EventService } from './event-service.ts';
import type { PlanReading } from './plan-service.ts';

export function billingRoutes(plans: PlanReading, events: EventService): Route[] {
  return [
    route(endpoints.getBillingPlan, async ({ principal, query }) =>
      ok(await plans.get(principal.userId, query.workspaceId)),
    ),
    route(endpoints.receiveBillingEvent, async ({ body }) => ok(await events.receive(body))),
  ];
}
