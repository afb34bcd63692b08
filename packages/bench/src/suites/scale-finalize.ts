/** Finalizes one report for each of several active people. The bodies were uploaded before. */
import type { ServiceProcess } from '@svc/testkit';
import { createReport, declareUpload, finalize, sendUpload } from '../data/devices.ts';
import { reportTemplate } from '../data/report-template.ts';
import { workOff, type LoadResult } from '../harness/load.ts';
import type { SuiteOptions } from '../harness/result.ts';
import { interleave, type Compared } from '../harness/rounds.ts';
import { createSender } from '../harness/sender.ts';
import { ACTIVE, deviceTokenOfActive, projectOfActive, type ScaleOptions } from './scale-data.ts';

const CLIENTS = 8;
const ROUNDS = 9;
const SIZE_BYTES = 10_000;
/** With the first round, which does not count, each active person finalizes one report. */
const PEOPLE_A_ROUND = Math.floor(ACTIVE / (ROUNDS + 1));

type Filled = readonly [ServiceProcess, ScaleOptions];

export interface FinalizeMeasurement {
  readonly compared: Compared<LoadResult>;
  /** The finalized reports of the first active people, in their order, in the database with many people. */
  readonly reportsOfMany: readonly string[];
  readonly reportsOfFew: readonly string[];
}

/**
 * @param isWarmedUp whether each active person finalizes another report first. PostgreSQL logs a page as a whole when
 * it first changes after a checkpoint, and one of its processes maps the page when it first reads it.
 */
export async function measureFinalize(
  many: Filled,
  few: Filled,
  { smoke, isWarmedUp }: SuiteOptions & { readonly isWarmedUp: boolean },
): Promise<FinalizeMeasurement> {
  if (isWarmedUp) for (const filled of [many, few]) await finalizeForAll(filled);
  const reportsOfMany: string[] = [];
  const reportsOfFew: string[] = [];
  const compared = await interleave(
    smoke ? 1 : ROUNDS,
    turnOf(many, reportsOfMany),
    turnOf(few, reportsOfFew),
  );
  return { compared, reportsOfMany, reportsOfFew };
}

async function finalizeForAll(filled: Filled): Promise<void> {
  const reports: string[] = [];
  const turn = turnOf(filled, reports);
  while (reports.length < PEOPLE_A_ROUND * (ROUNDS + 1)) await turn();
}

function turnOf([{ url, pid }, { people }]: Filled, reports: string[]) {
  const { prepare } = reportTemplate(SIZE_BYTES);
  return async () => {
    const first = reports.length;
    const sender = createSender(url, CLIENTS);
    try {
      const ready = await Promise.all(
        Array.from({ length: PEOPLE_A_ROUND }, async (_, at) => {
          const index = first + at;
          const headers = { authorization: `Bearer ${deviceTokenOfActive(index)}` };
          const device = { headers, project: projectOfActive(index, people) };
          const report = prepare();
          const reportId = await createReport(sender, device, report.localReportId);
          const uploadId = await declareUpload(sender, device, reportId, report);
          await sendUpload(sender, device, uploadId, report);
          return { device, reportId, uploadId };
        }),
      );
      reports.push(...ready.map(({ reportId }) => reportId));
      return await workOff({
        pid,
        clients: CLIENTS,
        count: ready.length,
        async work(index) {
          const each = ready[index];
          if (each) await finalize(sender, each.device, each.reportId, each.uploadId);
        },
      });
    } finally {
      await sender.close();
    }
  };
}
