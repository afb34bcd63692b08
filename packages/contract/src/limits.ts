/** The limits of the API. Units are in the names; lengths are in code points. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './durations.ts';

export const limits = {
  jsonBodyBytesMax: 1024 * 1024,
  reportBytesMaxDefault: 12 * 1024 * 1024,
  issuesMax: 20,

  emailLengthMax: 254,
  displayNameLengthMax: 80,
  passwordLengthMin: 12,
  passwordLengthMax: 256,
  setupTokenLengthMax: 256,
  sessionLifetimeMs: 30 * DAY_MS,

  deviceLinkLifetimeMs: 10 * MINUTE_MS,
  deviceLinkPollIntervalMs: 2 * SECOND_MS,
  deviceLinkPollsApartMs: SECOND_MS,
  deviceLinkWrongVerifiersMax: 10,
  deviceLinkFieldLengthMax: 500,
  /** The bounds of the lifetime that an approval may set for a device. */
  deviceLifetimeMinutesMin: 1,
  deviceLifetimeMinutesMax: 60,
  deviceLinkFieldKeptLength: 80,
  verifierLengthMin: 20,
  verifierLengthMax: 1000,

  workspaceNameLengthMin: 2,
  workspaceNameLengthMax: 80,
  invitationLifetimeMs: 7 * DAY_MS,
  projectNameLengthMax: 120,
  bindingLengthMin: 8,
  bindingLengthMax: 128,

  reservationLifetimeMs: DAY_MS,

  /** The maximum number of changed fingerprints that the call to finalize a report may list. */
  movedIdentitiesMax: 5000,
  /**
   * The maximum number of fingerprints in one query of decisions. It equals the maximum number of findings in a report.
   */
  decisionsQueriedMax: 10_000,

  reportsListedMax: 200,
  findingsListedMax: 200,
  findingsListedDefault: 50,
  findingSearchLengthMax: 500,
  trendDaysDefault: 90,
  oldestOpenListedMax: 10,
  /** In how many of the newest reports of its project a finding is looked for, and how many of them are listed. */
  appearances: { searchedMax: 100, listedMax: 20 },
  overview: { weeks: 13, listedMax: 5, newDays: 7, lapsingDays: 14, toolsListedMax: 20 },
  auditEntriesListedMax: 200,
  projectNameOfReportLengthMax: 200,
  /** The maximum length of each field that describes an agent or a host. */
  agentFieldLengthMax: 120,
  uploadBytesMin: 2,
  uploadIntentLifetimeMs: HOUR_MS,

  progressEventsMin: 1,
  progressEventsMax: 25,
  progressEventsPerMinuteMax: 600,
  progressEventAgeMaxMs: DAY_MS,
  /** A scan that has sent no event for so long counts as stopped. Running scans of the CLI send one every 30 seconds. */
  scanSilenceMs: HOUR_MS,
  streamHeartbeatMs: 20 * SECOND_MS,
  streamRetryMs: 2 * SECOND_MS,

  /** The limits of one finding, both when it is submitted and in a report. */
  finding: {
    titleLengthMin: 4,
    titleLengthMax: 240,
    categoryLengthMin: 2,
    categoryLengthMax: 120,
    /** The minimum length of summary, impact and remediation. */
    proseLengthMin: 20,
    /** The maximum length of summary, impact and verification plan. */
    summaryLengthMax: 8000,
    remediationLengthMax: 12_000,
    verificationPlanLengthMin: 10,
    reproductionLengthMax: 12_000,
    componentLengthMax: 500,
    /** The maximum length of files, routes, origins and locations of evidence. */
    locationLengthMax: 1000,
    evidenceMax: 64,
    evidenceDescriptionLengthMin: 10,
    evidenceDescriptionLengthMax: 12_000,
    snippetLengthMax: 24_000,
    corroborationMax: 256,
    taxonomyMax: 16,
    taxonomyLengthMax: 64,
    referencesMax: 32,
    referenceLengthMax: 500,
    tagsMax: 32,
    tagLengthMax: 80,
    secretReferencesMax: 64,
    secretLabelLengthMax: 200,
    secretFingerprintLengthMax: 128,
    fixHistoryMax: 200,
    changedFilesMax: 200,
    noteLengthMax: 2000,
  },

  /** The limits of triage decisions. */
  decision: {
    noteLengthMax: 2000,
    untilAheadMsMin: MINUTE_MS,
    untilAheadMsMax: 366 * DAY_MS,
    /** How many findings one call can decide. */
    findingsMax: 1000,
    undoableMs: MINUTE_MS,
    /** How many decisions about a finding one page lists. */
    listedMax: 200,
    listedDefault: 100,
    /** A finding keeps its newest decisions. */
    keptMax: 1000,
    /** The notes of a project, encrypted. */
    notesBytesMax: 64 * 1024 * 1024,
  },
  toolNameLengthMax: 200,

  /** The limits of one report. */
  report: {
    findingsMax: 10_000,
    coverageMax: 500,
    coverageLengthMax: 500,
    coverageAreasMax: 200,
    limitationsMax: 100,
    limitationLengthMax: 2000,
    toolsMax: 64,
    languagesMax: 64,
    scopeMax: 64,
  },

  /** The limits of one share. */
  share: {
    passwordLengthMin: 8,
    passwordLengthMax: 256,
    /** A longer password is never correct, and does not count as an attempt. */
    passwordTriedBytesMax: 1024,
    wrongPasswords: { limit: 10, windowMs: 10 * MINUTE_MS },
    labelLengthMax: 80,
    messageLengthMax: 1000,
    /** How long an unlock token replaces the password. */
    unlockLifetimeMs: 12 * HOUR_MS,
    principalsMax: 200,
    policyIdLengthMax: 100,
    /** How long the share is kept after its report has expired. */
    tombstoneLifetimeMs: 90 * DAY_MS,
  },

  /** The limits of one release of the CLI. */
  release: {
    manifestBytesMax: 1024 * 1024,
    artifactBytesMax: 64 * 1024 * 1024,
    artifactsMax: 64,
    revokedVersionsMax: 1000,
    signaturesMax: 16,
    urlLengthMax: 2000,
  },
  supportGrant: {
    reasonLengthMin: 20,
    reasonLengthMax: 2000,
    lifetimeMsMax: 4 * HOUR_MS,
    listedMax: 200,
  },
  workspacesListedMax: 200,

  analytics: {
    eventsMin: 1,
    eventsMax: 50,
    /** The limit for one account, including repeated events. */
    eventsPerDayMax: 2000,
    versionLengthMax: 60,
    /** Versions counted separately in one day; further versions are ignored. */
    versionsPerDayMax: 20,
    keptDays: 90,
    shownDaysDefault: 30,
    countsListedMax: 20_000,
  },
} as const;
