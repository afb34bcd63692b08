/** Who may open a share, and as which principal. A pure function of facts. */
import { limits, type PrincipalType, type ShareMode } from '@svc/contract';

/** A SharePolicy as stored: JSON, parsed only when needed. Null once the report has expired. */
export type KeptPolicy = string | null;

export interface Validity {
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
}

/** A share, and the columns of its report that matter. */
export interface ShareFacts extends Validity {
  readonly mode: ShareMode;
  readonly anonymousAllowed: boolean;
  readonly defaultPolicy: KeptPolicy;
  readonly ownerId: string;
  readonly reportExpiresAt: number;
  readonly reportExpiredAt: number | null;
}

/** A principal that a share names. */
export interface PrincipalFacts {
  readonly label: string | null;
  readonly policy: KeptPolicy;
}

export type PrincipalNamed = Exclude<PrincipalType, 'anonymous'>;

/** A signed-in viewer. */
export interface ViewerFacts {
  readonly userId: string;
  readonly displayName: string;
  /** Whether the viewer is a member of the report's workspace. */
  readonly isMember: boolean;
  readonly isAdministrator: boolean;
  /** The principals of the share that stand for the viewer: their account, their address, their workspace. */
  readonly named: Readonly<Partial<Record<PrincipalNamed, PrincipalFacts>>>;
}

export interface Granted {
  readonly outcome: 'granted';
  readonly principalType: PrincipalType;
  /** The owner's label for the viewer. No other name is shown to others. */
  readonly label: string | null;
  /** How the page addresses the viewer. */
  readonly viewerLabel: string;
  readonly policy: KeptPolicy;
}

export type Access =
  | { readonly outcome: 'notAvailable' }
  /** The share may open for an account, and the viewer is not signed in. */
  | { readonly outcome: 'signInNeeded' }
  | Granted;

const ANONYMOUS_LABEL = 'Anonymous';
const notAvailable: Access = { outcome: 'notAvailable' };

/**
 * @param share null when no share has the slug.
 * @param viewer null when not signed in.
 */
export function decideAccess(share: ShareFacts | null, viewer: ViewerFacts | null, now: number): Access {
  if (!share || !isActive(share, now)) return notAvailable;
  // This long after the end of its report, a share no longer reveals that it existed. The clock decides; a job deletes.
  const endedAt = Math.min(share.reportExpiresAt, share.reportExpiredAt ?? share.reportExpiresAt);
  if (endedAt + limits.share.tombstoneLifetimeMs <= now) return notAvailable;
  if (viewer) return accessOfAccount(share, viewer);
  if (share.mode !== 'anyone_with_link' || !share.anonymousAllowed) return { outcome: 'signInNeeded' };
  const policy = share.defaultPolicy;
  return {
    outcome: 'granted',
    principalType: 'anonymous',
    label: null,
    viewerLabel: ANONYMOUS_LABEL,
    policy,
  };
}

function accessOfAccount(share: ShareFacts, viewer: ViewerFacts): Access {
  const { displayName, named } = viewer;
  if (share.ownerId === viewer.userId) return granted('user', null, displayName, share.defaultPolicy);
  const types: readonly PrincipalNamed[] = ['user', 'email', 'workspace'];
  for (const type of types) {
    const principal = named[type];
    // Membership gives an administrator no access.
    if (principal && !(type === 'workspace' && viewer.isAdministrator))
      return granted(type, principal.label, principal.label ?? displayName, principal.policy);
  }
  if (share.mode === 'workspace' && viewer.isMember && !viewer.isAdministrator)
    return granted('workspace', null, displayName, share.defaultPolicy);
  if (share.mode === 'anyone_with_link') return granted('user', null, displayName, share.defaultPolicy);
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

/** Whether the share is neither revoked nor expired. */
export function isActive({ revokedAt, expiresAt }: Validity, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

/** The mode of a share that was created without one. */
export function defaultMode(anonymousAllowed: boolean): ShareMode {
  return anonymousAllowed ? 'anyone_with_link' : 'private';
}
