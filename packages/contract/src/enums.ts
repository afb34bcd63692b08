/**
 * The allowed values of enum fields, and nothing else, so that listing them, as help and completion do, does not load
 * the schema library.
 */

export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

export const verifications = ['verified', 'strong_evidence', 'needs_review'] as const;

export const evidenceKinds = [
  'source',
  'runtime',
  'identity_differential',
  'configuration',
  'dependency',
  'other',
] as const;

export const findingStatuses = [
  'open',
  'fix_suggested',
  'fix_applied',
  'fixed_verified',
  'accepted_risk',
  'false_positive',
] as const;

/** The statuses that set a finding aside: no work remains, although it is not fixed. */
export const setAsideStatuses = ['accepted_risk', 'false_positive'] as const;
/** Why a finding was set aside. */
export const decisionReasons = [
  'not_reachable',
  'not_exploitable',
  'mitigated',
  'used_in_tests',
  'scanner_error',
  'wont_fix',
  'other',
] as const;

export const fixActions = ['suggested', 'applied', 'verified', 'verification_failed', 'reverted'] as const;

export const effortsRequested = ['low', 'high', 'xhigh', 'ultra', 'auto'] as const;

export const effortsResolved = ['low', 'high', 'xhigh', 'ultra'] as const;

export const progressTypes = [
  'scan_started',
  'phase_started',
  'phase_progressed',
  'phase_completed',
  'candidate_found',
  'finding_recorded',
  'finding_merged',
  'finding_dismissed',
  'tool_started',
  'tool_completed',
  'heartbeat',
  'warning',
  'scan_completed',
  'scan_failed',
  'scan_cancelled',
] as const;

/** Why the overview of a workspace lists a scan without a report. */
export const stoppedScanOutcomes = ['failed', 'cancelled', 'silent'] as const;

export const progressPhases = [
  'preparing',
  'inventory',
  'threat_model',
  'static_analysis',
  'dynamic_analysis',
  'dependency_review',
  'secret_review',
  'verification',
  'deduplication',
  'reporting',
  'uploading',
] as const;

export const safeCodes = [
  'ok',
  'retrying',
  'skipped',
  'partial',
  'timeout',
  'rate_limited',
  'budget_low',
  'budget_exhausted',
  'tool_missing',
  'tool_failed',
  'network_unavailable',
  'permission_denied',
  'unsupported_language',
  'interrupted',
  'internal',
] as const;

export const authorizationBases = ['owner', 'contract', 'bug_bounty', 'open_source'] as const;

export const coverageStatuses = ['covered', 'partial', 'not_covered'] as const;

export const exportFormats = ['html', 'json', 'markdown', 'sarif'] as const;

/** The kinds of principal that a projection is made for. */
export const principalTypes = ['user', 'email', 'workspace', 'anonymous'] as const;

export const shareModes = ['private', 'workspace', 'anyone_with_link'] as const;

/** The sections of a report that a policy can show or hide as a whole. */
export const sectionIds = [
  'metadata',
  'authorization',
  'summary',
  'findings',
  'coverage',
  'limitations',
] as const;

export const selectionModes = ['allow_all', 'allow_listed', 'deny_listed'] as const;

export const roles = ['owner', 'member'] as const;

/** The orders of the findings of a workspace. */
export const findingSorts = ['severity', 'newest', 'oldest', 'project'] as const;
export type FindingSort = (typeof findingSorts)[number];

/** The actions that the audit log records. */
export const auditActions = [
  'share_created',
  'share_changed',
  'share_revoked',
  'report_exported',
  'report_deleted',
  'finding_decided',
  'device_linked',
  'device_revoked',
  'member_invited',
  'invitation_revoked',
  'member_joined',
  'member_role_changed',
  'member_left',
  'member_removed',
  'workspace_created',
  'workspace_deleted',
  'workspace_plan_changed',
  'support_granted',
  'support_used',
  'support_revoked',
  'decisions_queried',
] as const;

/** The events that product analytics count. */
export const analyticsNames = [
  'cli_linked',
  'cli_scan_started',
  'cli_scan_completed',
  'cli_sync_completed',
  'cli_update_checked',
  'report_viewed',
  'report_exported',
  'report_watched',
  'share_created',
  'share_revoked',
  'share_previewed',
  'finding_status_changed',
  'workspace_created',
  'project_created',
] as const;

/** Where an event happened. */
export const analyticsSurfaces = ['cli', 'web'] as const;
