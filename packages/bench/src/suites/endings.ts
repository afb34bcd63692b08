/**
 * T19: how long the service keeps sending a large response to a slow reader after access has ended. Measured on the
 * service's side of the connection, as the system lists it: the reader's side still buffers earlier data.
 */
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  bindProject,
  bodyOf,
  createTeam,
  shareOf,
  type ServiceProcess,
  type SessionActor,
} from '@svc/testkit';
import { linkDevice, sync, type SyncingDevice } from '../data/devices.ts';
import { throughLink } from '../data/links.ts';
import { reportTemplate } from '../data/report-template.ts';
import type { Result, Suite } from '../harness/result.ts';
import { createSender, type Sender } from '../harness/sender.ts';
import { startService } from '../harness/service.ts';

const ANSWER_BYTES = 40 * 1024 * 1024;
const SMOKE_ANSWER_BYTES = 16 * 1024 * 1024;
const WITHIN_MS = 1000;
const ROUNDS = 5;
/**
 * 160 kB a second: even the smaller response takes longer than the longest expiry, so a permission always ends first.
 */
const READ_AT_ONCE_BYTES = 16 * 1024;
const READ_EVERY_MS = 100;
/** How long a share with an expiry lasts. It is doubled until it is longer than the response takes to render. */
const EXPIRES_IN_MS = 2000;
const EXPIRES_IN_MS_MAX = 64_000;
const LOOK_EVERY_MS = 5;
/** A busy machine takes half a minute to render the response. */
const GIVE_UP_AFTER_MS = 120_000;

interface Scene {
  readonly service: ServiceProcess;
  readonly sender: Sender;
  readonly device: SyncingDevice;
  readonly workspaceId: string;
  readonly sizeBytes: number;
  readonly expiresInMs: number;
}

interface Ending {
  readonly path: string;
  readonly reader?: SessionActor;
  /** Resolves at the moment at which the permission ends. */
  readonly end: () => Promise<unknown>;
}

const endings: Readonly<Record<string, (scene: Scene, reportId: string) => Promise<Ending>>> = {
  'the share is revoked': async ({ device: { owner } }, reportId) => {
    const { shareId, slug } = await shareOf(owner, reportId);
    const end = async () => bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId } }));
    return { path: throughLink({ slug }, 'export/json').path, end };
  },
  'the share expires': async ({ device: { owner }, expiresInMs }, reportId) => {
    const at = Date.now() + expiresInMs;
    const { slug } = await shareOf(owner, reportId, { expiresAt: new Date(at).toISOString() });
    return { path: throughLink({ slug }, 'export/json').path, end: () => pause(at - Date.now()) };
  },
  'a member is removed': async ({ service, device: { owner }, workspaceId }, reportId) => {
    const reader = await service.signUp();
    const { url } = bodyOf(await owner.api.createInvitation({ params: { id: workspaceId } }));
    bodyOf(await reader.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } }));
    const params = { id: workspaceId, userId: reader.user.userId };
    const end = async () => bodyOf(await owner.api.removeMember({ params }));
    return { path: `/api/v1/reports/${reportId}/export/json`, reader, end };
  },
  // This comes last in a round, because the others need the report.
  'the report is deleted': async ({ device: { owner } }, reportId) => {
    const { slug } = await shareOf(owner, reportId);
    const end = async () => bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
    return { path: throughLink({ slug }, 'export/json').path, end };
  },
};

