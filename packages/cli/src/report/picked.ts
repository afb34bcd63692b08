/** Which local report a command means: the named one, or the newest that fits the current folder. */
import path from 'node:path';
import type { Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import { realPath } from '../files/paths.ts';
import { foldersOf } from '../folders.ts';
import { repositoryRootOf } from '../project/binding.ts';
import type { LocalReport, LocalReportState } from '../store/local-report.ts';
import { findReport, latestReport, reportsByPrefix } from '../store/reports.ts';
import { openStore, type Store } from '../store/store.ts';

/** Opens the store of this machine while `work` runs. */
export async function withStore<Result>(
  { environment }: Pick<Invocation, 'environment'>,
  work: (store: Store) => Result | Promise<Result>,
): Promise<Result> {
  const store = await openStore(foldersOf(environment).data);
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

const PREFIX_LENGTH_MIN = 4;

const HINT = 'List them: svc report list --all';

/**
 * Finds a report by its id or the beginning of it.
 * @throws CliError when no report matches, or several do.
 */
export function namedReport(store: Store, name: string): LocalReport {
  const report = reportNamed(store, name);
  if (report !== undefined) return report;
  throw new CliError('failed', 'There is no local report with that id.', { hint: HINT });
}

/**
 * Undefined when no report matches.
 * @throws CliError when several match.
 */
export function reportNamed(store: Store, name: string): LocalReport | undefined {
  const exact = findReport(store, name);
  if (exact !== undefined) return exact;
  const [found, another] = name.length < PREFIX_LENGTH_MIN ? [] : reportsByPrefix(store, name);
  if (another === undefined) return found;
  throw new CliError('failed', 'Several local reports have an id that starts like this.', { hint: HINT });
}

/**
 * The report in `--report`; otherwise the newest report of the repository that contains this folder. If states are
 * given, the newest in one of the states.
 */
async function pickedReport(
  store: Store,
  { options, folder }: Pick<Invocation, 'options' | 'folder'>,
  states?: readonly LocalReportState[],
): Promise<LocalReport | undefined> {
  const named = options['report'];
  if (typeof named === 'string') return namedReport(store, named);
  // Does not ask git: a report knows its root, and the nearest root above this folder is the repository. A folder above that
  // root belongs to another repository, whose report is not meant.
  const here = await realPath(folder);
  const top = repositoryRootOf(here) ?? path.parse(here).root;
  for (let at = here; ; at = path.dirname(at)) {
    const report = latestReport(store, at, states);
    if (report !== undefined) return report;
    if (at === top) return undefined;
  }
}

/** @throws CliError when no scan is open here, or the named report is not being scanned. */
export async function openReport(
  store: Store,
  invocation: Pick<Invocation, 'options' | 'folder'>,
): Promise<LocalReport> {
  const report = await pickedReport(store, invocation, ['scanning']);
  if (report?.state === 'scanning') return report;
  if (report !== undefined) {
    throw new CliError('failed', `The report ${report.localReportId} is ${report.state}, not scanning.`, {
      hint: 'Start another one: svc scan start',
    });
  }
  throw new CliError('failed', 'No scan is open in this repository.', { hint: 'Start one: svc scan start' });
}

/**
 * The report in `--report`, in any state; otherwise the newest of this repository, in one of the states if they are
 * given.
 * @throws CliError when there is none.
 */
export async function anyReport(
  store: Store,
  invocation: Pick<Invocation, 'options' | 'folder'>,
  states?: readonly LocalReportState[],
): Promise<LocalReport> {
  const report = await pickedReport(store, invocation, states);
  if (report !== undefined) return report;
  throw new CliError('failed', 'There is no report of this repository on this machine.', {
    hint: 'Create one: svc scan. List those of other repositories: svc report list --all',
  });
}
