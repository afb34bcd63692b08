/**
 * P13: the latency of one user while others export the most expensive reports through anonymized shares in all formats
 * without pause, and forty readers never read their responses.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { exportFormats } from '@svc/contract';
import type { ServiceProcess } from '@svc/testkit';
import { costlyReport, costlyReports } from '../data/costly-reports.ts';
import { linkDevices, sync, type SyncingDevice } from '../data/devices.ts';
import { makeLink, throughLink, type Link } from '../data/links.ts';
import { reportTemplate } from '../data/report-template.ts';
import { peakResidentBytes } from '../harness/process-usage.ts';
import type { Result, Suite } from '../harness/result.ts';
import { createSender, type Sender, type SentRequest } from '../harness/sender.ts';
import { startService } from '../harness/service.ts';
import { percentile } from '../harness/statistics.ts';

const MB = 1_000_000;
const LARGEST_BYTES = 12 * 1024 * 1024 - 100;
const OWN_BYTES = 200_000;
/** The reports that take the most processor time, memory or bytes; one for each attacker. */
const COSTLY = [
  'lists within lists',
  'short items of lists',
  'blocks of code in lists',
  'unseen characters',
  'empty lines of code',
];
/** More than the cache holds, so that each export is rendered again. */
const LINKS_OF_ATTACKER = 3;
const SLOW_READERS = 40;
const RATIO_MAX = 5;
const READ_P99_MAX_MS = 300;
const EXPORT_MAX_MS = 3000;
const READ_EVERY_MS = 50;
const READS_PER_EXPORT = 10;
/**
 * The attack lasts until it has this many exports, so that the samples include all kinds of its work, or until its
 * timeout.
 */
const FILES_OF_ATTACK = 20;
const ATTACKED_MS_MAX = 180_000;
const PERSON_NETWORK = '203.0.113.7';

/** The service trusts one proxy, which is this suite. */
const from = (network: string) => ({ 'accept-encoding': 'br', 'x-forwarded-for': network });

interface Sample {
  readonly readMs: number[];
  readonly exportMs: number[];
  readonly rejected: Map<number, number>;
}

export const neighboursSuite: Suite = {
  name: 'neighbours',
  async run(options) {
    const { smoke } = options;
    const service = await startService(options, { TRUSTED_PROXY_HOPS: '1' });
    const sender = createSender(service.url, 2);
    const stop = new AbortController();
    const sockets: Socket[] = [];
    try {
      const [person, ...attackers] = await linkDevices(service, 1 + COSTLY.length);
      if (!person) throw new Error('No device was linked.');
      const ownId = await sync(sender, person, reportTemplate(OWN_BYTES).prepare());
      const links = await costlyLinks(sender, attackers, smoke ? LARGEST_BYTES / 8 : LARGEST_BYTES);
      const reads = smoke ? 10 : 100;

      // The first round loads and compiles the code.
      await sampled(service.url, person, ownId, smoke ? 2 : 20);
      const idle = await sampled(service.url, person, ownId, reads);
      const attack = attacked(service, links, stop.signal);
      sockets.push(...slowReaders(service.port, links.flat()));
      await pause(smoke ? 200 : 2000);
      const loaded = await sampled(service.url, person, ownId, reads);
      const attackedUntil = performance.now() + ATTACKED_MS_MAX;
      const wanted = smoke ? 0 : FILES_OF_ATTACK;
      while (attack.files() < wanted && performance.now() < attackedUntil)
        add(loaded, await sampled(service.url, person, ownId, reads));
      const files = attack.files();
      stop.abort();
      const statuses = counted(await attack.ended);
      if (!smoke && files === 0) throw new Error(`The attack got no file: ${JSON.stringify(statuses)}.`);
      return resultsOf(idle, loaded, { statuses, peakMB: peakResidentBytes(service.pid) / MB });
    } finally {
      stop.abort();
      for (const socket of sockets) socket.destroy();
      await sender.close();
      await service.stop();
    }
  },
};

/** For each attacker, links to a report of their own. */
async function costlyLinks(sender: Sender, attackers: readonly SyncingDevice[], sizeBytes: number) {
  const links: Link[][] = [];
  for (const [index, attacker] of attackers.entries()) {
    const costly = costlyReports.find(({ name }) => name === COSTLY[index]);
    if (!costly) throw new Error(`There is no costly report ${COSTLY[index]}.`);
    const reportId = await sync(sender, attacker, costlyReport(costly, sizeBytes));
    const own: Link[] = [];
    for (let count = 0; count < LINKS_OF_ATTACKER; count += 1) own.push(await makeLink(attacker, reportId));
    links.push(own);
  }
  return links;
}

interface Attack {
  /** The number of exports so far. */
  files(): number;
  /** The statuses of all exports, once the attack is over; 0 where a connection ended without a response. */
  readonly ended: Promise<readonly number[]>;
}

