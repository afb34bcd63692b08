/**
 * The page for installing the CLI, and the program itself. The program is the only response of the service that is
 * meant to be run outside a browser. So its headers contain its digest, and browsers save it without opening it.
 * Nothing here needs a session.
 */
import type { OfferedProgram } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PROGRAM_PATH, type ProgramsService } from '#features/updates';
import { answerPrepared } from '#http/prepared-answer';
import { defaultTimeouts } from '#http/timeouts';
import type { FirstAnswer } from './document.ts';

export interface DownloadPorts {
  readonly programs: ProgramsService;
  readonly sendApp: (
    request: FastifyRequest,
    reply: FastifyReply,
    answers: readonly FirstAnswer[],
  ) => Promise<FastifyReply>;
}

export function registerDownloads(app: FastifyInstance, { programs, sendApp }: DownloadPorts): void {
  app.get('/install', async (request, reply) => {
    // The page asks again, and then shows why there are no programs.
    const offered = await programs.offered().catch(() => null);
    return sendApp(request, reply, offered === null ? [] : [{ name: 'programs', body: bodyOf(offered) }]);
  });

  app.get('/download/programs.json', async () => bodyOf(await programs.offered()));

  app.get(PROGRAM_PATH, async (request, reply) => {
    const known = await programs.digest();
    if (isKnown(request, tagOf(known.sha256))) return reply.code(304).headers(headersOf(known.sha256)).send();
    const { sha256, bytes } = await programs.read();
    const program = {
      contentType: 'application/octet-stream',
      fileName: 'svc.mjs',
      codings: ['identity'],
      bytesIn: async () => bytes,
    } as const;
    const options = { pace: defaultTimeouts, session: null, own: headersOf(sha256) };
    await answerPrepared(request, reply, program, options);
    return reply;
  });
}

function bodyOf(programs: readonly OfferedProgram[]): { readonly programs: readonly OfferedProgram[] } {
  return { programs };
}

/** The address is the same for every version, so caches must check whether the digest is still the same. */
function headersOf(sha256: string): Readonly<Record<string, string>> {
  return { 'cache-control': 'public, no-cache, no-transform', etag: tagOf(sha256) };
}

function tagOf(sha256: string): string {
  return `"${sha256}"`;
}

function isKnown({ headers }: FastifyRequest, tag: string): boolean {
  const tags = headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(tag) || tags.includes('*');
}
