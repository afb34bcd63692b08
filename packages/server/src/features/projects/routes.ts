/** Projects over HTTP. */
import { endpoints } from '@svc/contract';
import { created, ok, route, type Route } from '#http/route';
import type { ProjectService } from './service.ts';

export function projectRoutes(projects: ProjectService): Route[] {
  return [
    route(endpoints.listProjects, async ({ principal, query }) =>
      ok({ projects: await projects.list(principal.userId, query.workspaceId ?? null) }),
    ),
    route(endpoints.createProject, async ({ principal, body }) => {
      const { projectId, created: isNew } = await projects.create(principal.userId, body);
      return isNew ? created({ projectId, created: true }) : ok({ projectId, created: false });
    }),
    route(endpoints.deleteProject, async ({ principal, params }) => {
      await projects.delete(principal.userId, params.id);
      return ok({ projectId: params.id, deleted: true });
    }),
    route(endpoints.deleteProjectTool, async ({ principal, params: { id, name } }) => {
      await projects.deleteTool(principal.userId, id, name);
      return ok({ name, deleted: true });
    }),
  ];
}
