/** The page addresses of accounts, devices and workspaces. */
import type { DeviceLink, Invitation, User } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#app-error';
import { changePasswordDocument } from './plain-documents.ts';
import type { FirstAnswer } from './document.ts';

export interface AccountPagePorts {
  readonly appBaseUrl: string;
  readonly describeLink: (publicRequestId: string) => Promise<DeviceLink>;
  readonly describeInvitation: (token: string) => Promise<Invitation>;
  /** Null without a session. */
  readonly viewer: (request: FastifyRequest) => Promise<User | null>;
  readonly sendApp: (
    request: FastifyRequest,
    reply: FastifyReply,
    answers?: readonly FirstAnswer[],
  ) => Promise<FastifyReply>;
}

const withoutFirstAnswer = [
  '/login',
  '/signup',
  '/recover',
  '/sample',
  '/settings',
  '/workspaces/:id',
  '/workspaces/:id/shares',
];

export function registerAccountPages(app: FastifyInstance, ports: AccountPagePorts): void {
  const { sendApp } = ports;
  for (const address of withoutFirstAnswer)
    app.get(address, async (request, reply) => sendApp(request, reply));

  // Anyone with the address sees the description of the device, signed in or not. The terminal shows the same.
  app.get<{ Params: { id: string } }>('/link/:id', async (request, reply) => {
    const { id } = request.params;
    const link = await orNull(ports.describeLink(id));
    const first = { name: 'getDeviceLink', input: { params: { id } }, body: link } as const;
    return sendApp(request, reply.code(link ? 200 : 404), [first]);
  });

  app.get<{ Params: { token: string } }>('/invitations/:token', async (request, reply) => {
    if (!(await ports.viewer(request))) return sendApp(request, reply);
    const { token } = request.params;
    const invitation = await orNull(ports.describeInvitation(token));
    const first = { name: 'getInvitation', input: { params: { token } }, body: invitation } as const;
    return sendApp(request, reply.code(invitation ? 200 : 404), [first]);
  });

  app.get('/.well-known/change-password', async (_request, reply) =>
    changePasswordDocument(reply, ports.appBaseUrl),
  );
}

async function orNull<Found>(finding: Promise<Found>): Promise<Found | null> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