function attacked(service: ServiceProcess, links: readonly Link[][], signal: AbortSignal): Attack {
  const statuses: number[] = [];
  const over = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
  const exporting = links.flatMap((own, attacker) =>
    exportFormats.map(async (format) => {
      const sender = createSender(service.url, 1);
      for (let index = 0; !signal.aborted; index += 1) {
        const link = own[index % own.length];
        if (!link) break;
        const request = throughLink(link, `export/${format}`);
        const headers = { ...request.headers, ...from(`198.51.100.${attacker + 1}`) };
        const sent = sender.statusOf({ ...request, headers }).catch(() => 0);
        const status = await Promise.race([sent, over]);
        if (status !== null) statuses.push(status);
        // A rejected client retries after a moment.
        if (status !== 200 && !signal.aborted) await pause(100);
      }
      await sender.close();
    }),
  );
  return {
    files: () => statuses.filter((status) => status === 200).length,
    ended: Promise.all(exporting).then(() => statuses),
  };
}

function add(sample: Sample, more: Sample): void {
  sample.readMs.push(...more.readMs);
  sample.exportMs.push(...more.exportMs);
  for (const [status, count] of more.rejected)
    sample.rejected.set(status, (sample.rejected.get(status) ?? 0) + count);
}

function counted(statuses: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[`status${status}`] = (counts[`status${status}`] ?? 0) + 1;
  return counts;
}

/** Clients that request a large file and never read it. */
function slowReaders(port: number, links: readonly Link[]): Socket[] {
  return Array.from({ length: SLOW_READERS }, (_, index) => {
    const { path } = throughLink(links[index % links.length] ?? { slug: '' }, 'export/json');
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-forwarded-for: 192.0.2.${index + 1}\r\n\r\n`,
    );
    return socket;
  });
}

/** Reads of the person's own report, each through a new share, so that nothing is cached; and some exports. */
async function sampled(url: string, person: SyncingDevice, reportId: string, count: number): Promise<Sample> {
  const sample: Sample = { readMs: [], exportMs: [], rejected: new Map() };
  for (let index = 0; index < count; index += 1) {
    const link = await makeLink(person, reportId);
    const wanted =
      index % 2 === 0
        ? throughLink(link)
        : { path: `/s/${link.slug}`, headers: { 'sec-fetch-dest': 'document' } };
    sample.readMs.push(await timed(url, wanted, sample));
    if (index % READS_PER_EXPORT === 0) {
      const format = exportFormats[(index / READS_PER_EXPORT) % exportFormats.length];
      sample.exportMs.push(await timed(url, throughLink(link, `export/${format}`), sample));
    }
    await pause(READ_EVERY_MS);
  }
  return sample;
}

/** Uses a new connection: a kept one may be closed while it is idle. */
async function timed(url: string, request: SentRequest, { rejected }: Sample): Promise<number> {
  const sender = createSender(url, 1);
  const began = performance.now();
  const headers = { ...request.headers, ...from(PERSON_NETWORK) };
  // 0 where the connection ended without a response.
  const status = await sender.statusOf({ ...request, headers }).catch(() => 0);
  if (status !== 200) rejected.set(status, (rejected.get(status) ?? 0) + 1);
  const tookMs = performance.now() - began;
  await sender.close();
  return tookMs;
}

function resultsOf(
  idle: Sample,
  loaded: Sample,
  attack: { readonly statuses: Record<string, number>; readonly peakMB: number },
): Result[] {
  const idleP99Ms = percentile(idle.readMs, 0.99);
  const p99Ms = percentile(loaded.readMs, 0.99);
  const floor = `the same, idle: p99 ${idleP99Ms.toFixed(1)} ms`;
  const details = {
    idleP50Ms: percentile(idle.readMs, 0.5),
    p50Ms: percentile(loaded.readMs, 0.5),
    maxMs: Math.max(...loaded.readMs),
    reads: loaded.readMs.length,
  };
  const rejected = [...loaded.rejected.values()].reduce((sum, count) => sum + count, 0);
  const exportMs = Math.max(...loaded.exportMs);
  return [
    row(
      'first page reads of 200 KB meanwhile, p99 ÷ idle',
      p99Ms / idleP99Ms,
      '×',
      RATIO_MAX,
      floor,
      details,
    ),
    row('first page reads of 200 KB meanwhile, p99', p99Ms, 'ms', READ_P99_MAX_MS, floor, details),
    row(
      'first exports of 200 KB meanwhile, longest',
      exportMs,
      'ms',
      EXPORT_MAX_MS,
      `the same, idle: ${Math.max(...idle.exportMs).toFixed(1)} ms`,
      { p50Ms: percentile(loaded.exportMs, 0.5) },
    ),
    row(
      'responses other than 200',
      rejected,
      'events',
      0,
      'of those reads and exports',
      Object.fromEntries([...loaded.rejected].map(([status, count]) => [`status${status}`, count])),
    ),
    {
      ...row('memory at its peak', attack.peakMB, 'MB', 0, 'resident, all threads', attack.statuses),
      target: null,
      bound: null,
    },
  ];
}

function row(
  name: string,
  measured: number,
  unit: Result['unit'],
  atMost: number,
  floor: string,
  details: Result['details'],
): Result {
  const bound = { sense: 'at most', value: atMost } as const;
  return { target: 'P13', name, measured, unit, bound, floor, rounds: [measured], details };
}
