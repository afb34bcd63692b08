/** Shares: links through which viewers read the projection of a report that a policy allows. */
import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { closed, idGiven, line, nullable, recordId, text, time, timestamp } from './schema.ts';
import { Severity } from './severity.ts';
import { principalTypes, type sectionIds, selectionModes, severities, shareModes } from './enums.ts';

export type SectionId = (typeof sectionIds)[number];
export type SelectionMode = (typeof selectionModes)[number];
export type ShareMode = (typeof shareModes)[number];

const { share: bounds } = limits;

const mode = Type.Optional(Type.Enum([...selectionModes], { description: 'Default `allow_listed`.' }));
const selectedIds = Type.Optional(
  Type.Array(text(0, bounds.policyIdLengthMax), {
    maxItems: limits.report.findingsMax,
    description: 'Ids that are not in the report are ignored.',
  }),
);
const allowed = Type.Optional(Type.Boolean());

const findings = Type.Refine(
  closed({
    ids: selectedIds,
    mode,
    maxSeverity: Type.Optional(Severity),
    minSeverity: Type.Optional(Severity),
  }),
  ({ maxSeverity = 'critical', minSeverity = 'info' }) =>
    severities.indexOf(minSeverity) >= severities.indexOf(maxSeverity),
  () => 'minSeverity must not be above maxSeverity',
);

/** Which parts of a report viewers see. A missing part allows nothing. */
export const SharePolicy = closed(
  {
    version: Type.Literal(1),
    sections: Type.Optional(closed({ ids: selectedIds, mode })),
    findings: Type.Optional(findings),
    fields: Type.Optional(
      closed({
        evidence: allowed,
        code: allowed,
        reproduction: allowed,
        remediation: allowed,
        metadata: allowed,
      }),
    ),
    anonymize: allowed,
  },
  { title: 'SharePolicy' },
);
export type SharePolicy = Static<typeof SharePolicy>;

// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * A new password for a share. Unlike the password of an account, it is passed to other people, so white space at its
 * ends is not allowed.
 */
export const SharePassword = Type.Refine(
  text(bounds.passwordLengthMin, bounds.passwordLengthMax, {
    description: 'No space at either end, no control characters.',
  }),
  (value) => value.trim() === value && !CONTROL_CHARACTERS.test(value),
  () => 'must have no space at either end and no control characters',
);

const label = line(1, bounds.labelLengthMax, { description: "The owner's label; viewers do not see it." });

const message = text(0, bounds.messageLengthMax, {
  description:
    'Plain text for the viewers. Under a policy with `anonymize`, names in it are redacted. Must not contain a secret.',
});
const showSender = Type.Optional(
  Type.Boolean({ description: "Whether viewers see the creator's display name. Default false." }),
);

const SharePrincipalGiven = closed(
  {
    principalValue: Type.String({ description: 'An email address, or the id of a user or a workspace.' }),
    label: Type.Optional(
      nullable(
        line(1, bounds.labelLengthMax, {
          description: 'The name shown to the viewer; null means none, as in responses.',
        }),
      ),
    ),
    policy: SharePolicy,
  },
  { title: 'SharePrincipalGiven' },
);
export type SharePrincipalGiven = Static<typeof SharePrincipalGiven>;

const ModeOfShare = Type.Enum([...shareModes], {
  description:
    '`private`: the named principals; `workspace`: members of the workspace too; `anyone_with_link`: any account.',
});
const principals = Type.Array(SharePrincipalGiven, { maxItems: bounds.principalsMax });

export const CreateShareBody = closed(
  {
    mode: Type.Optional(ModeOfShare),
    defaultPolicy: SharePolicy,
    password: Type.Optional(SharePassword),
    expiresAt: Type.Optional(time),
    anonymousAllowed: Type.Optional(
      Type.Boolean({ description: 'Whether viewers need no account; applies only to `anyone_with_link`.' }),
    ),
    label: Type.Optional(label),
    message: Type.Optional(message),
    showSender,
    principals: Type.Optional(principals),
  },
  { title: 'CreateShare' },
);
export type CreateShareBody = Static<typeof CreateShareBody>;

