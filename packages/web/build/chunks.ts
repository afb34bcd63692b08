/**
 * Which modules share a file. Without this, each set of modules that the same pages use becomes a file, and a page
 * loads two dozen. Browsers request six at a time over HTTP/1.1, so such a page waits for several round trips.
 */
import path from 'node:path';

const source = path.join(import.meta.dirname, '../src');
const share = path.join(source, 'share.tsx');
const app = path.join(source, 'app.tsx');
/** Pages other than a report that list findings. */
const lists = ['workspace-findings.tsx', 'project.tsx'].map((name) => path.join(source, 'pages', name));

/** Modules that at least this many pages use share one file. */
const PAGES_MIN = 3;

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** The groups of modules that share a file. A module without a group follows the pages that use it. */
export function chunkGroups() {
  const known = new Map<string, ReadonlySet<string>>();
  function within(entry: string, graph: Graph): ReadonlySet<string> {
    const found = known.get(entry) ?? reachedFrom(entry, graph);
    known.set(entry, found);
    return found;
  }
  function name(id: string, graph: Graph): string | null {
    if (isOfBundler(id)) return 'base';
    if (id === share || !within(share, graph).has(id)) return null;
    if (within(app, graph).has(id) || !isOfReports(id)) return 'base';
    return lists.some((page) => within(page, graph).has(id)) ? 'lists' : 'reading';
  }
  return [
    { name, includeDependenciesRecursively: false },
    {
      name: 'parts',
      test: /web[\\/]src[\\/]|@tanstack/,
      minShareCount: PAGES_MIN,
      includeDependenciesRecursively: false,
    },
  ];
}

function isOfBundler(id: string): boolean {
  return id.startsWith('\0');
}

function isOfReports(id: string): boolean {
  return /[\\/](?:features[\\/](?:reading|report-place|open-link)|pages|packages[\\/]report)[\\/]/.test(id);
}

/** The modules that load with the entry. */
function reachedFrom(entry: string, graph: Graph): ReadonlySet<string> {
  const reached = new Set<string>();
  function visit(id: string): void {
    if (reached.has(id)) return;
    reached.add(id);
    graph.getModuleInfo(id)?.importedIds.forEach(visit);
  }
  visit(entry);
  return reached;
}
