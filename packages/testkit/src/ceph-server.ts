/** A temporary object store: Ceph's S3 gateway over one store in memory, in its own folder. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
const PROGRAMS = ['ceph-mon', 'ceph-osd', 'ceph', 'monmaptool', 'radosgw', 'radosgw-admin'];
const STEP_MS_MAX = 60_000;
const START_MS_MAX = 120_000;
const TRIED_EVERY_MS = 100;
const STORE_STARTS_MAX = 5;
const COMMAND_TRIES_MAX = 10;

const isInstalled = PROGRAMS.every((program) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program))),
);

/** Without Ceph, tests are skipped on developer machines and fail in CI. */
export const cephMissing = !isInstalled && process.env['CI'] !== 'true';

export interface CephServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  makeBucket(name: string): Promise<void>;
  /** The total size of all objects whose names begin with the prefix. */
  bytesOf(bucket: string, prefix: string): Promise<number>;
  /** The process ids of the monitor, the store and the gateway. */
  pids(): readonly number[];
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
}

const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret-of-a-test' };

export async function startCephServer(): Promise<CephServer> {
  if (!isInstalled) throw new Error('No Ceph: install radosgw, ceph-mon, ceph-osd and ceph-common.');
  const folder = await mkdtemp(join(tmpdir(), 'svc-ceph-'));
  const children: ChildProcess[] = [];
  const end = () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', end);
  async function remove(): Promise<void> {
    const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const exits = running.map((child) => new Promise((resolve) => child.once('exit', resolve)));
    end();
    process.off('exit', end);
    await Promise.all(exits);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  try {
    const [monitorPort, port] = [await freePort(), await freePort()];
    const conf = writeConfiguration(folder, monitorPort, port);
    const call = (program: string, ...given: string[]) =>
      run(program, ['-c', conf, ...given], {
        timeout: STEP_MS_MAX,
        env: { ...process.env, CEPH_CONF: conf },
      });
    const serve = (program: string, ...given: string[]) => {
      const child = spawn(program, ['-f', '-c', conf, ...given], { stdio: 'ignore' });
      children.push(child);
      return child;
    };
    /** The daemon may contact the monitor before the monitor knows its id. It is then rejected and ends. */
    const serveStore = (startsLeft: number) => {
      serve('ceph-osd', '-i', '0').once('exit', (code) => {
        if (code !== null && startsLeft > 0) serveStore(startsLeft - 1);
      });
    };

    const map = join(folder, 'monmap');
    const address = `[v1:127.0.0.1:${monitorPort}]`;
    await call('monmaptool', '--create', '--clobber', '--addv', 'a', address, '--fsid', FSID, map);
    await call('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map);
    serve('ceph-mon', '-i', 'a');
    // A monitor that has just started may reject its first command.
    await repeated(() => call('ceph', 'osd', 'new', OSD_ID, '0'));
    await call('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', OSD_ID);
    serveStore(STORE_STARTS_MAX);
    serve('radosgw', '-n', 'client.rgw.a');
    const url = `http://127.0.0.1:${port}`;
    await untilItAnswers(url);
    const { accessKeyId, secretAccessKey } = credentials;
    const keys = [`--access-key=${accessKeyId}`, `--secret=${secretAccessKey}`];
    await call('radosgw-admin', 'user', 'create', '--uid=test', '--display-name=test', ...keys);
    return {
      url,
      credentials,
      makeBucket: (name) =>
        withClient(
          url,
          async (client) => void (await client.send(new CreateBucketCommand({ Bucket: name }))),
        ),
      bytesOf: (bucket, prefix) => withClient(url, (client) => sumOf(client, bucket, prefix)),
      pids: () =>
        children.flatMap(({ pid, exitCode }) => (pid === undefined || exitCode !== null ? [] : [pid])),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function withClient<Result>(url: string, work: (client: S3Client) => Promise<Result>): Promise<Result> {
  const client = new S3Client({ region: 'us-east-1', endpoint: url, forcePathStyle: true, credentials });
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

async function sumOf(client: S3Client, bucket: string, prefix: string): Promise<number> {
  let bytes = 0;
  const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix });
  for await (const { Contents = [] } of pages) for (const { Size = 0 } of Contents) bytes += Size;
  return bytes;
}

const FSID = '6f1d3c5e-8a47-4d0b-9a51-2f3d5f6f7a01';
const OSD_ID = '6f1d3c5e-8a47-4d0b-9a51-2f3d5f6f7a02';

function writeConfiguration(folder: string, monitorPort: number, port: number): string {
  for (const each of ['mon', 'osd', 'run', 'log', 'rgw']) mkdirSync(join(folder, each));
  const settings = {
    fsid: FSID,
    'mon host': `v1:127.0.0.1:${monitorPort}`,
    'mon initial members': 'a',
    'public addr': '127.0.0.1',
    'cluster addr': '127.0.0.1',
    'auth cluster required': 'none',
    'auth service required': 'none',
    'auth client required': 'none',
    'osd pool default size': 1,
    'osd pool default min size': 1,
    'osd pool default pg num': 4,
    'osd pool default pg autoscale mode': 'off',
    'osd crush chooseleaf type': 0,
    'mon allow pool size one': true,
    'mon max pg per osd': 2000,
    // By default the monitor collects changes for a second. Each of the gateway's ten pools is a change.
    'paxos propose interval': 0.01,
    'paxos min wait': 0.01,
    'mon data avail crit': 1,
    'mon data avail warn': 1,
    'osd objectstore': 'memstore',
    'memstore device bytes': 2 ** 31,
    'run dir': join(folder, 'run'),
    'admin socket': join(folder, 'run/$name.$pid.asok'),
    'log file': join(folder, 'log/$name.log'),
    'mon data': join(folder, 'mon'),
    'osd data': join(folder, 'osd'),
    'pid file': join(folder, 'run/$name.pid'),
    'rgw data': join(folder, 'rgw'),
    'rgw frontends': `beast endpoint=127.0.0.1:${port}`,
    'rgw thread pool size': 64,
    'rgw enable usage log': false,
    'rgw enable ops log': false,
    'ms bind msgr2': false,
    keyring: join(folder, 'keyring'),
  };
  const conf = join(folder, 'ceph.conf');
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${String(value)}`);
  writeFileSync(conf, ['[global]', ...lines, ''].join('\n'));
  return conf;
}

async function repeated(call: () => Promise<unknown>): Promise<void> {
  for (let triesLeft = COMMAND_TRIES_MAX; triesLeft > 0; triesLeft -= 1) {
    try {
      await call();
      return;
    } catch (error) {
      if (triesLeft === 1) throw error;
      await new Promise((resolve) => setTimeout(resolve, TRIED_EVERY_MS));
    }
  }
}

async function untilItAnswers(url: string): Promise<void> {
  const until = Date.now() + START_MS_MAX;
  for (;;) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(STEP_MS_MAX) }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer) return;
    if (Date.now() > until) throw new Error(`Ceph did not answer within ${START_MS_MAX / 1000} seconds.`);
    await new Promise((resolve) => setTimeout(resolve, TRIED_EVERY_MS));
  }
}
