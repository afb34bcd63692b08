/**
 * Finds by fingerprint which findings of a project are set aside now. A device may read nothing else about triage, so a
 * response must not reveal whether a finding is known and open or was never seen.
 */
import { isSetAside, type SetAsideDecision } from '@svc/contract';
import { identitiesOfFingerprints, identityKey } from '@svc/report';
import { AppError } from '#app-error';
import type { AuditRecorder } from '#features/audit';
import type { SetAside } from '#features/findings';
import type { ProjectsFeature } from '#features/projects';
import { isoTime, isoTimeOrNull, type Clock } from '#platform/clock';
import type { Database, Db } from '#platform/database/database';
import type { ProjectKeys } from '#platform/project-keys';
import type { Throttles } from '#platform/throttles';
import type { DevicePrincipal, SessionPrincipal } from '#principal';

export interface GatePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly throttles: Pick<Throttles, 'chargeWeighted'>;
  readonly projectKeys: Pick<ProjectKeys, 'ofFindings'>;
  readonly audit: Pick<AuditRecorder, 'recordAlone'>;
  readonly requireProject: ProjectsFeature['require'];
  readonly isAdministrator: (userId: string) => Promise<boolean>;
  /** The decisions on the identities that are set aside at that time, by `identityKey`. */
  readonly setAsideOf: (
    db: Db,
    projectId: string,
    identities: readonly Uint8Array[],
    now: number,
  ) => Promise<ReadonlyMap<string, SetAside>>;
}

export interface GateService {
  /**
   * Returns the decisions, the oldest first.
   * @throws AppError NOT_FOUND, also for an administrator who is only a member; RATE_LIMITED.
   */
  query(
    principal: SessionPrincipal | DevicePrincipal,
    projectId: string,
    fingerprints: readonly string[],
  ): Promise<SetAsideDecision[]>;
}

export function createGateService(ports: GatePorts): GateService {
  const { database, clock, throttles, projectKeys, audit } = ports;

  /** Membership gives an administrator no access to what others found. */
  async function requireReadable(userId: string, projectId: string): Promise<string> {
    const { role, workspaceId } = await ports.requireProject(userId, projectId);
    if (role !== 'owner' && (await ports.isAdministrator(userId))) throw new AppError('NOT_FOUND');
    return workspaceId;
  }

  return {
    async query(principal, projectId, fingerprints) {
      const { userId } = principal;
      const workspaceId = await requireReadable(userId, projectId);
      const subject = `${userId} ${projectId}`;
      await throttles.chargeWeighted(
        ['decisionQueries', subject],
        ['decisionFingerprints', subject, fingerprints.length],
      );
      await audit.recordAlone({
        action: 'decisions_queried',
        actorId: userId,
        workspaceId,
        ...(principal.kind === 'device' && { subjectId: principal.deviceId }),
      });
      const asked = [...new Set(fingerprints)];
      const identities = identitiesOfFingerprints(asked, projectKeys.ofFindings(projectId));
      const found = await ports.setAsideOf(database.read, projectId, identities, clock.now());
      return identities
        .flatMap((identity, index) => {
          const decision = found.get(identityKey(identity));
          const fingerprint = asked[index];
          if (decision === undefined || fingerprint === undefined || !isSetAside(decision.status)) return [];
          return [{ ...decision, status: decision.status, fingerprint }];
        })
        .toSorted((one, other) => one.decidedAt - other.decidedAt)
        .map(({ fingerprint, status, severity, decidedAt, until }) => ({
          fingerprint,
          status,
          severity,
          decidedAt: isoTime(decidedAt),
          until: isoTimeOrNull(until),
        }));
    },
  };
}
