/** Serves the signed release of the CLI, and the programs to install. */
import type { Feature } from '#feature';
import type { ProgramFile } from '#platform/program-file';
import { createProgramsService, type ProgramsService } from './programs-service.ts';
import { updatesRoutes } from './routes.ts';
import { createUpdatesService, type UpdatesPorts } from './service.ts';

export { PROGRAM_PATH, type ProgramsService } from './programs-service.ts';

interface Updates extends Feature {
  readonly programs: ProgramsService;
}

export function createUpdates(ports: UpdatesPorts & { readonly programFile: ProgramFile }): Updates {
  const updates = createUpdatesService(ports);
  return {
    routes: updatesRoutes(updates),
    jobs: [],
    programs: createProgramsService(ports.programFile, updates.manifestBytes),
  };
}
