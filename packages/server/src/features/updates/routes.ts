/** The release manifest, for anyone. */
import { endpoints } from '@svc/contract';
import { preparedRoute, type Route } from '#http/route';
import type { UpdatesService } from './service.ts';

export function updatesRoutes(updates: UpdatesService): Route[] {
  return [preparedRoute(endpoints.getReleaseManifest, () => updates.manifest())];
}
