/**
 * What the search for secrets, the check of an uploaded body and the projection for an anonymized share cost per byte.
 *
 * With `--against <folder>` the same functions of another checkout, whose dependencies are installed, take turns with
 * ours in one process.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as ours from '@svc/report';
import { limits } from '@svc/contract';
import { narrowPolicy } from '../data/links.ts';
import { reportTemplate } from '../data/report-template.ts';
import { sourceTexts } from '../data/source-texts.ts';
import type { Result, Suite } from '../harness/result.ts';
import { interleaveAll } from '../harness/rounds.ts';
import { median } from '../harness/statistics.ts';

type Functions = Pick<typeof ours, 'findSecrets' | 'mayHoldSecret' | 'projectReport'>;

const TIMES_OTHER_MAX = 1.2;
const SOURCE_BYTES = 71_000_000;
const SMOKE_SOURCE_BYTES = 2_000_000;
const SMOKE_REPORT_BYTES = 500_000;
const NS_OF_US = 1000;

interface Measurement {
  readonly name: string;
  readonly bytes: number;
  readonly rounds: number;
  readonly work: (functions: Functions) => void;
}

export const secretSearchSuite: Suite = {
  name: 'secret-search',
  async run({ smoke, against }) {
    const other = against === undefined ? undefined : await functionsIn(against);
    const results: Result[] = [];
    for (const measurement of measurements(smoke)) results.push(await measure(measurement, other));
    return results;
  },
};

async function functionsIn(checkout: string): Promise<Functions> {
  const file = path.resolve(checkout, 'packages/report/src/index.ts');
  // oxlint-disable-next-line imports/allowed -- another checkout's code, which no file here depends on
  return (await import(pathToFileURL(file).href)) as Functions;
}

function measurements(smoke: boolean): Measurement[] {
  const texts = sourceTexts(smoke ? SMOKE_SOURCE_BYTES : SOURCE_BYTES);
  const sourceBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const { bytes } = reportTemplate(smoke ? SMOKE_REPORT_BYTES : limits.reportBytesMaxDefault).prepare();
  const report = JSON.parse(Buffer.from(bytes).toString()) as ours.CanonicalReport;
  const megabytes = (sourceBytes / 1e6).toFixed(0);
  return [
    {
      name: `search of ${megabytes} MB of sources`,
      bytes: sourceBytes,
      rounds: smoke ? 1 : 9,
      work: ({ findSecrets }) => {
        for (const text of texts) findSecrets(text);
      },
    },
    {
      name: 'check of the body of a large report',
      bytes: bytes.length,
      rounds: smoke ? 1 : 21,
      work: ({ mayHoldSecret }) => {
        if (mayHoldSecret(bytes, true)) throw new Error('The report holds no secret.');
      },
    },
    {
      name: 'anonymous projection of a large report',
      bytes: bytes.length,
      rounds: smoke ? 1 : 15,
      work: ({ projectReport }) => {
        projectReport(
          report,
          { reportId: 'rep_00000000000000000000000000', projectedFor: { principalType: 'anonymous' } },
          { policy: narrowPolicy, projectNames: ['Project', 'shop'], pseudonymOf: () => '' },
        );
      },
    },
  ];
}

async function measure(
  { name, bytes, rounds, work }: Measurement,
  other: Functions | undefined,
): Promise<Result> {
  const turns = [ours, ...(other === undefined ? [] : [other])].map(
    (functions) => () => Promise.resolve(processorNs(() => work(functions)) / bytes),
  );
  const [ourNs = [], otherNs] = await interleaveAll(rounds, turns);
  const details = { nsPerByte: median(ourNs), nsPerByteAtBest: Math.min(...ourNs), bytes };
  if (otherNs === undefined) {
    const looked = { target: null, bound: null, floor: '–', rounds: ourNs, details };
    return { name, measured: median(ourNs), unit: 'ns/byte', ...looked };
  }
  return {
    target: null,
    name,
    measured: median(ourNs) / median(otherNs),
    unit: '×',
    bound: { sense: 'at most', value: TIMES_OTHER_MAX },
    floor: 'the other checkout',
    rounds: ourNs.map((ns, index) => ns / (otherNs[index] ?? Number.NaN)),
    details: {
      ...details,
      otherNsPerByte: median(otherNs),
      timesOtherAtBest: Math.min(...ourNs) / Math.min(...otherNs),
    },
  };
}

/** The processor time of this thread, which does not grow on a busy machine. */
function processorNs(work: () => void): number {
  const began = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) * NS_OF_US;
}
