/** Who may open a link, and as whom. Decides from facts alone. */
import { limits, type PrincipalType, type ShareMode } from '@svc/contract';

/** A SharePolicy as it is kept: JSON, which is read once it is known to be needed. Null once the report has expired. */
export type KeptPolicy = string | null;

export interface Validity {
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
}

/** A link that was found, with what it needs to know of its report. */
export interface LinkFacts extends Validity {
  readonly mode: ShareMode;
  readonly anonymousAllowed: boolean;
  readonly defaultPolicy: KeptPolicy;
  readonly ownerId: string;
  readonly reportExpiresAt: number;
  readonly reportExpiredAt: number | null;
}

/** What a link says of somebody whom it names. */
export interface NamedFacts {
  readonly label: string | null;
  readonly policy: KeptPolicy;
}

export type NamedType = Exclude<PrincipalType, 'anonymous'>;

/** A signed-in viewer. */
export interface ViewerFacts {
  readonly userId: string;
  readonly displayName: string;
  /** Of the workspace that the report is in. */
  readonly isMember: boolean;
  readonly isAdministrator: boolean;
  /** How the link names them: as a user, by an address, with a workspace. */
  readonly named: Readonly<Partial<Record<NamedType, NamedFacts>>>;
}

export interface Granted {
  readonly outcome: 'granted';
  readonly principalType: PrincipalType;
  /** What the owner calls the viewer; nobody else's name is told to others. */
  readonly label: string | null;
  /** What the viewer is greeted with. */
  readonly viewerLabel: string;
  readonly policy: KeptPolicy;
}

export type Access =
  | { readonly outcome: 'notAvailable' }
  /** The link may be open to an account; whoever asks has none. */
  | { readonly outcome: 'signInNeeded' }
  | Granted;

const ANONYMOUS_LABEL = 'Anonymous';
const notAvailable: Access = { outcome: 'notAvailable' };

/**
 * @param link null when there is none under the slug.
 * @param viewer null for somebody who is not signed in.
 */
export function decideAccess(link: LinkFacts | null, viewer: ViewerFacts | null, now: number): Access {
  if (!link || !isActive(link, now) || isForgotten(link, now)) return notAvailable;
  return viewer ? accessOfAccount(link, viewer) : accessOfAnybody(link);
}

function accessOfAnybody({ mode, anonymousAllowed, defaultPolicy }: LinkFacts): Access {
  if (mode !== 'anyone_with_link' || !anonymousAllowed) return { outcome: 'signInNeeded' };
  return granted('anonymous', null, ANONYMOUS_LABEL, defaultPolicy);
}

function accessOfAccount(link: LinkFacts, viewer: ViewerFacts): Access {
  const { displayName, named } = viewer;
  if (link.ownerId === viewer.userId) return granted('user', null, displayName, link.defaultPolicy);
  const types: readonly NamedType[] = ['user', 'email', 'workspace'];
  for (const type of types) {
    const found = named[type];
    // Membership lends an administrator no access.
    if (found && !(type === 'workspace' && viewer.isAdministrator))
      return granted(type, found.label, found.label ?? displayName, found.policy);
  }
  if (link.mode === 'workspace' && viewer.isMember && !viewer.isAdministrator)
    return granted('workspace', null, displayName, link.defaultPolicy);
  if (link.mode === 'anyone_with_link') return granted('user', null, displayName, link.defaultPolicy);
  return notAvailable;
}

function granted(
  principalType: PrincipalType,
  label: string | null,
  viewerLabel: string,
  policy: KeptPolicy,
): Granted {
  return { outcome: 'granted', principalType, label, viewerLabel, policy };
}

/** Neither revoked nor expired. */
export function isActive({ revokedAt, expiresAt }: Validity, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

/** So long after the end of its report a link says no more that there was one. The clock decides; a job tidies up. */
function isForgotten({ reportExpiresAt, reportExpiredAt }: LinkFacts, now: number): boolean {
  const endedAt = Math.min(reportExpiresAt, reportExpiredAt ?? reportExpiresAt);
  return endedAt + limits.share.tombstoneLifetimeMs <= now;
}

/** The mode of a link whose maker named none. */
export function defaultMode(anonymousAllowed: boolean): ShareMode {
  return anonymousAllowed ? 'anyone_with_link' : 'private';
}