export const endingsSuite: Suite = {
  name: 'endings',
  async run(options) {
    const sizeBytes = options.smoke ? SMOKE_ANSWER_BYTES : ANSWER_BYTES;
    const service = await startService(options, { MAX_REPORT_BYTES: String(ANSWER_BYTES + 1024 * 1024) });
    const sender = createSender(service.url, 1);
    try {
      const linked = await linkDevice(service);
      const workspaceId = await createTeam(linked.owner, []);
      const device = { ...linked, project: await bindProject(linked.owner, workspaceId) };
      const scene: Scene = { service, sender, device, workspaceId, sizeBytes, expiresInMs: EXPIRES_IN_MS };
      const took = new Map<string, number[]>(Object.keys(endings).map((name) => [name, []]));
      const template = reportTemplate(sizeBytes);
      for (let round = 0; round < (options.smoke ? 1 : ROUNDS); round += 1) {
        const reportId = await sync(sender, device, template.prepare());
        for (const [name, prepare] of Object.entries(endings))
          took.get(name)?.push(await sentAfterEnd(scene, (tried) => prepare(tried, reportId)));
      }
      return [...took].map(([name, rounds]) => resultOf(name, rounds, sizeBytes));
    } finally {
      await sender.close();
      await service.stop();
    }
  },
};

/** @returns for how many milliseconds after the end the service kept the connection. */
async function sentAfterEnd(scene: Scene, prepare: (scene: Scene) => Promise<Ending>): Promise<number> {
  for (let { expiresInMs } = scene; expiresInMs <= EXPIRES_IN_MS_MAX; expiresInMs *= 2) {
    const tookMs = await sentAfter(scene, await prepare({ ...scene, expiresInMs }));
    if (tookMs !== null) return tookMs;
  }
  throw new Error(`No response began within ${EXPIRES_IN_MS_MAX} ms.`);
}

/** @returns null when the permission had ended before the response began. */
async function sentAfter(
  { service, sizeBytes }: Scene,
  { path, reader, end }: Ending,
): Promise<number | null> {
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  const reading = await readSlowly(socket, service.port, path, reader?.cookie);
  try {
    if (!reading.isAllowed) return null;
    await end();
    const endedAt = performance.now();
    while (await isOpen(service.port, socket.localPort ?? 0)) {
      if (performance.now() - endedAt > GIVE_UP_AFTER_MS) throw new Error(`${path} was never cut.`);
      await pause(LOOK_EVERY_MS);
    }
    const tookMs = performance.now() - endedAt;
    if (reading.takenBytes() >= sizeBytes) throw new Error(`${path} was sent whole.`);
    return tookMs;
  } finally {
    reading.stop();
    socket.destroy();
  }
}

/** Resolves once some of the response has arrived. */
async function readSlowly(socket: Socket, port: number, path: string, cookie?: string) {
  const head = [`GET ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`, ...(cookie ? [`cookie: ${cookie}`] : [])];
  socket.on('error', () => undefined);
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'readable', { signal: AbortSignal.timeout(GIVE_UP_AFTER_MS) });
  const start = socket.read(Math.min(READ_AT_ONCE_BYTES, socket.readableLength)) as Buffer | null;
  const isAllowed = start?.toString('latin1').startsWith('HTTP/1.1 200 ') ?? false;
  let takenBytes = start?.length ?? 0;
  const timer = setInterval(() => {
    const part = socket.read(Math.min(READ_AT_ONCE_BYTES, socket.readableLength)) as Buffer | null;
    takenBytes += part?.length ?? 0;
  }, READ_EVERY_MS);
  return { isAllowed, takenBytes: () => takenBytes, stop: () => clearInterval(timer) };
}

/** Whether the service's side of a connection from this machine is established, as Linux lists it. */
async function isOpen(servicePort: number, clientPort: number): Promise<boolean> {
  const [local, remote] = [servicePort, clientPort].map(
    (port) => `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return (await readFile('/proc/net/tcp', 'utf8')).includes(` ${local} ${remote} 01 `);
}

function resultOf(name: string, rounds: readonly number[], sizeBytes: number): Result {
  return {
    target: 'T19',
    name: `a response continues after ${name}, longest`,
    measured: Math.max(...rounds),
    unit: 'ms',
    bound: { sense: 'at most', value: WITHIN_MS },
    floor: `${(sizeBytes / 1024 / 1024).toFixed(0)} MiB, read at 160 kB a second`,
    rounds,
    details: {},
  };
}
