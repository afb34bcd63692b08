/**
 * For each endpoint an input with which it succeeds. The matrices of this folder are derived from these and from the
 * contract. A new endpoint is covered by adding its sample; without one this file does not compile.
 */
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import path from 'node:path';
import type { BodyOf, Endpoints, ErrorCode, Operation, ParamsOf, QueryOf, SharePolicy } from '@svc/contract';
import {
  approveLink,
  BILLING_SECRET,
  bindProject,
  bodyOf,
  createFakeClock,
  createShell,
  createTeam,
  declareUpload,
  findingBody,
  invitationTo,
  newLocalId,
  reportBytes,
  shareOf,
  startServer,
  subscriptionEvent,
  syncReport,
  wholePolicy,
  type FakeClock,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import type { Config } from '../../src/config.ts';

/** The input of an endpoint in the typed client. */
export type InputOf<Name extends Operation> = Name extends keyof SessionActor['api']
  ? NonNullable<Parameters<SessionActor['api'][Name]>[0]>
  : { readonly params: ParamsOf<Endpoints[Name]>; readonly query?: QueryOf<Endpoints[Name]> } & ([
      BodyOf<Endpoints[Name]>,
    ] extends [undefined]
      ? object
      : { readonly body: BodyOf<Endpoints[Name]> });

export interface Sample<Name extends Operation = Operation> {
  /** Creates what the input names, as `caller` or for them. The call is made by `caller` or a device of theirs. */
  readonly input: (caller: SessionActor, server: TestServer) => Promise<InputOf<Name>>;
  /** A success changes the caller's session, device or password. */
  readonly usesUpCaller?: true;
  /** The input names something without an owner: anyone who knows its name may use it. */
  readonly forWhoeverKnows?: true;
  /** The error code for a foreign id, by the field that it is in; NOT_FOUND for all other fields. */
  readonly unknownAnswers?: Readonly<Record<string, ErrorCode>>;
}

const releaseManifestFile = path.join(import.meta.dirname, 'release-manifest.json');
const ADMINISTRATOR = 'administrator@example.test';

/** A server on which every sample succeeds; its clock stands still. */
export function startSampleServer(config: Partial<Config> = {}): Promise<TestServer & { clock: FakeClock }> {
  return startServer({
    clock: createFakeClock(),
    generousPlans: true,
    config: {
      updateManifestPath: releaseManifestFile,
      platformAdminEmail: ADMINISTRATOR,
      billingWebhookSecrets: [BILLING_SECRET],
      ...config,
    },
  }) as Promise<TestServer & { clock: FakeClock }>;
}

/** Creates the value once for each key. */
function once<Key extends object, Made>(make: (key: Key, server: TestServer) => Promise<Made>) {
  const known = new WeakMap<Key, Promise<Made>>();
  return (key: Key, server: TestServer): Promise<Made> => {
    const made = known.get(key) ?? make(key, server);
    known.set(key, made);
    return made;
  };
}

const signUpAdministrator = once((server: TestServer) => server.signUp({ email: ADMINISTRATOR }));

/** The server's administrator, who signs up when first needed. */
export const administratorOf = (server: TestServer): Promise<SessionActor> =>
  signUpAdministrator(server, server);

/** Samples that end a device link create their own. */
const deviceOf = once((owner: SessionActor, server) => server.linkDevice(owner));

/** A report for samples that do not change it. */
const finalReport = once(async (owner: SessionActor, server) => {
  const { reportId } = await syncReport(await deviceOf(owner, server));
  return reportId;
});

/** A finding of a new report. No other report has a finding with that id. */
async function uniqueFinding(caller: SessionActor, server: TestServer) {
  const finding = findingBody(randomInt(1, 9_999_999));
  const device = await deviceOf(caller, server);
  const { reportId } = await syncReport(device, { body: { findings: [finding] } });
  return { session: caller, reportId, findingId: String(finding['id']) };
}

const personalWorkspace = once(async ({ api }: SessionActor) => {
  const [personal] = bodyOf(await api.listWorkspaces()).workspaces;
  return personal?.workspaceId ?? '';
});

const PASSWORD_OF_LINK = 'a word for guests';
/** A new object each time, because tests change one field of an input. */
const policy = (): SharePolicy => ({
  ...wholePolicy,
  sections: { mode: 'deny_listed', ids: ['authorization'] },
  findings: { mode: 'allow_listed', ids: ['F-1'], maxSeverity: 'high' },
  fields: { ...wholePolicy.fields },
  anonymize: true,
});
const PASSWORD_CHOSEN = 'purple elephants dance at noon';

function signUpInput() {
  return { body: { email: `new-${randomBytes(9).toString('hex')}@example.test`, password: PASSWORD_CHOSEN } };
}

const team = (owner: SessionActor) => createTeam(owner);

async function teamOfTwo(owner: SessionActor, server: TestServer): Promise<{ id: string; userId: string }> {
  const member = await server.signUp();
  return { id: await createTeam(owner, [member]), userId: member.user.userId };
}

async function projectInput(caller: SessionActor, server: TestServer) {
  const workspaceId = await personalWorkspace(caller, server);
  return { body: { workspaceId, name: 'Repository', bindingPublicId: newLocalId() } };
}

async function newProject(caller: SessionActor, server: TestServer): Promise<string> {
  return bodyOf(await caller.api.createProject(await projectInput(caller, server))).projectId;
}

/** A project of the caller, and the input for creating a report in it. */
async function reportInput(caller: SessionActor, server: TestServer) {
  return {
    body: {
      workspaceId: await personalWorkspace(caller, server),
      projectId: await newProject(caller, server),
      localReportId: newLocalId(),
      effortRequested: 'auto',
      effortResolved: 'high',
      projectName: 'Repository',
      agent: { name: 'agent', version: '1.0.0', model: 'model' },
      host: { osFamily: 'linux', arch: 'x64', cliVersion: '1.0.0' },
    },
  } as const;
}

async function liveReport(caller: SessionActor, server: TestServer): Promise<string> {
  return (await createShell(await deviceOf(caller, server))).reportId;
}

async function declaredUpload(caller: SessionActor, server: TestServer) {
  const device = await deviceOf(caller, server);
  const { reportId, localReportId } = await createShell(device);
  const bytes = reportBytes({ localReportId });
  return { device, reportId, bytes, uploadId: await declareUpload(device, reportId, bytes) };
}

/** The body with which the administrator may read a report. */
function grantBody({ password }: SessionActor, reportId: string, server: TestServer) {
  const expiresAt = new Date(server.clock.now() + 3_600_000).toISOString();
  return { reportId, reason: 'The owner asked why it shows no findings.', expiresAt, password };
}

async function supportGrant(owner: SessionActor, server: TestServer) {
  const administrator = await administratorOf(server);
  const body = grantBody(administrator, await finalReport(owner, server), server);
  return bodyOf(await administrator.api.createSupportGrant({ body })).grant;
}

async function approvedLink(owner: SessionActor, server: TestServer) {
  const link = await server.beginLink();
  bodyOf(await approveLink(owner, link));
  return link;
}

const nothing = () => Promise.resolve({});

/** The input of endpoints with one id in the path. */
const named =
  (idOf: (caller: SessionActor, server: TestServer) => Promise<string>) =>
  async (caller: SessionActor, server: TestServer) => ({ params: { id: await idOf(caller, server) } });

const inPersonalWorkspace = async (caller: SessionActor, server: TestServer) => ({
  query: { workspaceId: await personalWorkspace(caller, server) },
});

export const samples: { readonly [Name in Operation]: Sample<Name> } = {
  getHealth: { input: nothing },
  getReady: { input: nothing },
  getOpenApi: { input: nothing },
  getReportSchema: { input: nothing },
  getReleaseManifest: { input: nothing },

  signUp: { input: () => Promise.resolve(signUpInput()) },
  logIn: { input: ({ email, password }) => Promise.resolve({ body: { email, password } }) },
  recover: {
    input: ({ email, recoveryCode }) =>
      Promise.resolve({
        body: { email, recoveryCode, newPassword: PASSWORD_CHOSEN, keepDevices: true },
      }),
    usesUpCaller: true,
  },
  logOut: { input: nothing, usesUpCaller: true },
  changePassword: {
    // Sets the same password again, so that it stays valid.
    input: ({ password }) =>
      Promise.resolve({ body: { password, newPassword: password, revokeDevices: false } }),
  },
  replaceRecoveryCode: { input: ({ password }) => Promise.resolve({ body: { password } }) },
  deleteAccount: { input: ({ password }) => Promise.resolve({ body: { password } }), usesUpCaller: true },
  getSession: { input: nothing },
  confirmSession: { input: ({ password }) => Promise.resolve({ body: { password } }) },
  listSessions: { input: nothing },
  revokeSession: {
    async input({ email, password, api }, server) {
      await server.anonymous.api.logIn({ body: { email, password } });
      const { sessions } = bodyOf(await api.listSessions());
      return { params: { id: sessions.find(({ current }) => !current)?.sessionId ?? '' } };
    },
  },

  createDeviceLink: {
    input: () =>
      Promise.resolve({
        body: {
          verifierHash: createHash('sha256').update(randomBytes(32)).digest('hex'),
          deviceName: 'laptop',
          clientVersion: '1.0.0',
          osFamily: 'linux',
          arch: 'x64',
        },
      }),
  },
  getDeviceLinkStatus: {
    input: async (caller, server) => ({
      params: { id: (await approvedLink(caller, server)).publicRequestId },
    }),
    forWhoeverKnows: true,
  },
  getDeviceLink: {
    input: async (_caller, server) => ({ params: { id: (await server.beginLink()).publicRequestId } }),
    forWhoeverKnows: true,
  },
  approveDeviceLink: {
    input: async ({ user }, server) => ({
      params: { id: (await server.beginLink()).publicRequestId },
      body: { userId: user.userId, lifetimeMinutes: 60 },
    }),
    forWhoeverKnows: true,
    unknownAnswers: { userId: 'CONFLICT' },
  },
  denyDeviceLink: {
    input: async (_caller, server) => ({ params: { id: (await server.beginLink()).publicRequestId } }),
    forWhoeverKnows: true,
  },
  exchangeDeviceLink: {
    async input(caller, server) {
      const { publicRequestId, verifier } = await approvedLink(caller, server);
      return { params: { id: publicRequestId }, body: { verifier } };
    },
    forWhoeverKnows: true,
  },
  listDevices: { input: nothing },
  revokeDevice: {
    input: async (caller, server) => ({ params: { id: (await server.linkDevice(caller)).deviceId } }),
  },
  getCurrentDevice: { input: nothing },
  revokeCurrentDevice: { input: nothing, usesUpCaller: true },

  listWorkspaces: { input: nothing },
  createWorkspace: { input: () => Promise.resolve({ body: { name: 'Another' } }) },
  deleteWorkspace: { input: named(team) },
  listMembers: { input: named(team) },
  changeMember: {
    input: async (caller, server) => ({
      params: await teamOfTwo(caller, server),
      body: { role: 'owner', password: caller.password },
    }),
  },
  removeMember: { input: async (caller, server) => ({ params: await teamOfTwo(caller, server) }) },
  listWorkspaceShares: { input: named(team) },
  listWorkspaceFindings: { input: named(team) },
  getWorkspaceOverview: { input: named(team) },
  getWorkspaceTrends: {
    async input(caller) {
      const id = await team(caller);
      const { projectId } = await bindProject(caller, id);
      return { params: { id }, query: { projectId, tool: 'svc' } };
    },
  },
  listWorkspaceAudit: {
    async input(caller) {
      const id = await team(caller);
      const [entry] = bodyOf(await caller.api.listWorkspaceAudit({ params: { id } })).entries;
      return { params: { id }, query: { before: entry?.entryId ?? '' } };
    },
  },
  createInvitation: { input: named(team) },
  listInvitations: { input: named(team) },
  revokeInvitation: {
    async input(caller) {
      const id = await team(caller);
      const { invitationId } = bodyOf(await caller.api.createInvitation({ params: { id } }));
      return { params: { token: invitationId } };
    },
  },
  getInvitation: {
    input: async (caller) => ({ params: { token: await invitationTo(caller, await team(caller)) } }),
    forWhoeverKnows: true,
  },
  acceptInvitation: {
    async input(_caller, server) {
      const host = await server.signUp();
      return { params: { token: await invitationTo(host, await team(host)) } };
    },
    forWhoeverKnows: true,
  },

  listProjects: {
    input: inPersonalWorkspace,
  },
  createProject: { input: projectInput },
  deleteProject: { input: named(newProject) },
  queryDecisions: {
    input: async (caller, server) => ({
      params: { id: await newProject(caller, server) },
      body: { fingerprints: ['0'.repeat(64)] },
    }),
  },
  deleteProjectTool: {
    input: async (caller, server) => ({ params: { id: await newProject(caller, server), name: 'semgrep' } }),
  },
  getSyncQuota: {
    input: inPersonalWorkspace,
  },

  createReport: { input: reportInput },
  createUploadIntent: {
    input: async (caller, server) => ({
      params: { id: await liveReport(caller, server) },
      body: { sha256: '0'.repeat(64), byteLength: 1000 },
    }),
  },
  uploadReport: {
    async input(caller, server) {
      const { uploadId, bytes } = await declaredUpload(caller, server);
      return { params: { uploadId }, bytes };
    },
  },
  finalizeReport: {
    async input(caller, server) {
      const { device, reportId, uploadId, bytes } = await declaredUpload(caller, server);
      bodyOf(await device.api.uploadReport({ params: { uploadId }, bytes }));
      const previous = [{ from: 'a'.repeat(64), to: 'b'.repeat(64) }];
      return { params: { id: reportId }, body: { uploadId, previous } };
    },
    unknownAnswers: { uploadId: 'CONFLICT' },
  },
  listReports: {
    input: inPersonalWorkspace,
  },
  getReport: {
    input: named(finalReport),
  },
  compareReports: {
    async input(caller, server) {
      const reportId = await finalReport(caller, server);
      return { params: { id: reportId }, query: { with: reportId } };
    },
  },
  getReportChanges: {
    input: named(finalReport),
  },
  exportReport: {
    input: async (caller, server) => ({
      params: { id: await finalReport(caller, server), format: 'json' },
    }),
  },
  changeFindingStatus: {
    async input(caller, server) {
      const { reportId, findingId } = await uniqueFinding(caller, server);
      return { params: { id: reportId, findingId }, body: { status: 'accepted_risk' } };
    },
  },
  changeFindings: {
    async input(caller, server) {
      const { reportId, findingId } = await uniqueFinding(caller, server);
      const until = new Date(server.clock.now() + 86_400_000).toISOString();
      const body = { status: 'accepted_risk', reason: 'other', note: 'Behind the proxy.', until } as const;
      return { params: { id: reportId }, body: { findingIds: [findingId], ...body } };
    },
  },
  undoDecisions: {
    async input(caller, server) {
      const { session, reportId, findingId } = await uniqueFinding(caller, server);
      const { undoId } = bodyOf(
        await session.api.changeFindings({
          params: { id: reportId },
          body: { findingIds: [findingId], status: 'false_positive' },
        }),
      );
      return { params: { id: reportId }, body: { undoId } };
    },
  },
  listAppearances: {
    async input(caller, server) {
      const { reportId, findingId } = await uniqueFinding(caller, server);
      return { params: { id: reportId, findingId } };
    },
  },
  listDecisions: {
    async input(caller, server) {
      const { reportId, findingId } = await uniqueFinding(caller, server);
      return { params: { id: reportId, findingId } };
    },
  },
  sendProgress: {
    async input(caller, server) {
      const reportId = await liveReport(caller, server);
      const occurredAt = new Date(server.clock.now()).toISOString();
      const event = {
        eventId: randomUUID(),
        reportId,
        type: 'phase_completed',
        occurredAt,
        phase: 'inventory',
        safeCode: 'ok',
      } as const;
      return { params: { id: reportId }, body: { events: [event] } };
    },
  },
  streamEvents: { input: async (caller, server) => ({ params: { id: await liveReport(caller, server) } }) },
  deleteReport: { input: async (caller, server) => ({ params: { id: await liveReport(caller, server) } }) },

  listShares: { input: named(finalReport) },
  createShare: {
    input: async (caller, server) => ({
      params: { id: await finalReport(caller, server) },
      body: {
        mode: 'private',
        defaultPolicy: policy(),
        password: PASSWORD_OF_LINK,
        expiresAt: new Date(server.clock.now() + 86_400_000).toISOString(),
        anonymousAllowed: false,
        label: 'For the auditors',
        message: 'The two findings of last week are fixed.',
        showSender: true,
        principals: [{ principalValue: 'auditor@example.test', label: 'Auditor', policy: policy() }],
      },
    }),
  },
  previewProjection: {
    async input(caller, server) {
      const reportId = await finalReport(caller, server);
      const { shareId } = await shareOf(caller, reportId);
      return {
        params: { id: reportId },
        query: { cover: '1' },
        body: {
          policy: policy(),
          principalType: 'email',
          label: 'Auditor',
          shareId,
          message: 'The two findings of last week are fixed.',
          showSender: true,
        },
      };
    },
  },
  changeShare: {
    async input(caller, server) {
      const reportId = await finalReport(caller, server);
      const { shareId } = await shareOf(caller, reportId);
      return {
        params: { shareId },
        body: {
          reportId,
          mode: 'workspace',
          password: PASSWORD_OF_LINK,
          expiresAt: new Date(server.clock.now() + 86_400_000).toISOString(),
          anonymousAllowed: false,
          label: 'For the team',
          message: 'The two findings of last week are fixed.',
          showSender: true,
          defaultPolicy: policy(),
          principals: [{ principalValue: 'auditor@example.test', label: 'Auditor', policy: policy() }],
        },
      };
    },
  },
  revokeShare: {
    async input(caller, server) {
      const reportId = await finalReport(caller, server);
      const { shareId } = await shareOf(caller, reportId);
      return { params: { shareId }, query: { reportId } };
    },
  },
  readShare: {
    async input(caller, server) {
      const { slug } = await shareOf(caller, await finalReport(caller, server));
      return { params: { slug }, query: { cover: '1' } };
    },
    forWhoeverKnows: true,
    unknownAnswers: { slug: 'SHARE_NOT_AVAILABLE' },
  },
  unlockShare: {
    async input(caller, server) {
      const { slug } = await shareOf(caller, await finalReport(caller, server), {
        password: PASSWORD_OF_LINK,
      });
      return { params: { slug }, body: { password: PASSWORD_OF_LINK } };
    },
    forWhoeverKnows: true,
    unknownAnswers: { slug: 'SHARE_NOT_AVAILABLE' },
  },
  exportShare: {
    async input(caller, server) {
      const { slug } = await shareOf(caller, await finalReport(caller, server));
      return { params: { slug, format: 'json' } };
    },
    forWhoeverKnows: true,
    unknownAnswers: { slug: 'SHARE_NOT_AVAILABLE' },
  },

  sendAnalytics: {
    async input(caller, server) {
      const { projectId, workspaceId } = await bindProject(caller);
      const event = {
        eventId: randomUUID(),
        name: 'report_exported',
        occurredAt: new Date(server.clock.now()).toISOString(),
        workspaceId,
        projectId,
        format: 'json',
        surface: 'web',
        clientVersion: '1.0.0',
      } as const;
      return { body: { events: [event] } };
    },
  },

  getBillingPlan: {
    input: inPersonalWorkspace,
  },
  // The event is signed when it is sent.
  receiveBillingEvent: {
    input: async (caller, server) => ({
      params: {},
      body: subscriptionEvent({
        at: server.clock.now(),
        workspaceId: await personalWorkspace(caller, server),
      }),
    }),
  },

  getAdminHealth: { input: nothing },
  getAdminOverview: { input: nothing },
  listAdminWorkspaces: {
    input: async (caller, server) => ({
      query: { before: await personalWorkspace(caller, server), email: caller.email },
    }),
  },
  changeWorkspacePlan: {
    input: async (caller, server) => ({
      params: { id: await personalWorkspace(caller, server) },
      body: { plan: 'pro' },
    }),
    forWhoeverKnows: true,
  },
  listAdminAudit: {
    async input(_caller, server) {
      const administrator = await administratorOf(server);
      const [entry] = bodyOf(await administrator.api.listAdminAudit()).entries;
      return { query: { before: entry?.entryId ?? '' } };
    },
  },
  getAnalytics: { input: () => Promise.resolve({ query: { days: '7' } }) },
  createSupportGrant: {
    input: async (caller, server) => ({
      body: grantBody(await administratorOf(server), await finalReport(caller, server), server),
    }),
    forWhoeverKnows: true,
  },
  listSupportGrants: { input: nothing },
  revokeSupportGrant: {
    input: async (caller, server) => ({ params: { id: (await supportGrant(caller, server)).grantId } }),
    forWhoeverKnows: true,
  },
  readForSupport: {
    input: async (caller, server) => ({ params: { id: (await supportGrant(caller, server)).reportId } }),
    forWhoeverKnows: true,
    unknownAnswers: { id: 'SUPPORT_GRANT_REQUIRED' },
  },
};
