/** Linked devices, and the device links through which a device gets its credential. */
import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { closed, idGiven, matching, nullable, recordId, text, timestamp } from './schema.ts';

export const Device = closed(
  {
    deviceId: recordId('dev'),
    deviceName: Type.String(),
    clientVersion: Type.String(),
    osFamily: Type.String(),
    arch: Type.String(),
    createdAt: timestamp,
    lastSeenAt: timestamp,
    revokedAt: nullable(timestamp),
    /** Set if the device was approved for a limited time. */
    expiresAt: nullable(timestamp),
  },
  { title: 'Device' },
);
export type Device = Static<typeof Device>;

const describingField = text(0, limits.deviceLinkFieldLengthMax);

export const CreateDeviceLinkBody = closed({
  verifierHash: matching(
    /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9_-]{43})$/,
    'must be a SHA-256 hash as 64 hexadecimal or 43 base64url characters',
    { description: "SHA-256 of the verifier's UTF-8 bytes, in hexadecimal or base64url." },
  ),
  deviceName: describingField,
  clientVersion: describingField,
  osFamily: describingField,
  arch: describingField,
});

export const DeviceLinkCreated = closed({
  publicRequestId: Type.String(),
  approvalUrl: Type.String(),
  expiresAt: timestamp,
  pollIntervalMs: Type.Integer(),
});

export const deviceLinkStates = ['pending', 'approved', 'denied', 'consumed', 'expired'] as const;
export type DeviceLinkState = (typeof deviceLinkStates)[number];

export const DeviceLink = closed(
  {
    state: Type.Enum([...deviceLinkStates]),
    /** Shown in the terminal and in the browser, so that people approve only the device link that they started. */
    matchCode: Type.String({ pattern: '^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$' }),
    deviceName: Type.String(),
    clientVersion: Type.String(),
    osFamily: Type.String(),
    arch: Type.String(),
    createdAt: timestamp,
    expiresAt: timestamp,
  },
  { title: 'DeviceLink' },
);
export type DeviceLink = Static<typeof DeviceLink>;

export const ApproveDeviceLinkBody = closed({
  /** The account that the page showed; CONFLICT if the session belongs to another account. */
  userId: Type.Optional(idGiven),
  lifetimeMinutes: Type.Optional(
    Type.Integer({
      minimum: limits.deviceLifetimeMinutesMin,
      maximum: limits.deviceLifetimeMinutesMax,
      description:
        'How long the credential is valid after the device receives it; without this field it does not expire.',
    }),
  ),
});

export const DeviceLinkApproved = closed({ status: Type.Literal('approved'), expiresAt: timestamp });

export const ExchangeBody = closed({ verifier: text(limits.verifierLengthMin, limits.verifierLengthMax) });

export const DeviceCredential = closed({
  deviceId: recordId('dev'),
  deviceName: Type.String(),
  deviceToken: Type.String({
    pattern: '^svc_dev_[0-9A-Za-z]{46}$',
    description: 'Returned once; the server stores only its hash.',
  }),
  userId: recordId('usr'),
  email: Type.String(),
  apiBaseUrl: Type.String(),
});
