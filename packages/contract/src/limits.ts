/** The numbers of the interface. Units are in the names; lengths are in code points. */
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const limits = {
  jsonBodyBytesMax: 1024 * 1024,
  reportBytesMaxDefault: 12 * 1024 * 1024,
  issuesMax: 20,

  emailLengthMax: 254,
  displayNameLengthMax: 80,
  passwordLengthMin: 12,
  passwordLengthMax: 256,
  sessionLifetimeMs: 30 * DAY_MS,

  deviceLinkLifetimeMs: 10 * MINUTE_MS,
  deviceLinkPollIntervalMs: 2 * SECOND_MS,
  deviceLinkPollsApartMs: SECOND_MS,
  deviceLinkWrongVerifiersMax: 10,
  deviceLinkFieldLengthMax: 500,
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
} as const;
