/** The programs that the service offers, and those for an operating system. */
import { ConnectionError, UnexpectedAnswerError } from '@svc/client';
import type { OfferedProgram } from '@svc/contract';
import type { Download, System } from './commands.ts';

/** The response may already be embedded in the document. */
export const programsQuery = {
  queryKey: ['programs'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<OfferedPrograms> => {
    const response = await fetch('/download/programs.json', { signal }).catch((cause: unknown) => {
      throw new ConnectionError('Can’t reach the service.', { cause });
    });
    if (!response.ok)
      throw new UnexpectedAnswerError('The service offers no programs at the moment.', response.status);
    return (await response.json()) as OfferedPrograms;
  },
  throwOnError: false,
};

export interface OfferedPrograms {
  readonly programs: readonly OfferedProgram[];
}

export interface ProgramForSystem extends Download {
  readonly sizeBytes: number;
  /** The architectures that the program is for, as Node names them; empty for all. */
  readonly architectures: readonly string[];
}

/** The programs for a system, each once. Addresses are complete and have no characters beyond ASCII. */
export function programsFor(
  system: System,
  offered: readonly OfferedProgram[],
  origin: string,
): readonly ProgramForSystem[] {
  const found = new Map<string, ProgramForSystem>();
  for (const { platform, arch, url: address, sha256, sizeBytes } of offered) {
    if (platform !== null && platform !== system) continue;
    const url = new URL(address, origin).href;
    const key = `${sha256} ${url}`;
    const architectures = [...(found.get(key)?.architectures ?? []), ...(arch === null ? [] : [arch])];
    found.set(key, { url, sha256, sizeBytes, architectures });
  }
  return [...found.values()];
}

/** The system of this browser; Linux if the browser does not name a known one. */
export function visitorsSystem(userAgent: string): System {
  if (userAgent.includes('Windows')) return 'win32';
  return /Macintosh|Mac OS X/.test(userAgent) ? 'darwin' : 'linux';
}
