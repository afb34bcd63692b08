/** Projects: a repository bound to a workspace. */
import type { Feature } from '#feature';
import { projectRoutes } from './routes.ts';
import { createProjectService, type ProjectPorts, type ProjectService } from './service.ts';

export {
  countNotesKeys,
  listNotesKeys,
  listProjectsToLapse,
  listProjectsWithNotesToCheck,
  lockCounts,
  replaceNotesKey,
  summarizeProject,
  updateProject,
  type ProjectCounts,
} from './store.ts';

export interface ProjectsFeature extends Feature {
  readonly list: ProjectService['list'];
  readonly require: ProjectService['require'];
}

export function createProjects(ports: ProjectPorts): ProjectsFeature {
  const projects = createProjectService(ports);
  return {
    routes: projectRoutes(projects),
    jobs: [],
    list: projects.list,
    require: projects.require,
  };
}
