/**
 * A cache of renderings, each with its codings, which evicts the least recently used.
 *
 * A key names everything that a rendering depends on, so an entry is never stale. The caller checks at each request
 * whether its reader may have the entry. When a report ends, its entries are removed in the tick in which the end is
 * known. Renderings under way at that moment are not cached, nor are codings that are computed later from bytes that a
 * response still holds. So no report body outlives its report here. A report without entries has no listener.
 */
import { LRUCache } from 'lru-cache';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import { codings, type Prepared } from '#prepared';
import { compressed } from './coding.ts';
import { BudgetExceeded } from './rendering-budgets.ts';
import type { Rendering } from './rendering.ts';

const MIB = 1024 * 1024;
const KEPT_BYTES_MAX = 64 * MIB;
/** Fits a report of ten thousand findings as HTML. */
const ENTRY_BYTES_MAX = 32 * MIB;
/** The memory of an entry besides its bytes. */
const ENTRY_OVERHEAD_BYTES = 512;
/** Below this size a coding saves too little. */
const COMPRESSED_BYTES_MIN = 1024;

export interface RenderingCache {
  /**
   * Returns the entry of the key, or else what `make` returns, which is then cached. Parallel calls share one
   * rendering.
   */
  find(reportId: string, key: string, make: () => Promise<Rendering>): Promise<Prepared> | Prepared;
  /** The size of all entries. */
  keptBytes(): number;
  close(): void;
}

/** The entries and pending renderings of one report. */
interface OfReport {
  readonly id: string;
  readonly keys: Set<string>;
  /** The report has ended, or it has no entry and no listener. */
  isOver: boolean;
  readonly stopListening: () => void;
}

interface Entry extends Prepared {
  readonly bytes: Uint8Array;
  readonly report: OfReport;
}

export function createRenderingCache(bus: Pick<Bus, 'subscribe'>): RenderingCache {
  const reports = new Map<string, OfReport>();
  const underWay = new Map<string, Promise<Entry>>();
  const kept = new LRUCache<string, Entry>({
    maxSize: KEPT_BYTES_MAX,
    maxEntrySize: ENTRY_BYTES_MAX,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length + ENTRY_OVERHEAD_BYTES,
    dispose: ({ report }, key) => forget(report, key),
  });

  function ofReport(reportId: string): OfReport {
    const known = reports.get(reportId);
    if (known) return known;
    const fresh: OfReport = {
      id: reportId,
      keys: new Set(),
      isOver: false,
      stopListening: bus.subscribe(topics.report(reportId), () => end(fresh)),
    };
    reports.set(reportId, fresh);
    return fresh;
  }

  function letGo(report: OfReport): void {
    report.isOver = true;
    report.stopListening();
    reports.delete(report.id);
  }

  function forget(report: OfReport, key: string): void {
    report.keys.delete(key);
    if (report.keys.size === 0 && !report.isOver) letGo(report);
  }

  function end(report: OfReport): void {
    if (report.isOver) return;
    letGo(report);
    for (const key of report.keys) kept.delete(key);
  }

  async function make(report: OfReport, key: string, begin: () => Promise<Rendering>): Promise<Entry> {
    report.keys.add(key);
    try {
      const entry = entryOf(report, key, await begin());
      if (!report.isOver) kept.set(key, entry);
      return entry;
    } finally {
      // Forgets a rendering that failed, is too large to be cached, or is of an ended report.
      if (!kept.has(key)) forget(report, key);
    }
  }

  function entryOf(report: OfReport, key: string, rendering: Rendering): Entry {
    const { contentType, fileName, bytes } = rendering;
    return {
      ...rendering,
      report,
      codings: bytes.length < COMPRESSED_BYTES_MIN ? ['identity'] : codings,
      async bytesIn(coding) {
        if (coding === 'identity') return bytes;
        const toCode = { reportId: report.id, isFile: fileName !== undefined, bytes };
        const coded = async () => ({ contentType, bytes: await compressed(toCode, coding) });
        return (await findOrMake(`${key} ${coding}`, () => report, coded)).bytes;
      },
    };
  }

  function findOrMake(
    key: string,
    reportOf: () => OfReport,
    begin: () => Promise<Rendering>,
  ): Promise<Entry> | Entry {
    const found = kept.get(key);
    if (found) return found;
    const other = underWay.get(key);
    if (other)
      return other.catch((error: unknown) => {
        if (!(error instanceof BudgetExceeded)) throw error;
        // The rendering exceeded the budget of the request that began it. This request has a budget of its own.
        return findOrMake(key, reportOf, begin);
      });
    const making = make(reportOf(), key, begin).finally(() => underWay.delete(key));
    underWay.set(key, making);
    return making;
  }

  return {
    find: (reportId, key, begin) => kept.get(key) ?? findOrMake(key, () => ofReport(reportId), begin),
    keptBytes: () => kept.calculatedSize,
    close() {
      for (const report of reports.values()) end(report);
    },
  };
}
