/** Phases of a scan in words for people. */
import type { ProgressPhase } from '@svc/contract';

export const phaseNames: Readonly<Record<ProgressPhase, string>> = {
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