export const ShareCreated = closed(
  {
    shareId: recordId('shr'),
    slug: Type.String({ pattern: '^[0-9A-Za-z]{27}$', description: 'Shown once.' }),
    url: Type.String({ description: 'The URL that viewers open.' }),
  },
  { title: 'ShareCreated' },
);
export type ShareCreated = Static<typeof ShareCreated>;

export const ChangeShareBody = closed(
  {
    reportId: idGiven,
    mode: Type.Optional(ModeOfShare),
    password: Type.Optional(nullable(SharePassword)),
    expiresAt: Type.Optional(nullable(time)),
    anonymousAllowed: Type.Optional(Type.Boolean()),
    label: Type.Optional(nullable(label)),
    message: Type.Optional(nullable(message)),
    showSender,
    defaultPolicy: Type.Optional(SharePolicy),
    principals: Type.Optional(principals),
  },
  { title: 'ChangeShare', description: 'Missing fields stay unchanged; null removes a value.' },
);
export type ChangeShareBody = Static<typeof ChangeShareBody>;

/** A share, as shown to people who may share the report. */
export const Share = closed(
  {
    id: recordId('shr'),
    reportId: recordId('rep'),
    label: nullable(Type.String()),
    mode: ModeOfShare,
    hasPassword: Type.Boolean(),
    anonymousAllowed: Type.Boolean(),
    expiresAt: nullable(timestamp),
    revokedAt: nullable(timestamp),
    createdAt: timestamp,
    createdBy: closed(
      { userId: recordId('usr'), displayName: Type.String() },
      { description: 'The owner of the report, if the account of the creator was deleted.' },
    ),
    message: nullable(Type.String()),
    showSender: Type.Boolean(),
    defaultPolicy: SharePolicy,
    principals: Type.Array(
      closed(
        { principalValue: Type.String(), label: nullable(Type.String()), policy: SharePolicy },
        { title: 'SharePrincipal' },
      ),
    ),
    viewCount: Type.Integer({ minimum: 0 }),
    lastViewedAt: nullable(timestamp),
  },
  { title: 'Share' },
);
export type Share = Static<typeof Share>;

/** An active share as listed for its workspace, without its policy. */
export const WorkspaceShare = closed(
  {
    id: recordId('shr'),
    reportId: recordId('rep'),
    projectName: Type.String(),
    ownerId: recordId('usr'),
    ownerName: Type.String(),
    label: nullable(Type.String()),
    mode: ModeOfShare,
    hasPassword: Type.Boolean(),
    anonymousAllowed: Type.Boolean(),
    createdAt: timestamp,
    expiresAt: nullable(timestamp),
    viewCount: Type.Integer({ minimum: 0 }),
    lastViewedAt: nullable(timestamp),
  },
  { title: 'WorkspaceShare' },
);
export type WorkspaceShare = Static<typeof WorkspaceShare>;

export const PreviewBody = closed(
  {
    policy: SharePolicy,
    principalType: Type.Enum([...principalTypes]),
    label: Type.Optional(line(1, bounds.labelLengthMax)),
    shareId: Type.Optional(idGiven),
    message: Type.Optional(message),
    showSender,
  },
  { title: 'ProjectionPreview' },
);
export type PreviewBody = Static<typeof PreviewBody>;

/** With the value `1`, the response also has `share`. Other values are ignored. */
export const CoverQuery = closed({
  cover: Type.Optional(Type.String({ description: '`1` adds the cover as `share` to the response.' })),
});

export const UnlockShareBody = closed(
  { password: Type.String({ description: 'The password of the share.' }) },
  { title: 'UnlockShare' },
);
export type UnlockShareBody = Static<typeof UnlockShareBody>;

export const ShareUnlocked = closed(
  {
    unlockToken: Type.String({
      description: 'Replaces the password in the header `x-svc-share-unlock` until it expires.',
    }),
    expiresAt: timestamp,
  },
  { title: 'ShareUnlocked' },
);
export type ShareUnlocked = Static<typeof ShareUnlocked>;
