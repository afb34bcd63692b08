import { expect, test } from 'vitest';
import { limits } from './limits.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test('[Limits] are the numbers of the interface', () => {
  expect(limits).toEqual({
    jsonBodyBytesMax: 1_048_576,
    reportBytesMaxDefault: 12_582_912,
    issuesMax: 20,
    emailLengthMax: 254,
    displayNameLengthMax: 80,
    passwordLengthMin: 12,
    passwordLengthMax: 256,
    sessionLifetimeMs: 30 * DAY,
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
  });
});
