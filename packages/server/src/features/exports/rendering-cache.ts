/**
 * Renderings that are kept ready, each coding on its own, the least recently used going first.
 *
 * A key names everything that a rendering depends on, so an entry is never stale; whether its reader may have it is asked
 * before, at each request. When a report ends, what was made of it is let go in the turn in which the end is known, and
 * what is being made at that moment is not kept: no text outlives its report here.
 */
import { constants, brotliCompress, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import { codings, type Coding, type Prepared } from '#prepared';
import type { Rendering } from './rendering.ts';

const MIB = 1024 * 1024;
const KEPT_BYTES_MAX = 64 * MIB;
const ENTRY_BYTES_MAX = 24 * MIB;
/** What an entry takes beside its bytes. */
const ENTRY_OVERHEAD_BYTES = 512;
/** Below it a coding saves nothing that anyone could notice. */
const COMPRESSED_BYTES_MIN = 1024;

export interface RenderingCache {
  /** What is kept under the key, or else what `make` gives, which is kept from then on. Parallel calls share one making. */
  find(reportId: string, key: string, make: () => Promise<Rendering>): Promise<Prepared>;
  close(): void;
}

interface Entry extends Rendering {
  readonly reportId: string;
}

/** What is kept and being made of one report. */
interface OfReport {
  readonly keys: Set<string>;
  ended: boolean;
  readonly stopListening: () => void;
}

export function createRenderingCache(bus: Pick<Bus, 'subscribe'>): RenderingCache {
  const reports = new Map<string, OfReport>();
  const underWay = new Map<string, Promise<Rendering>>();
  const kept = new LRUCache<string, Entry>({
    maxSize: KEPT_BYTES_MAX,
    maxEntrySize: ENTRY_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes.length + ENTRY_OVERHEAD_BYTES,
    dispose: (entry, key) => forget(entry.reportId, key),
  });

  function ofReport(reportId: string): OfReport {
    const known = reports.get(reportId);
    if (known) return known;
    const stopListening = bus.subscribe(topics.report(reportId), () => end(reportId));
    const fresh = { keys: new Set<string>(), ended: false, stopListening };
    reports.set(reportId, fresh);
    return fresh;
  }

  function forget(reportId: string, key: string): void {
    const report = reports.get(reportId);
    report?.keys.delete(key);
    if (report?.keys.size !== 0) return;
    report.stopListening();
    reports.delete(reportId);
  }

  function end(reportId: string): void {
    const report = reports.get(reportId);
    if (!report) return;
    report.ended = true;
    report.stopListening();
    reports.delete(reportId);
    for (const key of report.keys) kept.delete(key);
  }

  async function make(reportId: string, key: string, begin: () => Promise<Rendering>): Promise<Rendering> {
    const report = ofReport(reportId);
    report.keys.add(key);
    try {
      const rendering = await begin();
      if (!report.ended) kept.set(key, { ...rendering, reportId });
      return rendering;
    } finally {
      // Too large to be kept, of a report that has ended, or never made.
      if (!kept.has(key) && reports.get(reportId) === report) forget(reportId, key);
    }
  }

  async function rendering(
    reportId: string,
    key: string,
    begin: () => Promise<Rendering>,
  ): Promise<Rendering> {
    const found = kept.get(key) ?? underWay.get(key);
    if (found) return found;
    const making = make(reportId, key, begin).finally(() => underWay.delete(key));
    underWay.set(key, making);
    return making;
  }

  return {
    async find(reportId, key, begin) {
      const plain = await rendering(reportId, key, begin);
      const { contentType, fileName } = plain;
      return {
        contentType,
        fileName,
        codings: plain.bytes.length < COMPRESSED_BYTES_MIN ? ['identity'] : codings,
        async bytesIn(coding) {
          if (coding === 'identity') return plain.bytes;
          const compressed = async () => ({ ...plain, bytes: await compress(plain.bytes, coding) });
          return (await rendering(reportId, `${key} ${coding}`, compressed)).bytes;
        },
      };
    },
    close() {
      for (const reportId of [...reports.keys()]) end(reportId);
    },
  };
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 5;

function compress(bytes: Uint8Array, coding: Exclude<Coding, 'identity'>): Promise<Uint8Array> {
  if (coding === 'gzip') return gzipped(bytes, { level: GZIP_LEVEL });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return brotli(bytes, {
    params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}
