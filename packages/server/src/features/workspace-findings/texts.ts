/** The texts of the findings of reports, as stored, or else computed from the report body. */
import { unpackedTexts, type FindingText } from '@svc/report';
import type { Renderings } from '#features/exports';
import type { TextsService } from '#features/uploads';
import type { ReadableReport } from './store.ts';

export interface TextsPorts {
  readonly texts: TextsService;
  readonly renderings: Pick<Renderings, 'texts'>;
}

/**
 * Returns the texts by the report's id. A report that has already ended is missing.
 * @throws AppError REPORT_EXPIRED when a report ends while its texts are computed; RATE_LIMITED under load.
 */
export async function textsOf(
  { texts, renderings }: TextsPorts,
  reports: readonly ReadableReport[],
): Promise<Map<string, readonly FindingText[]>> {
  /** Needed for uploads that an older version received, which have no texts yet. */
  async function make(report: ReadableReport): Promise<readonly FindingText[]> {
    const made = unpackedTexts(await renderings.texts(report));
    await texts.keep(report, made);
    return made;
  }

  const stored = await texts.read(reports);
  const complete = new Map<string, readonly FindingText[]>();
  for (const report of reports) {
    const known = stored.get(report.id);
    if (known !== undefined) complete.set(report.id, known ?? (await make(report)));
  }
  return complete;
}
