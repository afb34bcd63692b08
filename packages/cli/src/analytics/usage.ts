/**
 * Handles usage events after the command has printed its result: they wait in the spool, and are sent if the service
 * has just answered. Nothing here fails a command, prints anything, or connects to a service that the command did not
 * call.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { AnalyticsEvent } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import type { Invocation } from '../command.ts';
import { answered } from '../connection/reached-service.ts';
import { originOf } from '../connection/origin.ts';
import type { Environment } from '../environment.ts';
import { foldersOf } from '../folders.ts';
import { version } from '../version.ts';
import { choiceOf } from './choice.ts';
import type { UsageEvent } from './usage-event.ts';
import * as spool from './spool.ts';

const SEND_MS_MAX = 1000;

/** After these errors the same events may be accepted later; after any other error they never will be. */
const passing: ReadonlySet<string> = new Set([
  'RATE_LIMITED',
  'INTERNAL',
  'UNAUTHENTICATED',
  'DEVICE_REVOKED',
]);

type UsageOptions = Pick<Invocation, 'environment' | 'signal' | 'clock'>;

/**
 * Never rejects.
 * @param isQuick only stores the events.
 */
export async function countUsage(
  asked: UsageOptions,
  happenings: readonly UsageEvent[],
  isQuick: boolean,
): Promise<void> {
  try {
    if ((await keep(asked, happenings)) && !isQuick) await send(asked);
  } catch {
    // Counting must never make a command fail, for example when a folder is not writable or a file is damaged.
  }
}

export function spoolFolder(environment: Environment): string {
  return path.join(foldersOf(environment).data, 'analytics');
}

/** False when usage is not counted. */
async function keep({ environment }: UsageOptions, happenings: readonly UsageEvent[]): Promise<boolean> {
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

async function send(asked: UsageOptions): Promise<void> {
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

/** Built field by field, so that nothing else of a report is sent. */
function eventOf({ name, at, about: { format, sync } }: UsageEvent, origin: string): AnalyticsEvent {
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
