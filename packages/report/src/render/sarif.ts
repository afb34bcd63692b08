/**
 * A projection as SARIF 2.1.0: for viewers, for tools that collect results, and for GitHub's code scanning. It
 * depends on the projection and the context alone, so that a file for a viewer with less access reveals nothing
 * more.
 */
import type { ProjectedFinding, ReportProjection } from '@svc/contract';
import type { Log, Result, Run } from 'sarif';
import type { RenderContext } from './context.ts';
import { jsonItems } from './json-parts.ts';
import {
  excessBytes,
  findingsForGitHub,
  fittingResults,
  GITHUB_RESULTS_MAX,
  omissionNotice,
  resultsForGitHub,
} from './sarif-github.ts';
import { absoluteUri } from './sarif-locations.ts';
import { resultOf, suppressionsOf } from './sarif-results.ts';
import { ruleSetOf, type RuleSet } from './sarif-rules.ts';
import { runOf } from './sarif-run.ts';

export interface SarifContext extends RenderContext {
  /** The target: GitHub's code scanning reads less of SARIF than others do. */
  readonly profile?: 'github';
}

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** JSON text in one line. */
export function renderSarif(projection: ReportProjection, context: SarifContext = {}): string {
  return [...sarifParts(projection, context)].join('');
}

/** The JSON text in pieces. */
export function sarifParts(projection: ReportProjection, context: SarifContext = {}): Iterable<string> {
  return context.profile === 'github' ? forGitHub(projection, context) : forAnyone(projection, context);
}

function forAnyone(projection: ReportProjection, context: SarifContext): Iterable<string> {
  const { findings = [] } = projection;
  const ruleSet = ruleSetOf(findings);
  const results = resultsOf(findings, { ruleSet, detectedAt: detectionOf(projection) }, context);
  const notices = withheldNotice(projection);
  return logParts(runOf(projection, ruleSet.rules, { homeUri: homeOf(context), notices }), results);
}

function forGitHub(projection: ReportProjection, context: SarifContext): Iterable<string> {
  const found = findingsForGitHub(projection.findings ?? []);
  const detectedAt = detectionOf(projection);
  const write = (resultsMax: number): readonly string[] => {
    const kept = found.slice(0, resultsMax);
    const ruleSet = ruleSetOf(kept);
    const results = resultsForGitHub(resultsOf(kept, { ruleSet, detectedAt }, context));
    const notices = [...withheldNotice(projection), ...omissionNotice(found.length, kept.length)];
    return [...logParts(runOf(projection, ruleSet.rules, { homeUri: homeOf(context), notices }), results)];
  };
  const parts = write(GITHUB_RESULTS_MAX);
  const excess = excessBytes(parts);
  return excess === 0 ? parts : write(fittingResults(parts.slice(1, -1), excess));
}

/** An empty list of results alone would mean that nothing was found. */
function withheldNotice({ findings }: ReportProjection): string[] {
  return findings === undefined ? ['This export does not include the findings.'] : [];
}

/**
 * When a finding without a time of its own was detected: at the time of this report. Undefined for a viewer of a part
 * of the report, who may not learn how long a finding has been known.
 */
function detectionOf({ redactionNotice, generatedAt }: ReportProjection): string | undefined {
  return redactionNotice === undefined ? generatedAt : undefined;
}

interface Facts {
  readonly ruleSet: RuleSet;
  readonly detectedAt: string | undefined;
}

/** The results one by one. They have the parts for owners and members if the context does. */
function* resultsOf(
  findings: readonly ProjectedFinding[],
  { ruleSet: { rules, indexes }, detectedAt }: Facts,
  context: SarifContext,
): Generator<Result> {
  const { baseline, profile } = context;
  const viewer = viewerOf(context);
  for (const [index, finding] of findings.entries()) {
    const ruleIndex = indexes[index] ?? -1;
    const result = resultOf(finding, { ruleIndex, ruleId: rules[ruleIndex]?.id ?? '' }, detectedAt);
    if (viewer !== undefined) result.hostedViewerUri = `${viewer}${encodeURIComponent(finding.id)}`;
    if (baseline) result.baselineState = baseline.newFindingIds.has(finding.id) ? 'new' : 'unchanged';
    // If one result can be suppressed, each has to say whether it is.
    if (profile !== 'github') result.suppressions = suppressionsOf(finding);
    yield result;
  }
}

/** The URL of the report with a finding open, up to the finding's id. */
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

/** The part before the results, each result, and the end. */
function* logParts(run: Run, results: Iterable<Result>): Generator<string> {
  const log: Log = { $schema: SCHEMA, version: '2.1.0', runs: [{ ...run, results: [] }] };
  const text = JSON.stringify(log);
  const end = text.lastIndexOf(']}]}');
  yield text.slice(0, end);
  yield* jsonItems(results);
  yield text.slice(end);
}
