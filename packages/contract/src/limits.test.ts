import { expect, test } from 'vitest';
import { limits } from './limits.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test('[Limits] the limits have the specified values', () => {
  const {
    decision: _decision,
    finding: _finding,
    report: _report,
    share: _share,
    release: _release,
    supportGrant: _grant,
    analytics: _analytics,
    ...others
  } = limits;
  expect(others).toEqual({
    jsonBodyBytesMax: 1_048_576,
    reportBytesMaxDefault: 12_582_912,
    issuesMax: 20,
    emailLengthMax: 254,
    displayNameLengthMax: 80,
    passwordLengthMin: 12,
    passwordLengthMax: 256,
    sessionLifetimeMs: 30 * DAY,
    setupTokenLengthMax: 256,
    deviceLifetimeMinutesMin: 1,
    deviceLifetimeMinutesMax: 60,
    deviceLinkLifetimeMs: 10 * MINUTE,
    deviceLinkPollIntervalMs: 2000,
    deviceLinkPollsApartMs: 1000,
    deviceLinkWrongVerifiersMax: 10,
    deviceLinkFieldLengthMax: 500,
    deviceLinkFieldKeptLength: 80,
    verifierLengthMin: 20,
    verifierLengthMax: 1000,
    workspaceNameLengthMin: 2,
    workspaceNameLengthMax: 80,
    invitationLifetimeMs: 7 * DAY,
    projectNameLengthMax: 120,
    bindingLengthMin: 8,
    bindingLengthMax: 128,
    reservationLifetimeMs: DAY,
    movedIdentitiesMax: 5000,
    decisionsQueriedMax: 10_000,
    toolNameLengthMax: 200,
    reportsListedMax: 200,
    findingsListedMax: 200,
    findingsListedDefault: 50,
    findingSearchLengthMax: 500,
    trendDaysDefault: 90,
    oldestOpenListedMax: 10,
    appearances: { searchedMax: 100, listedMax: 20 },
    overview: { weeks: 13, listedMax: 5, newDays: 7, lapsingDays: 14, toolsListedMax: 20 },
    auditEntriesListedMax: 200,
    workspacesListedMax: 200,
    projectNameOfReportLengthMax: 200,
    agentFieldLengthMax: 120,
    uploadBytesMin: 2,
    uploadIntentLifetimeMs: 60 * MINUTE,
    progressEventsMin: 1,
    progressEventsMax: 25,
    progressEventsPerMinuteMax: 600,
    progressEventAgeMaxMs: DAY,
    scanSilenceMs: 3_600_000,
    streamHeartbeatMs: 20_000,
    streamRetryMs: 2000,
  });
});

test('[Finding submission] the limits of findings have the specified values for submissions and reports', () => {
  expect(limits.finding).toEqual({
    titleLengthMin: 4,
    titleLengthMax: 240,
    categoryLengthMin: 2,
    categoryLengthMax: 120,
    proseLengthMin: 20,
    summaryLengthMax: 8000,
    remediationLengthMax: 12_000,
    verificationPlanLengthMin: 10,
    reproductionLengthMax: 12_000,
    componentLengthMax: 500,
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
  });
});

test('[D19] the limits of triage decisions have the specified values', () => {
  expect(limits.decision).toEqual({
    noteLengthMax: 2000,
    untilAheadMsMin: MINUTE,
    untilAheadMsMax: 366 * DAY,
    findingsMax: 1000,
    undoableMs: MINUTE,
    listedMax: 200,
    listedDefault: 100,
    keptMax: 1000,
    notesBytesMax: 64 * 1024 * 1024,
  });
});

test('[D13] the limits of product analytics have the specified values', () => {
  expect(limits.analytics).toEqual({
    eventsMin: 1,
    eventsMax: 50,
    eventsPerDayMax: 2000,
    versionLengthMax: 60,
    versionsPerDayMax: 20,
    keptDays: 90,
    shownDaysDefault: 30,
    countsListedMax: 20_000,
  });
});

test('[D17] the limits of support grants have the specified values', () => {
  expect(limits.supportGrant).toEqual({
    reasonLengthMin: 20,
    reasonLengthMax: 2000,
    lifetimeMsMax: 240 * MINUTE,
    listedMax: 200,
  });
});

test('[D8] the limits of reports have the specified values', () => {
  expect(limits.report).toEqual({
    findingsMax: 10_000,
    coverageMax: 500,
    coverageLengthMax: 500,
    coverageAreasMax: 200,
    limitationsMax: 100,
    limitationLengthMax: 2000,
    toolsMax: 64,
    languagesMax: 64,
    scopeMax: 64,
  });
});

test('[D10] the limits of shares have the specified values', () => {
  expect(limits.share).toEqual({
    messageLengthMax: 1000,
    unlockLifetimeMs: 12 * 60 * 60 * 1000,
    passwordLengthMin: 8,
    passwordLengthMax: 256,
    passwordTriedBytesMax: 1024,
    wrongPasswords: { limit: 10, windowMs: 10 * MINUTE },
    labelLengthMax: 80,
    principalsMax: 200,
    policyIdLengthMax: 100,
    tombstoneLifetimeMs: 90 * DAY,
  });
});
