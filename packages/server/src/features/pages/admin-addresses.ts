/** The page addresses of the administration. For anyone but the administrator these do not exist. */
import type { User } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface AdminPageParts {
  /** Null without a session. */
  readonly viewer: (request: FastifyRequest) => Promise<User | null>;
  readonly sendApp: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

const addresses = [
  '/admin',
  '/admin/totals',
  '/admin/workspaces',
  '/admin/support-grants',
  '/admin/audit',
  '/admin/usage',
  '/admin/reports/:id',
];

export function registerAdminPages(app: FastifyInstance, { viewer, sendApp }: AdminPageParts): void {
  for (const address of addresses) {
    app.get(address, async (request, reply) => {
      if ((await viewer(request))?.isPlatformAdmin === true) return sendApp(request, reply);
      reply.callNotFound();
      return reply;
    });
  }
}
