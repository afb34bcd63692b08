/** Reads the finding texts of final reports, and stores texts that an older version of the service did not store. */
import type { ReportTexts } from '@svc/report';
import { AppError } from '#app-error';
import type { ReportRow } from '#features/reports';
import type { Database } from '#platform/database/database';
import type { Random } from '#platform/random';
import { textsContext, type ReportKeys } from '#platform/report-keys';
import { seal, unseal } from '#platform/sealing';
import { compressedTexts, decompressedTexts } from './finding-texts.ts';
import * as store from './store.ts';

export interface TextsPorts {
  readonly database: Database;
  readonly random: Random;
  readonly reportKeys: ReportKeys;
}

export type TextsOf = Pick<ReportRow, 'id' | 'wrappedKey' | 'uploadId'>;

export interface TextsService {
  /**
   * The texts of each report by its id. A report that has ended is missing. The value is
   * null for a report whose texts were not stored.
   * @throws SealBrokenError when they are damaged.
   */
  read(reports: readonly TextsOf[]): Promise<Map<string, ReportTexts | null>>;
  /** Stores texts that were missing, unless the report has ended. */
  keep(report: TextsOf, texts: ReportTexts): Promise<void>;
}

export function createTextsService({ database, random, reportKeys }: TextsPorts): TextsService {
  function keyOf({ id, wrappedKey }: TextsOf): Uint8Array {
    if (wrappedKey === null) throw new AppError('REPORT_EXPIRED');
    return reportKeys.unwrap(id, wrappedKey);
  }

  return {
    async read(reports) {
      const uploadIds = reports.flatMap(({ uploadId }) => uploadId ?? []);
      const stored = await store.findTexts(database.read, uploadIds);
      const texts = new Map<string, ReportTexts | null>();
      for (const report of reports) {
        const { id, uploadId, wrappedKey } = report;
        const sealed = uploadId === null ? undefined : stored.get(uploadId);
        if (sealed === undefined || uploadId === null || wrappedKey === null) continue;
        texts.set(id, sealed && decompressedTexts(unseal(keyOf(report), textsContext(id, uploadId), sealed)));
      }
      return texts;
    },
    async keep(report, texts) {
      const { id, uploadId } = report;
      if (uploadId === null) return;
      const sealed = seal(keyOf(report), textsContext(id, uploadId), compressedTexts(texts), random);
      await database.transaction((tx) => store.addTexts(tx, uploadId, Buffer.concat(sealed)));
    },
  };
}
