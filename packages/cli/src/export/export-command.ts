/**
 * `svc export`: writes a report to a file for people or programs. It exports a whole local report or report file; only
 * shares of the service leave parts out.
 */
import path from 'node:path';
import type { ExportFormat, ReportProjection } from '@svc/contract';
import { compareFindings, wholeProjection, type CanonicalReport } from '@svc/report';
import { fileNameOf } from '@svc/report/render/file-name';
import type { Invocation, Run } from '../command.ts';
import { baselineNamed } from '../compare/baseline.ts';
import { sideOfProjection } from '../compare/side.ts';
import { decisionsJson } from '../decisions/decide.ts';
import { CliError } from '../errors.ts';
import { finishedReport } from '../report/finished.ts';
import { readGivenFile } from '../report/given-file.ts';
import { withStore } from '../report/picked.ts';
import type { LocalReport } from '../store/local-report.ts';
import { escapedJson, safeLine } from '../terminal/safe-text.ts';
import { decidedProjection } from './decided-projection.ts';
import { exportWish, STANDARD_OUTPUT } from './format.ts';
import { writeOutputFile } from '../files/output-file.ts';
import { rendered, type Rendering } from './render.ts';

export const run: Run = async (invocation, terminal) => {
  const { format, profile, output } = exportWish(invocation, terminal.isJson);
  const { projection: whole, reportUrl, local } = await given(invocation);
  const { projection, decided } = await decidedProjection(whole, local, invocation, terminal);
  const baseline = await baselineOf(invocation, projection);
  const text = await rendered(format, projection, {
    ...(profile !== undefined && { profile }),
    ...(reportUrl !== undefined && { reportUrl }),
    ...(baseline !== undefined && { baseline }),
  });
  if (output === STANDARD_OUTPUT) {
    terminal.document(isJson(format) ? escapedJson(text) : text);
    return invocation.happened('report_exported', { format });
  }
  const file = output ?? fileNameOf(projection, format);
  await writeOutputFile(path.resolve(invocation.folder, file), text, invocation.options['force'] === true);
  invocation.happened('report_exported', { format });
  const sizeBytes = Buffer.byteLength(text);
  terminal.result({ file, format, sizeBytes, decisions: decisionsJson(decided) }, () => [safeLine(file)]);
};

function isJson(format: ExportFormat): boolean {
  return format === 'json' || format === 'sarif';
}

interface ExportInput {
  readonly projection: ReportProjection;
  readonly reportUrl?: string;
  /** The local report; absent for a file. */
  readonly local?: LocalReport;
}

async function given(invocation: Invocation): Promise<ExportInput> {
  const [file] = invocation.arguments;
  if (typeof file !== 'string') return ofThisMachine(invocation);
  if (invocation.options['report'] !== undefined) {
    throw new CliError('usage', 'A file and --report cannot be combined.', {
      hint: 'Give one of the two.',
    });
  }
  const read = await readGivenFile(file, invocation);
  if (read.form === 'projection') return { projection: read.projection };
  if (read.form === 'canonical') return { projection: wholeOf(read.report) };
  throw new CliError('rejected', `${safeLine(file)} is SARIF, not a report.`, {
    hint: 'Import it: svc scan --sarif FILE, then svc export',
  });
}

function ofThisMachine(invocation: Invocation): Promise<ExportInput> {
  return withStore(invocation, async (store) => {
    const { local, report } = await finishedReport(store, invocation);
    const { reportUrl } = local.sync;
    return { projection: wholeOf(report), local, ...(reportUrl !== undefined && { reportUrl }) };
  });
}

/** Uses the local id, because an id of the service exists only in one service. */
function wholeOf(report: CanonicalReport): ReportProjection {
  return wholeProjection(report, {
    reportId: report.localReportId,
    projectedFor: { principalType: 'user' },
  });
}

/** The findings that are new since the report in `--baseline`; undefined if none is given, or it does not exist yet. */
async function baselineOf(
  invocation: Invocation,
  projection: ReportProjection,
): Promise<Rendering['baseline'] | undefined> {
  const { baseline: name } = invocation.options;
  if (typeof name !== 'string') return undefined;
  const baseline = await baselineNamed(name, invocation);
  if (baseline === undefined) return undefined;
  const current = sideOfProjection(projection, 'The report');
  const { new: added } = compareFindings(baseline.findings, current.findings, {
    whyUnknown: () => undefined,
  });
  return { newFindingIds: new Set(added.flatMap(({ id }) => id ?? [])) };
}
