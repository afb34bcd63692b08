/**
 * The data of mutated requests: users with a session, a device, workspaces, a project, shares and an invitation, all
 * real, so that a request with one error reaches the check of that error.
 *
 * Valid requests consume data: an account is deleted, a device revoked. Destructive requests are sent as the victim,
 * all others as the resident or the platform administrator, so that all usually exist. The victim and the resident are
 * replaced when part of them is gone. They are also replaced regularly, so that their lists stay bounded.
 */
import { HOUR_MS } from '@svc/contract/durations';
import {
  createActors,
  createShell,
  declareUpload,
  reportBytes,
  shareOf,
  type SessionActor,
} from '@svc/testkit';

export interface World {
  readonly resident: Party;
  readonly victim: Party;
  /** The platform administrator, with a report that a grant opens. */
  readonly administrator: Party;
  /** The cookie of a user whom no mutated request knows, for requests that must succeed. */
  readonly steadyCookie: string;
}

export interface Party {
  readonly email: string;
  readonly password: string;
  readonly recoveryCode: string;
  /** `svc_session=…` */
  readonly cookie: string;
  readonly deviceToken: string;
  readonly revokedDeviceToken: string;
  readonly otherCookie: string;
  readonly verifier: string;
  /** What was declared for the upload. */
  readonly reportBytes: Uint8Array<ArrayBuffer>;
  readonly ids: Readonly<Record<IdName, string>>;
}

export type IdName =
  | 'user'
  | 'otherUser'
  | 'session'
  | 'device'
  | 'workspace'
  | 'personalWorkspace'
  | 'otherWorkspace'
  | 'project'
  | 'report'
  | 'localReport'
  | 'upload'
  | 'share'
  | 'slug'
  | 'binding'
  | 'pendingLink'
  | 'approvedLink'
  | 'invitation'
  | 'invitationToken'
  | 'grant';

const GRANT_MS = HOUR_MS;
/** The value of `PLATFORM_ADMIN_EMAIL`. */
export const ADMINISTRATOR = 'fuzz-administrator@example.test';
/** The value of `SVC_SETUP_TOKEN`. */
export const SETUP_TOKEN = 'fuzz setup token of this run';

let made = 0;

export async function createWorld(url: string): Promise<World> {
  const steady = await createActors(url).signUp({ email: `fuzz-${process.pid}-steady@example.test` });
  return {
    resident: await createParty(url),
    victim: await createParty(url),
    administrator: await createParty(url, ADMINISTRATOR),
    steadyCookie: steady.cookie,
  };
}

/** @param all also replaces intact parties. */
export async function renewWorld(url: string, world: World, all: boolean): Promise<World> {
  const renew = async (party: Party) => (!all && (await isWhole(url, party)) ? party : createParty(url));
  return { ...world, resident: await renew(world.resident), victim: await renew(world.victim) };
}

async function createParty(url: string, address?: string): Promise<Party> {
  made += 1;
  const actors = createActors(url, (email) => (email === ADMINISTRATOR ? SETUP_TOKEN : undefined));
  const name = `fuzz-${process.pid}-${made}`;
  const person = await actors.signUp({ email: address ?? `${name}@example.test` });
  const other = await actors.signUp({ email: `${name}-other@example.test` });
  const device = await actors.linkDevice(person);
  const revoked = await actors.linkDevice(person);
  must(await revoked.api.revokeCurrentDevice());
  const workspace = must(await person.api.createWorkspace({ body: { name: 'Fuzzed' } })).workspaceId;
  const binding = `${name}-binding`;
  const project = must(
    await person.api.createProject({
      body: { workspaceId: workspace, name: 'Fuzzed', bindingPublicId: binding },
    }),
  ).projectId;
  const invitation = must(await person.api.createInvitation({ params: { id: workspace } }));
  const pending = await actors.beginLink();
  const approved = await actors.beginLink();
  must(await person.api.approveDeviceLink({ params: { id: approved.publicRequestId } }));
  const shell = await createShell(device, { workspaceId: workspace, projectId: project });
  const bytes = reportBytes({ localReportId: shell.localReportId });
  const share = await shareOf(person, shell.reportId);
  const { email, password, recoveryCode, cookie } = person;
  return {
    email,
    password,
    recoveryCode,
    cookie,
    deviceToken: device.deviceToken,
    revokedDeviceToken: revoked.deviceToken,
    otherCookie: other.cookie,
    verifier: approved.verifier,
    reportBytes: bytes,
    ids: {
      user: person.user.userId,
      otherUser: other.user.userId,
      session: must(await person.api.listSessions()).sessions[0]?.sessionId ?? '',
      device: device.deviceId,
      workspace,
      personalWorkspace: await personalWorkspaceOf(person),
      otherWorkspace: await personalWorkspaceOf(other),
      project,
      report: shell.reportId,
      localReport: shell.localReportId,
      upload: await declareUpload(device, shell.reportId, bytes),
      share: share.shareId,
      slug: share.slug,
      binding,
      pendingLink: pending.publicRequestId,
      approvedLink: approved.publicRequestId,
      invitation: invitation.invitationId,
      invitationToken: invitation.url.split('/').at(-1) ?? '',
      grant: address === undefined ? device.deviceId : await grantFor(person, shell.reportId),
    },
  };
}

/** False when a valid request has used up something that others need. */
async function isWhole(url: string, { cookie, deviceToken, ids }: Party): Promise<boolean> {
  const actors = createActors(url);
  const projects = await actors.withCookie(cookie).api.listProjects();
  const device = await actors.withDeviceToken(deviceToken).api.getCurrentDevice();
  return (
    projects.ok && device.ok && projects.body.projects.some(({ projectId }) => projectId === ids.project)
  );
}

async function grantFor(administrator: SessionActor, reportId: string): Promise<string> {
  const body = {
    reportId,
    reason: 'The owner asked what became of it.',
    expiresAt: new Date(Date.now() + GRANT_MS).toISOString(),
    password: administrator.password,
  };
  return must(await administrator.api.createSupportGrant({ body })).grant.grantId;
}

async function personalWorkspaceOf(person: SessionActor): Promise<string> {
  const { workspaces } = must(await person.api.listWorkspaces());
  return workspaces.find(({ kind }) => kind === 'personal')?.workspaceId ?? '';
}

type CallOutcome =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly error: { readonly code: string } };

function must<Given extends CallOutcome>(outcome: Given): Extract<Given, { ok: true }>['body'] {
  if (!outcome.ok) throw new Error(`The test data could not be created: ${outcome.error.code}`);
  return (outcome as Extract<Given, { ok: true }>).body;
}
