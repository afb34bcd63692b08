/** Begins a report: what is scanned, by whom and with what authorization. All text is cleaned before it is stored. */
import { randomBytes } from 'node:crypto';
import type { EffortRequested, EffortResolved } from '@svc/contract';
import { redactDeep } from '@svc/report';
import { CliError } from '../errors.ts';
import type { Agent, Authorization, LocalReport, ScanFacts } from '../store/local-report.ts';
import { createReport } from '../store/reports.ts';
import type { Store } from '../store/store.ts';
import { canonicalReport } from './canonical.ts';
import type { RepositoryFacts } from './git.ts';
import { ownHost } from './host.ts';
import { definedOnly } from '@svc/report/making/texts';

export interface Beginning {
  /** RFC 3339, UTC. */
  readonly at: string;
  /** Absolute, without symbolic links. */
  readonly repositoryRoot: string;
  readonly facts: RepositoryFacts & Pick<ScanFacts, 'languages' | 'fileCount' | 'part'>;
  readonly projectName: string;
  readonly bindingPublicId?: string;
  readonly effort: EffortRequested;
  readonly agent: Agent;
  readonly authorization: Authorization;
  readonly isSyncWanted: boolean;
}

/** The effort that `auto` means. */
const AUTO_EFFORT: EffortResolved = 'high';

/** @throws CliError `usage` when a given value is not valid in a report. */
export function beginReport(store: Store, beginning: Beginning): LocalReport {
  const { at, effort } = beginning;
  const { value: details } = redactDeep(
    definedOnly({
      projectName: beginning.projectName,
      effortRequested: effort,
      effortResolved: effort === 'auto' ? AUTO_EFFORT : effort,
      agent: beginning.agent,
      host: ownHost(),
      authorization: beginning.authorization,
      isSyncWanted: beginning.isSyncWanted,
      scan: { startedAt: at, ...beginning.facts, tools: [] },
    }),
  );
  return store.write(() => {
    const { bindingPublicId } = beginning;
    const report = createReport(store, {
      ...details,
      // Not redacted: the id is public and not part of the report, and even one that looks like a secret must stay the same.
      ...(bindingPublicId !== undefined && { bindingPublicId }),
      localReportId: newLocalReportId(),
      repositoryRoot: beginning.repositoryRoot,
      createdAt: at,
    });
    rejectInvalid(report, at);
    return report;
  });
}

/** Rejects values with which the report would be invalid, before any work is done. */
function rejectInvalid(report: LocalReport, at: string): void {
  try {
    canonicalReport(report, { findings: [] }, { at, isStrict: true });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CliError('usage', 'The given values are not valid in a report.', { details: error.details });
  }
}

/** 128 random bits; begins with a letter, so that it can be given as an option's value. */
function newLocalReportId(): string {
  return `r${randomBytes(16).toString('hex')}`;
}
