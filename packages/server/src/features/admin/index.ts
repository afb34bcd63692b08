/** Platform administration, and the support grants without which it cannot read reports. */
import type { Feature } from '#feature';
import { createAdminHealthService, type AdminHealthPorts } from './health-service.ts';
import { createOverviewService, type OverviewPorts } from './overview-service.ts';
import { createSupportReadingService, type SupportReadingPorts } from './reading-service.ts';
import { adminRoutes, type AdminServices } from './routes.ts';
import { createAdminWorkspaceService, type AdminWorkspacePorts } from './workspace-service.ts';

export { createGrantService as createSupportGrants } from './grant-service.ts';

export type AdminPorts = OverviewPorts &
  AdminHealthPorts &
  AdminWorkspacePorts &
  SupportReadingPorts &
  Pick<AdminServices, 'audit' | 'grants'>;

export function createAdmin(ports: AdminPorts): Feature {
  const { audit, grants } = ports;
  return {
    routes: adminRoutes({
      health: createAdminHealthService(ports),
      overview: createOverviewService(ports),
      workspaces: createAdminWorkspaceService(ports),
      grants,
      reading: createSupportReadingService(ports),
      audit,
    }),
    jobs: [],
  };
}
