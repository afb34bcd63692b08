/** Searches what is present in the projects of a workspace, and shows how it changes. */
import { unpackedTexts, type FindingText } from '@svc/report';
import type { Feature } from '#feature';
import type { Renderings } from '#features/exports';
import type { TextsService } from '#features/uploads';
import { createListService, type ListPorts } from './list-service.ts';
import { workspaceFindingsRoutes } from './routes.ts';
import type { ReadableReport } from './store.ts';
import { createTrendsService } from './trends-service.ts';
import { createViews } from './views.ts';

export interface WorkspaceFindingsPorts extends ListPorts {
  readonly texts: TextsService;
  readonly renderings: Pick<Renderings, 'texts'>;
}

export function createWorkspaceFindings(ports: WorkspaceFindingsPorts): Feature {
  const { database, clock, texts, renderings } = ports;

  /** Uploads of older versions have no texts yet; theirs are made from the body once. */
  async function make(report: ReadableReport): Promise<readonly FindingText[]> {
    const made = unpackedTexts(await renderings.texts(report));
    await texts.keep(report, made);
    return made;
  }

  const views = createViews(database.read, clock, {
    async textsOf(reports) {
      const stored = await texts.read(reports);
      const complete = new Map<string, readonly FindingText[]>();
      for (const report of reports) {
        const known = stored.get(report.id);
        if (known !== undefined) complete.set(report.id, known ?? (await make(report)));
      }
      return complete;
    },
  });
  const list = createListService(ports, views);
  return { routes: workspaceFindingsRoutes(list, createTrendsService(ports, views)), jobs: [] };
}
