/**
 * Labels of progress events for the terminal and the pages. A separate file, so that showing events does not load the
 * schema library.
 */
import type { ProgressPhase, ProgressType, SafeCode } from './progress.ts';

export const phaseLabels: Readonly<Record<ProgressPhase, string>> = {
  preparing: 'Preparing',
  inventory: 'Listing files',
  threat_model: 'Modelling threats',
  static_analysis: 'Analysing code',
  dynamic_analysis: 'Testing at run time',
  dependency_review: 'Reviewing dependencies',
  secret_review: 'Searching for secrets',
  verification: 'Verifying',
  deduplication: 'Merging findings',
  reporting: 'Creating the report',
  uploading: 'Uploading',
};

/** Null for heartbeats, which get no line: they only show that the scan is alive. */
export const typeLabels: Readonly<Record<ProgressType, string | null>> = {
  scan_started: 'Scan started',
  phase_started: 'Started',
  phase_progressed: 'In progress',
  phase_completed: 'Completed',
  candidate_found: 'Candidate found',
  finding_recorded: 'Finding recorded',
  finding_merged: 'Evidence added to a finding',
  finding_dismissed: 'Candidate dismissed',
  tool_started: 'Tool started',
  tool_completed: 'Tool completed',
  heartbeat: null,
  warning: 'Warning',
  scan_completed: 'Scan completed',
  scan_failed: 'Scan failed',
  scan_cancelled: 'Scan cancelled',
};

export const codeLabels: Readonly<Record<SafeCode, string>> = {
  ok: '',
  retrying: 'retrying',
  skipped: 'skipped',
  partial: 'partial',
  timeout: 'timed out',
  rate_limited: 'rate limited',
  budget_low: 'budget low',
  budget_exhausted: 'budget exhausted',
  tool_missing: 'tool not installed',
  tool_failed: 'tool failed',
  network_unavailable: 'no network',
  permission_denied: 'permission denied',
  unsupported_language: 'language not supported',
  interrupted: 'interrupted',
  internal: 'internal error',
};
