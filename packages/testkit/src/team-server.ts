/** A server with one team, for suites about teams. */
import type { Clock } from '@svc/server/ports';
import type { DeviceActor, SessionActor } from './actors.ts';
import { startServer, type TestServer, type TestServerOptions } from './server.ts';
import { createTeam } from './teams.ts';

const OPERATOR = 'operator@example.test';

export interface TeamServer extends TestServer {
  /** The id of the team. */
  readonly team: string;
  readonly owner: SessionActor;
  /** The owner's device. */
  readonly device: DeviceActor;
  readonly member: SessionActor;
  /** The platform administrator, who is also a member of the team. */
  readonly operator: SessionActor;
}

/** Starts a server with plans without limits. */
export async function startTeamServer(
  clock: Clock,
  options: Pick<TestServerOptions, 'wrapBlobs'> = {},
): Promise<TeamServer> {
  const server = await startServer({
    ...options,
    clock,
    generousPlans: true,
    config: { platformAdminEmail: OPERATOR },
  });
  try {
    const owner = await server.signUp();
    const member = await server.signUp();
    const operator = await server.signUp({ email: OPERATOR });
    const team = await createTeam(owner, [member, operator]);
    const device = await server.linkDevice(owner);
    return { ...server, team, owner, device, member, operator };
  } catch (error) {
    await server.close();
    throw error;
  }
}
