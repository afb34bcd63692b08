/** Projects: a repository bound to a workspace. */
import type { Feature } from '#feature';
import { projectRoutes } from './routes.ts';
import { createProjectService, type ProjectPorts } from './service.ts';

export function createProjects(ports: ProjectPorts): Feature {
  return { routes: projectRoutes(createProjectService(ports)), jobs: [] };
}
