/**
 * `svc __complete`: the values that completion scripts ask for. It only reads this machine's data, and after an
 * expected failure (`CliError`) returns nothing.
 */
import path from 'node:path';
import type { Invocation, Run } from '../command.ts';
import { CliError } from '../errors.ts';
import { isThere, realPath } from '../files/paths.ts';
import { foldersOf } from '../folders.ts';
import { repositoryRootOf } from '../project/binding.ts';
import { worstFirst } from '../report/finding-lines.ts';
import { anyReport, withStore } from '../report/picked.ts';
import { findingsOf } from '../store/findings.ts';
import { listReports } from '../store/reports.ts';
import { STORE_FILE_NAME, type Store } from '../store/store.ts';
import { localTime } from '../terminal/local-time.ts';
import { safeLine } from '../terminal/safe-text.ts';

/** A longer list is of no use at a prompt. */
const OFFERED_MAX = 200;

interface CompletionCandidate {
  readonly value: string;
  readonly about: string;
}

export const run: Run = async (invocation, terminal) => {
  const offers = (await offersFor(invocation)).slice(0, OFFERED_MAX);
  terminal.result(offers, () => offers.map(({ value, about }) => `${value}\t${safeLine(about)}`));
};

async function offersFor(invocation: Invocation): Promise<CompletionCandidate[]> {
  const { environment, arguments: given } = invocation;
  // Opening a missing store would create it.
  if (!isThere(path.join(foldersOf(environment).data, STORE_FILE_NAME))) return [];
  const [kind, words = []] = given as [string, (readonly string[])?];
  const named = reportIn(words);
  try {
    return await withStore(invocation, (store) =>
      kind === 'reports'
        ? reports(store, invocation)
        : findings(store, { ...invocation, options: named === undefined ? {} : { report: named } }),
    );
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}

/** The value of `--report` on the typed line. */
function reportIn(words: readonly string[]): string | undefined {
  const at = words.lastIndexOf('--report');
  // Shells differ in whether `--report=r1` is one word or three.
  const after = at === -1 ? [] : words.slice(at + 1).filter((word) => word !== '=');
  return after[0] ?? words.find((word) => word.startsWith('--report='))?.slice('--report='.length);
}

/** Ids of reports, newest first, with this repository's reports before the others. */
async function reports(store: Store, { folder }: Invocation): Promise<CompletionCandidate[]> {
  const here = await realPath(repositoryRootOf(folder) ?? folder);
  const all = listReports(store);
  const ofHere = all.filter(({ repositoryRoot }) => repositoryRoot === here);
  return [...ofHere, ...all.filter((report) => !ofHere.includes(report))].map(
    ({ localReportId, state, createdAt, projectName }) => ({
      value: localReportId,
      about: `${state}, ${localTime(createdAt)}, ${projectName}`,
    }),
  );
}

async function findings(store: Store, invocation: Invocation): Promise<CompletionCandidate[]> {
  const { localReportId } = await anyReport(store, invocation);
  return worstFirst(findingsOf(store, localReportId).findings).map(({ id, severity, title }) => ({
    value: id,
    about: `${severity}: ${title}`,
  }));
}
