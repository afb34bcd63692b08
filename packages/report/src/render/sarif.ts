/**
 * A projection as SARIF 2.1.0: for viewers, for tools that gather results, and for GitHub's code scanning. Depends on the
 * projection and the context alone, so that whoever may see less gets a file that betrays no more.
 */
import type { ProjectedFinding, ReportProjection } from '@svc/contract';
import type { Log, Result, Run } from 'sarif';
import type { RenderContext } from './context.ts';
import {
  excessBytes,
  findingsForGitHub,
  fittingResults,
  GITHUB_RESULTS_MAX,
  omissionNotice,
  resultsForGitHub,
} from './sarif-github.ts';
import { absoluteUri } from './sarif-places.ts';
import { resultOf, suppressionsOf } from './sarif-results.ts';
import { ruleSetOf } from './sarif-rules.ts';
import { runOf } from './sarif-run.ts';

export interface SarifContext extends RenderContext {
  /** For whom: GitHub's code scanning reads less of SARIF than others do. */
  readonly profile?: 'github';
}

/** JSON text in one line. */
export function renderSarif(projection: ReportProjection, context: SarifContext = {}): string {
  return context.profile === 'github' ? forGitHub(projection, context) : forAnyone(projection, context);
}

function forAnyone(projection: ReportProjection, context: SarifContext): string {
  const { findings = [] } = projection;
  const { rules, results } = withContext(findings, context);
  for (const [index, finding] of findings.entries()) {
    const result = results[index];
    // Where one result can be suppressed, each has to say whether it is.
    if (result) result.suppressions = suppressionsOf(finding);
  }
  const notices = withheldNotice(projection);
  return JSON.stringify(logOf(runOf(projection, rules, { homeUri: homeOf(context), notices }), results));
}

function forGitHub(projection: ReportProjection, context: SarifContext): string {
  const found = findingsForGitHub(projection.findings ?? []);
  const write = (resultsMax: number) => {
    const kept = found.slice(0, resultsMax);
    const { rules, results } = withContext(kept, context);
    const notices = [...withheldNotice(projection), ...omissionNotice(found.length, kept.length)];
    return logOf(runOf(projection, rules, { homeUri: homeOf(context), notices }), resultsForGitHub(results));
  };
  const log = write(GITHUB_RESULTS_MAX);
  const text = JSON.stringify(log);
  const excess = excessBytes(text);
  return excess === 0 ? text : JSON.stringify(write(fittingResults(log, excess)));
}

/** An empty list of results alone would say that nothing was found. */
function withheldNotice({ findings }: ReportProjection): string[] {
  return findings === undefined ? ['The findings are not part of this export.'] : [];
}

/** The results with what only owners and members are told. */
function withContext(findings: readonly ProjectedFinding[], context: SarifContext) {
  const { rules, indexes } = ruleSetOf(findings);
  const { baseline } = context;
  const viewer = viewerOf(context);
  const results = findings.map((finding, place): Result => {
    const ruleIndex = indexes[place] ?? -1;
    const result = resultOf(finding, { ruleIndex, ruleId: rules[ruleIndex]?.id ?? '' });
    if (viewer !== undefined) result.hostedViewerUri = `${viewer}${encodeURIComponent(finding.id)}`;
    if (baseline) result.baselineState = baseline.newFindingIds.has(finding.id) ? 'new' : 'unchanged';
    return result;
  });
  return { rules, results };
}

/** Where the report is read with a finding open, but for the finding's id. */
function viewerOf(context: SarifContext): string | undefined {
  const uri = pageOf(context);
  return uri === undefined ? undefined : `${uri}${uri.includes('?') ? '&' : '?'}finding=`;
}

function homeOf(context: SarifContext): string | undefined {
  const uri = pageOf(context);
  return uri === undefined ? undefined : `${new URL(uri).origin}/`;
}

function pageOf({ reportUrl = '' }: SarifContext): string | undefined {
  return /^https?:/i.test(reportUrl) ? absoluteUri(reportUrl) : undefined;
}

function logOf(run: Run, results: readonly Result[]): Log {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ ...run, results: [...results] }],
  };
}
