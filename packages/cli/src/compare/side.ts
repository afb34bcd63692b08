/**
 * One side of a comparison: a local report or one in a file, reduced to what a comparison needs. A projection from a share
 * link cannot be a side: its fingerprints are pseudonyms of that share, or missing.
 */
import type { Finding, ReportProjection } from '@svc/contract';
import {
  addResults,
  importSarif,
  noFindings,
  redactText,
  SarifError,
  withFingerprints,
  type Fingerprinted,
  type CanonicalReport,
  type ToolRun,
} from '@svc/report';
import { toolAreaId } from '@svc/report/reading/coverage';
import type { LaterScan } from '@svc/report/reading/looked-again';
import path from 'node:path';
import type { Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import { isAbsent, realPath } from '../files/paths.ts';
import { repositoryRootOf } from '../project/binding.ts';
import type { ShownFinding } from '../report/finding-lines.ts';
import { frozenOf, type FinishedLocalReport } from '../report/finished.ts';
import { readGivenFile } from '../report/given-file.ts';
import { incompleteInAreas, incompleteInLog, type Incomplete } from '../report/incomplete.ts';
import type { PathCleaner } from '@svc/report/making/local-paths';
import { ownPaths } from '../report/own-paths.ts';
import { reportNamed, withStore } from '../report/picked.ts';
import { checkoutLines } from '../scanners/checkout-lines.ts';
import { checkoutFiles, inventory } from '../scanners/index.ts';
import type { LocalReport } from '../store/local-report.ts';
import { safeLine } from '../terminal/safe-text.ts';

export interface ComparedFinding extends ShownFinding, Pick<Finding, 'evidence'> {
  readonly fingerprint: string;
  readonly tags?: readonly string[];
  /** Title and location without paths of this machine, for output. Only matching needs the paths. */
  readonly shown?: Pick<Finding, 'title' | 'affected'>;
}

/** A tool of the report, and its number of results where known. */
interface Tool {
  readonly name: string;
  readonly findings?: number;
}

export interface ComparisonSide {
  /** One of `localReportId` and `file` is set; neither for a report that is being exported. */
  readonly localReportId: string | null;
  readonly file: string | null;
  readonly generatedAt: string | null;
  readonly findings: readonly ComparedFinding[];
  readonly tools: readonly Tool[];
  /** The name of the agent that made the report. */
  readonly agent: string | undefined;
  readonly coverageAreas: LaterScan['coverageAreas'];
  /** The commit of the repository, 7 to 64 hexadecimal digits. */
  readonly commit: string | undefined;
  /** The local report; undefined for a file. */
  readonly local?: LocalReport;
  /** Sentences about what the report lacks. */
  readonly warnings: readonly string[];
  /** Tools whose findings may be missing. */
  readonly incomplete: readonly Incomplete[];
}

/**
 * Opens the local store only for local reports, so that files can be compared where no store can be created.
 *
 * @returns undefined when no file and no local report has that name.
 */
export async function sideNamed(name: string, invocation: Invocation): Promise<ComparisonSide | undefined> {
  const isFile = name === '-' || !(await isAbsent(name));
  if (isFile) return sideOfFile(name, invocation);
  return withStore(invocation, (store) => {
    const local = reportNamed(store, name);
    return local && sideOfLocal(frozenOf(store, local));
  });
}

export function sideOfLocal({ local, report }: FinishedLocalReport): ComparisonSide {
  return { ...sideOf(report), localReportId: local.localReportId, local };
}

/**
 * @param name for messages.
 * @throws CliError `rejected` for a projection from a share link.
 */
export function sideOfProjection(projection: ReportProjection, name: string): ComparisonSide {
  const { projectedFor, redactionNotice, findings } = projection;
  const isShared = projectedFor.principalType === 'email' || projectedFor.principalType === 'anonymous';
  if (isShared || redactionNotice !== undefined || findings === undefined) {
    throw new CliError(
      'rejected',
      `${safeLine(name)} cannot be compared: it is a projection from a share link.`,
      {
        details: [
          'Its findings have either no fingerprints or only pseudonyms, which are valid for that share alone.',
        ],
        hint: 'Give the whole report: svc export --format json',
      },
    );
  }
  return sideOf({ ...projection, findings });
}

async function sideOfFile(file: string, invocation: Invocation): Promise<ComparisonSide> {
  const given = await readGivenFile(file, invocation);
  if (given.form === 'sarif') return { ...(await sideOfSarif(given.bytes, file, invocation)), file };
  if (given.form === 'canonical') return { ...sideOf(given.report), file };
  return { ...sideOfProjection(given.projection, file), file };
}

/** The common fields of reports and projections. */
interface Comparable {
  readonly generatedAt?: string;
  readonly scan?: {
    readonly tools?: readonly Tool[];
    readonly agent?: { readonly name: string };
    readonly commit?: string;
  };
  readonly coverageAreas?: CanonicalReport['coverageAreas'];
  readonly findings: readonly Finding[];
}

function sideOf({ generatedAt, scan, coverageAreas = [], findings }: Comparable): ComparisonSide {
  return {
    localReportId: null,
    file: null,
    generatedAt: generatedAt ?? null,
    findings: withFingerprints(findings),
    tools: scan?.tools ?? [],
    agent: scan?.agent?.name,
    coverageAreas,
    commit: scan?.commit,
    warnings: [],
    incomplete: incompleteInAreas(coverageAreas),
  };
}

function comparedOf(finding: Finding & Fingerprinted, paths: PathCleaner): ComparedFinding {
  const { title, affected } = paths.finding(finding);
  return { ...finding, id: null, shown: { title, affected } };
}

/** The results as a scan would import them; they have no ids. */
async function sideOfSarif(
  bytes: Uint8Array,
  file: string,
  { folder, environment, signal }: Invocation,
): Promise<ComparisonSide> {
  const repository = repositoryRootOf(folder);
  const root = await realPath(repository ?? folder);
  const files =
    repository === null ? undefined : checkoutFiles(root, await inventory(root, { environment, signal }));
  const paths = ownPaths(root);
  try {
    const imported = importSarif(bytes, {
      roots: [root],
      linesOf: checkoutLines(root),
      withoutLocalPaths: paths.text,
      ...(files && { files }),
    });
    const { findings, tools, warnings } = imported;
    const { set } = addResults(noFindings, findings, new Date().toISOString());
    return {
      localReportId: null,
      file: null,
      generatedAt: null,
      findings: withFingerprints(set.findings).map((finding) => comparedOf(finding, paths)),
      tools,
      agent: imported.toolRuns.find(({ own }) => own?.agent !== undefined)?.own?.agent,
      coverageAreas: imported.toolRuns.flatMap(areasOfRun),
      commit: imported.commit,
      warnings,
      incomplete: incompleteInLog(
        imported,
        file === '-' ? 'standard input' : redactText(path.basename(file)).text,
      ),
    };
  } catch (error) {
    if (!(error instanceof SarifError)) throw error;
    throw new CliError('rejected', `${safeLine(file)} cannot be read as SARIF.`, {
      hint: error.message,
      cause: error,
    });
  }
}

function areasOfRun({ tool, own, failure }: ToolRun): LaterScan['coverageAreas'] {
  if (own !== undefined && failure === undefined) return own.areas;
  const status = failure === undefined ? 'covered' : failure.isPartial ? 'partial' : 'not_covered';
  return [...(own?.areas ?? []), { id: toolAreaId(tool), status }];
}
