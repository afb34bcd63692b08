/**
 * One side of a comparison: a report of this machine, or one in a file, as far as a comparison looks at it. A report as a
 * link shows it is none: its fingerprints are made for that link, or are not there at all.
 */
import type { Finding, ReportProjection } from '@svc/contract';
import { addFindings, importSarif, noFindings, SarifError, withFingerprint } from '@svc/report';
import type { Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import { kindOf, realPath } from '../files/places.ts';
import { repositoryRootOf } from '../project/binding.ts';
import type { ShownFinding } from '../report/finding-lines.ts';
import { frozenOf, type FinishedLocalReport } from '../report/finished.ts';
import { readGivenFile } from '../report/given-file.ts';
import { reportNamed, withStore } from '../report/picked.ts';
import { safeLine } from '../terminal/safe-text.ts';

export interface ComparedFinding extends ShownFinding {
  readonly fingerprint: string;
}

/** What a report was made with, and how much that found where it is known. */
interface Tool {
  readonly name: string;
  readonly findings?: number;
}

export interface Side {
  /** One of the two. */
  readonly localReportId: string | null;
  readonly file: string | null;
  readonly generatedAt: string | null;
  readonly findings: readonly ComparedFinding[];
  readonly tools: readonly Tool[];
  /** Sentences on what was left out of it. */
  readonly warnings: readonly string[];
}

/**
 * The local store is opened for local reports alone: what is in files can be compared where nothing can be kept.
 *
 * @returns undefined when there is neither a file nor a local report of that name.
 */
export async function sideNamed(name: string, invocation: Invocation): Promise<Side | undefined> {
  const isFile = name === '-' || (await kindOf(name)) !== undefined;
  if (isFile) return sideOfFile(name, invocation);
  return withStore(invocation, (store) => {
    const local = reportNamed(store, name);
    return local && sideOfLocal(frozenOf(store, local));
  });
}

export function sideOfLocal({ local, report }: FinishedLocalReport): Side {
  return { ...sideOf(report), localReportId: local.localReportId };
}

/** @param name as it is shown. @throws CliError `rejected` when it is as a link shows it. */
export function sideOfProjection(projection: ReportProjection, name: string): Side {
  const { projectedFor, redactionNotice, findings } = projection;
  const isShared = projectedFor.principalType === 'email' || projectedFor.principalType === 'anonymous';
  if (isShared || redactionNotice !== undefined || findings === undefined) {
    throw new CliError(
      'rejected',
      `${safeLine(name)} can not be compared: it is a report as a link shows it.`,
      {
        details: ['What tells its findings apart is left out of it, or is made for that link alone.'],
        hint: 'Give the whole report: svc export --format json',
      },
    );
  }
  return sideOf({ ...projection, findings });
}

async function sideOfFile(file: string, invocation: Invocation): Promise<Side> {
  const given = await readGivenFile(file, invocation);
  if (given.form === 'sarif') return { ...(await sideOfSarif(given.bytes, file, invocation.folder)), file };
  if (given.form === 'canonical') return { ...sideOf(given.report), file };
  return { ...sideOfProjection(given.projection, file), file };
}

/** What reports and projections of them have in common. */
interface Comparable {
  readonly generatedAt?: string;
  readonly scan?: { readonly tools?: readonly Tool[] };
  readonly findings: readonly Finding[];
}

function sideOf({ generatedAt, scan, findings }: Comparable): Side {
  return {
    localReportId: null,
    file: null,
    generatedAt: generatedAt ?? null,
    findings: findings.map((finding) => withFingerprint(finding)),
    tools: scan?.tools ?? [],
    warnings: [],
  };
}

/** The results as a scan would take them in; they have no ids. */
async function sideOfSarif(bytes: Uint8Array, file: string, folder: string): Promise<Side> {
  const root = await realPath(repositoryRootOf(folder) ?? folder);
  try {
    const { findings, tools, warnings } = importSarif(bytes, { roots: [root] });
    const { set } = addFindings(noFindings, findings, new Date().toISOString());
    return {
      localReportId: null,
      file: null,
      generatedAt: null,
      findings: set.findings.map((finding) => ({ ...withFingerprint(finding), id: null })),
      tools,
      warnings,
    };
  } catch (error) {
    if (!(error instanceof SarifError)) throw error;
    throw new CliError('rejected', `${safeLine(file)} can not be read as SARIF.`, {
      hint: error.message,
      cause: error,
    });
  }
}
