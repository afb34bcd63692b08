/** Reads the finding texts of final reports. */
import type { ReportTexts } from '@svc/report';
import type { ReportRow } from '#features/reports';
import type { Database } from '#platform/database/database';
import { textsContext, type ReportKeys } from '#platform/report-keys';
import { unseal } from '#platform/sealing';
import { decompressedTexts } from './finding-texts.ts';
import { findTexts } from './store.ts';

export interface TextsReaderPorts {
  readonly database: Database;
  readonly reportKeys: ReportKeys;
}

/**
 * The texts of each report by its id. A report that has ended is missing.
 * @throws SealBrokenError when they are damaged.
 */
export type ReadTexts = (
  reports: readonly Pick<ReportRow, 'id' | 'wrappedKey' | 'uploadId'>[],
) => Promise<Map<string, ReportTexts>>;

export function createTextsReader({ database, reportKeys }: TextsReaderPorts): ReadTexts {
  return async (reports) => {
    const uploadIds = reports.flatMap(({ uploadId }) => uploadId ?? []);
    const stored = await findTexts(database.read, uploadIds);
    const texts = new Map<string, ReportTexts>();
    for (const { id, uploadId, wrappedKey } of reports) {
      const sealed = uploadId === null ? undefined : stored.get(uploadId);
      if (sealed === undefined || uploadId === null || wrappedKey === null) continue;
      const key = reportKeys.unwrap(id, wrappedKey);
      texts.set(id, decompressedTexts(unseal(key, textsContext(id, uploadId), sealed)));
    }
    return texts;
  };
}
