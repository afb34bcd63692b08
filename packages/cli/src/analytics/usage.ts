/**
 * What is done with what happened, when the command has done its work and said its result: it waits in the spool, and where
 * the service has just answered, it is sent. Nothing here fails a command, says a word, or makes a connection to a service
 * that the command itself did not talk to.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { AnalyticsEvent } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import type { Invocation } from '../command.ts';
import { answered } from '../connection/answered.ts';
import { originOf } from '../connection/origin.ts';
import type { Environment } from '../environment.ts';
import { foldersOf } from '../folders.ts';
import { version } from '../version.ts';
import { choiceOf } from './choice.ts';
import type { Happening } from './happened.ts';
import * as spool from './spool.ts';

const SEND_MS_MAX = 1000;

/** Answers after which the same events may be taken later; after all others they never will be. */
const passing: ReadonlySet<string> = new Set([
  'RATE_LIMITED',
  'INTERNAL',
  'UNAUTHENTICATED',
  'DEVICE_REVOKED',
]);

type Asked = Pick<Invocation, 'environment' | 'signal' | 'clock'>;

/**
 * Never rejects.
 * @param isQuick nothing is sent then.
 */
export async function countUsage(
  asked: Asked,
  happenings: readonly Happening[],
  isQuick: boolean,
): Promise<void> {
  try {
    if ((await keep(asked, happenings)) && !isQuick) await send(asked);
  } catch {
    // Counting is worth no failure of anything: a folder that is not writable, a file that is damaged.
  }
}

export function spoolFolder(environment: Environment): string {
  return path.join(foldersOf(environment).data, 'analytics');
}

/** False when nothing is counted. */
async function keep({ environment }: Asked, happenings: readonly Happening[]): Promise<boolean> {
  const folder = spoolFolder(environment);
  const { isOn } = await choiceOf(environment);
  if (!isOn) {
    await spool.removeAll(folder);
    return false;
  }
  if (happenings.length > 0) {
    const origin = await originOf(environment, foldersOf(environment).config);
    await spool.add(
      folder,
      origin,
      happenings.map((happening) => eventOf(happening, origin)),
    );
  }
  return true;
}

async function send(asked: Asked): Promise<void> {
  const service = answered();
  const folder = spoolFolder(asked.environment);
  if (service === null || asked.signal.aborted || (await spool.waiting(folder)).length === 0) return;
  const signal = AbortSignal.any([asked.signal, asked.clock.timeout(SEND_MS_MAX)]);
  await spool.sendingAlone(folder, async () => {
    for (;;) {
      const own = (await spool.waiting(folder)).filter(({ origin }) => origin === service.origin);
      const batch = own.slice(0, limits.analytics.eventsMax);
      if (batch.length === 0) return;
      const body = { events: batch.map(({ event }) => event) };
      const outcome = await service.client.sendAnalytics({ body, signal });
      if (!outcome.ok && passing.has(outcome.error.code)) return;
      await spool.remove(batch);
    }
  });
}

/** Built field by field: nothing of a report travels by being there. */
function eventOf({ name, at, about: { format, sync } }: Happening, origin: string): AnalyticsEvent {
  const isKnown = sync?.reportId !== undefined && sync.origin === origin;
  const { workspaceId, projectId, reportId } = isKnown ? sync : {};
  return {
    eventId: randomUUID(),
    name,
    occurredAt: at.toISOString(),
    ...(workspaceId !== undefined && { workspaceId }),
    ...(projectId !== undefined && { projectId }),
    ...(reportId !== undefined && { reportId }),
    ...(format !== undefined && { format }),
    surface: 'cli',
    clientVersion: version,
  };
}
