/** One valid request for each endpoint of the contract, from which mutations start. */
import { DAY_MS, HOUR_MS } from '@svc/contract/durations';
import { randomUUID } from 'node:crypto';
import {
  endpoints,
  parameterNames,
  requiresCredential,
  takesSession,
  type Endpoint,
  type Operation,
} from '@svc/contract';
import { BILLING_SECRET, SIGNATURE_HEADER, signatureOf, subscriptionEvent } from '@svc/testkit/billing';
import { HOST, JSON_TYPE, ORIGIN, type Header, type RequestParts } from './request-bytes.ts';
import type { Party, World } from './world.ts';

const POLICY = {
  version: 1,
  sections: { mode: 'deny_listed', ids: ['authorization'] },
  findings: { mode: 'allow_listed', ids: ['F-1'], maxSeverity: 'high' },
  fields: { evidence: true },
  anonymize: true,
};

/** Operations that, when valid, end something that other requests need. */
const ending = new Set<Operation>([
  'recover',
  'logOut',
  'deleteAccount',
  'revokeSession',
  'revokeDevice',
  'revokeCurrentDevice',
  'deleteWorkspace',
  'removeMember',
  'revokeInvitation',
  'deleteProject',
  'deleteReport',
  'revokeShare',
  'createUploadIntent',
  'finalizeReport',
]);

export function partyFor(operation: Operation, { resident, victim, administrator }: World): Party {
  if (endpointOf(operation).administratorOnly) return administrator;
  return ending.has(operation) ? victim : resident;
}

export function endpointOf(operation: Operation): Endpoint {
  return endpoints[operation];
}

export function validRequest(operation: Operation, party: Party): RequestParts {
  const endpoint = endpointOf(operation);
  const body = endpoint.takesReport
    ? Buffer.from(party.reportBytes)
    : endpoint.body
      ? Buffer.from(JSON.stringify(validBody(operation, party)))
      : null;
  return {
    method: endpoint.method,
    target: targetOf(operation, validParams(operation, party)) + validQuery(operation, party),
    headers: [HOST, ...credentialFor(endpoint, party, body), ...(body ? [JSON_TYPE] : [])],
    body,
  };
}

export function targetOf(operation: Operation, params: readonly string[]): string {
  let index = 0;
  return `/api/v1${endpointOf(operation).path.replace(/\{\w+\}/g, () => params[index++] ?? '')}`;
}

/** A query where one is required. */
function validQuery(operation: Operation, { ids }: Party): string {
  if (operation === 'getBillingPlan') return `?workspaceId=${ids.workspace}`;
  return operation === 'revokeShare' ? `?reportId=${ids.report}` : '';
}

function credentialFor(endpoint: Endpoint, party: Party, body: Buffer | null): Header[] {
  if (endpoint.signed && body) {
    const signature = signatureOf(body, { secret: BILLING_SECRET, at: Date.now() });
    return [[SIGNATURE_HEADER, signature]];
  }
  if (!requiresCredential(endpoint)) return [];
  return takesSession(endpoint)
    ? [['Cookie', party.cookie], ORIGIN]
    : [['Authorization', `Bearer ${party.deviceToken}`]];
}

export function validParams(operation: Operation, { ids }: Party): string[] {
  return parameterNames(endpointOf(operation)).map((name) => {
    if (operation === 'revokeInvitation') return ids.invitation;
    if (name === 'token') return ids.invitationToken;
    if (name === 'userId') return ids.user;
    if (name === 'findingId') return 'F-1';
    if (operation === 'deleteProjectTool' && name === 'name') return 'semgrep';
    if (name === 'slug') return ids.slug;
    if (name === 'shareId') return ids.share;
    if (name === 'format') return 'json';
    const { path } = endpointOf(operation);
    if (operation === 'revokeSupportGrant') return ids.grant;
    if (path.startsWith('/admin/reports')) return ids.report;
    if (path.startsWith('/admin/workspaces')) return ids.workspace;
    if (path.startsWith('/sessions')) return ids.session;
    if (path.startsWith('/workspaces')) return ids.workspace;
    if (path.startsWith('/projects')) return ids.project;
    // An open stream would take long, so this request names an unknown report.
    if (operation === 'streamEvents') return ids.device;
    if (path.startsWith('/reports')) return ids.report;
    if (path.startsWith('/uploads')) return ids.upload;
    if (path.startsWith('/device-links'))
      return operation === 'exchangeDeviceLink' ? ids.approvedLink : ids.pendingLink;
    return ids.device;
  });
}

