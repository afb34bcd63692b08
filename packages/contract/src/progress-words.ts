/**
 * The words of progress events as a person would say them, for the terminal and for the pages. A file of its own: who only
 * shows events does not load the schema library for it.
 */
import type { ProgressPhase, ProgressType, SafeCode } from './progress.ts';

export const phaseWords: Readonly<Record<ProgressPhase, string>> = {
  preparing: 'Preparing',
  inventory: 'Listing the files',
  threat_model: 'Modelling threats',
  static_analysis: 'Analysing the code',
  dynamic_analysis: 'Testing at run time',
  dependency_review: 'Reviewing dependencies',
  secret_review: 'Searching for secrets',
  verification: 'Verifying',
  deduplication: 'Merging what was found',
  reporting: 'Making the report',
  uploading: 'Uploading',
};

/** Null is not worth a line: it only says that the scan is alive. */
export const typeWords: Readonly<Record<ProgressType, string | null>> = {
  scan_started: 'The scan has begun',
  phase_started: 'Begun',
  phase_progressed: 'Going on',
  phase_completed: 'Done',
  candidate_found: 'Something to look into',
  finding_recorded: 'A finding is recorded',
  finding_merged: 'More evidence for a finding',
  finding_dismissed: 'Nothing in it after all',
  tool_started: 'A tool has started',
  tool_completed: 'A tool has finished',
  heartbeat: null,
  warning: 'Warning',
  scan_completed: 'The scan is complete',
  scan_failed: 'The scan has failed',
  scan_cancelled: 'The scan was given up',
};

export const codeWords: Readonly<Record<SafeCode, string>> = {
  ok: '',
  retrying: 'trying again',
  skipped: 'left out',
  partial: 'in part',
  timeout: 'it took too long',
  rate_limited: 'asked to slow down',
  budget_low: 'the budget runs low',
  budget_exhausted: 'the budget is used up',
  tool_missing: 'the tool is not installed',
  tool_failed: 'the tool failed',
  network_unavailable: 'no network',
  permission_denied: 'not permitted',
  unsupported_language: 'the language is not supported',
  interrupted: 'interrupted',
  internal: 'an error of the program',
};
