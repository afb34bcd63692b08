/**
 * The last scan of each tool of a project, and the tools without results. Facts say by digests which tools ran in a report, so names are read only from
 * the few reports that are the newest of a tool.
 */
import { limits } from '@svc/contract';
import { folded, identityKey, scanFactsIn, toolAreaId, type ReportTexts } from '@svc/report';
import type { Db } from '#platform/database/database';
import { findFacts, type ReadableReport } from './store.ts';

/** A tool that none of the newest reports ran is not listed. */
const REPORTS_SEARCHED_MAX = 20;

export interface LastScan {
  readonly tool: string;
  readonly reportId: string;
  readonly ownerId: string;
  /** Milliseconds since 1970. */
  readonly finalizedAt: number;
}

/**
 * The reports that are the newest of a tool, newest first.
 * @param reports of one project, newest first
 */
export async function newestOfTools(
  db: Db,
  reports: readonly ReadableReport[],
): Promise<readonly ReadableReport[]> {
  const searched = reports.slice(0, REPORTS_SEARCHED_MAX);
  const facts = await findFacts(
    db,
    searched.flatMap(({ uploadId }) => uploadId ?? []),
  );
  const seen = new Set<string>();
  return searched.filter(({ uploadId }) => {
    const packed = facts.get(uploadId ?? '');
    const fresh = (packed ? scanFactsIn(packed).ran : []).map(identityKey).filter((tool) => !seen.has(tool));
    for (const tool of fresh) seen.add(tool);
    return fresh.length > 0;
  });
}

/** @param reports newest first */
export function lastScansOf(
  reports: readonly ReadableReport[],
  texts: ReadonlyMap<string, ReportTexts>,
): LastScan[] {
  const scans = new Map<string, LastScan>();
  for (const { id, ownerId, finalizedAt } of reports) {
    for (const tool of texts.get(id)?.tools ?? []) {
      if (tool !== '' && finalizedAt !== null && !scans.has(folded(tool)))
        scans.set(folded(tool), { tool, reportId: id, ownerId, finalizedAt });
    }
  }
  return [...scans.values()].slice(0, limits.overview.toolsListedMax);
}

/**
 * The tools whose results are missing, unless a newer report has them.
 * @param reports newest first
 */
export function missingToolsOf(
  reports: readonly ReadableReport[],
  texts: ReadonlyMap<string, ReportTexts>,
): LastScan[] {
  const missing: LastScan[] = [];
  const seen = new Set<string>();
  for (const { id, ownerId, finalizedAt } of reports) {
    const { tools, missingTools } = texts.get(id) ?? { tools: [], missingTools: [] };
    for (const tool of missingTools)
      if (finalizedAt !== null && !seen.has(areaOf(tool)))
        missing.push({ tool, reportId: id, ownerId, finalizedAt });
    for (const tool of [...tools, ...missingTools]) seen.add(areaOf(tool));
  }
  return missing.slice(0, limits.overview.toolsListedMax);
}

/** Compared instead of names, because the name of a missing tool comes from its area, whose id is cut. */
function areaOf(tool: string): string {
  return folded(toolAreaId(tool));
}