/** Values by field name: with few exceptions, a name has the same meaning everywhere in the contract. */
export function validBody(operation: Operation, party: Party): Record<string, unknown> {
  if (operation === 'receiveBillingEvent')
    return subscriptionEvent({ at: Date.now(), workspaceId: party.ids.workspace });
  const properties = endpointOf(operation).body?.properties ?? {};
  const body = Object.fromEntries(Object.keys(properties).map((name) => [name, validValue(name, party)]));
  if (operation === 'sendAnalytics') return { events: [analyticsEvent(party)] };
  if (operation === 'changeFindingStatus' || operation === 'changeFindings')
    return { ...body, reason: 'mitigated' };
  // A grant may last for hours, but not for a day.
  return operation === 'createSupportGrant'
    ? { ...body, expiresAt: new Date(Date.now() + HOUR_MS).toISOString() }
    : body;
}

function analyticsEvent({ ids }: Party) {
  return {
    eventId: randomUUID(),
    name: 'report_exported',
    occurredAt: new Date().toISOString(),
    workspaceId: ids.workspace,
    projectId: ids.project,
    reportId: ids.report,
    format: 'sarif',
    surface: 'cli',
    clientVersion: '1.0.0',
  };
}

function validValue(name: string, party: Party): unknown {
  switch (name) {
    case 'email':
      return party.email;
    case 'password':
    case 'newPassword':
      return party.password;
    case 'recoveryCode':
      return party.recoveryCode;
    case 'userId':
      return party.ids.user;
    case 'findingIds':
      return ['F-1'];
    case 'note':
      return 'The proxy rejects it.';
    case 'until':
      return new Date(Date.now() + DAY_MS).toISOString();
    case 'undoId':
      return party.ids.report;
    case 'previous':
      return [{ from: 'ab'.repeat(32), to: 'cd'.repeat(32) }];
    case 'fingerprints':
      return ['ab'.repeat(32)];
    case 'lifetimeMinutes':
      return 60;
    case 'keepDevices':
      return true;
    case 'revokeDevices':
      return false;
    case 'verifier':
      return party.verifier;
    case 'verifierHash':
      return 'ab'.repeat(32);
    case 'clientVersion':
      return '1.0.0';
    case 'workspaceId':
      return party.ids.workspace;
    case 'bindingPublicId':
      return party.ids.binding;
    case 'events':
      return [
        {
          eventId: randomUUID(),
          reportId: party.ids.report,
          type: 'tool_completed',
          occurredAt: new Date().toISOString(),
          safeCode: 'ok',
        },
      ];
    case 'reportId':
      return party.ids.report;
    case 'shareId':
      return party.ids.share;
    case 'policy':
    case 'defaultPolicy':
      return POLICY;
    case 'principalType':
      return 'email';
    case 'principals':
      return [{ principalValue: party.ids.otherUser, label: 'Fuzzed', policy: POLICY }];
    case 'mode':
      return 'anyone_with_link';
    case 'message':
      return 'The two findings of last week are fixed.';
    case 'showSender':
    case 'anonymousAllowed':
      return true;
    case 'expiresAt':
      return new Date(Date.now() + DAY_MS).toISOString();
    case 'reason':
      return 'The owner asked what became of it.';
    case 'plan':
      return 'pro';
    case 'role':
      return 'member';
    case 'projectId':
      return party.ids.project;
    case 'localReportId':
      return party.ids.localReport;
    case 'uploadId':
      return party.ids.upload;
    case 'effortRequested':
    case 'effortResolved':
      return 'high';
    case 'sha256':
      return 'ab'.repeat(32);
    case 'status':
      return 'accepted_risk';
    case 'byteLength':
      return party.reportBytes.length;
    case 'agent':
    case 'host':
      return {};
    default:
      return 'Fuzzed';
  }
}
