/** What prevents a start: one clear line each, a non-zero exit code, and nothing destroyed. */
import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@svc/testkit';
import { launchService, startServiceProcess, type LaunchedProcess } from '@svc/testkit/service-process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compose } from '../../src/compose.ts';
import { readConfig, type Environment } from '../../src/config.ts';
import { startAdvice } from '../../src/start-advice.ts';
import { StartError } from '../../src/start-error.ts';

const EMAIL = 'kept@example.test';
let folder: string;
/** Data of a stopped service with the account of EMAIL. */
let stopped: string;

beforeAll(async () => {
  stopped = await mkdtemp(join(tmpdir(), 'svc-stopped-'));
  await using server = await startServer({ config: { dataDir: join(stopped, 'data') } });
  await server.signUp({ email: EMAIL });
});
afterAll(() => rm(stopped, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-start-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Warnings of Node 22 about features that it calls experimental. */
const NODE_WARNING = /^\((?:node:\d+\)|Use `node )/;

/** The output of a process that fails to start. */
async function rejection(environment: Record<string, string>): Promise<string[]> {
  const launched = await launchService({ dataDir: folder, environment });
  const { code } = await launched.ended;
  expect(code).toBe(1);
  const lines = launched.output().trimEnd().split('\n');
  return lines.filter((line) => !NODE_WARNING.test(line));
}

/** The reasons why the service cannot be composed; empty when it can. */
async function reasons(dataDir: string, environment: Environment = {}): Promise<readonly string[]> {
  try {
    const service = await compose(readConfig({ DATA_DIR: dataDir, ...environment }), { sweeps: false });
    await service.close(0);
    return [];
  } catch (error) {
    if (error instanceof StartError) return error.lines;
    throw error;
  }
}

/** Every file of a folder with its bytes, except the lock. */
async function contents(path: string): Promise<Record<string, string>> {
  const names = (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const files = await Promise.all(
    names.map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      return [file, (await readFile(file)).toString('base64')] as const;
    }),
  );
  return Object.fromEntries(files.filter(([file]) => !file.endsWith('/lock')));
}

async function dataOfAStoppedService(): Promise<string> {
  const dataDir = join(folder, 'data');
  await cp(join(stopped, 'data'), dataDir, { recursive: true });
  return dataDir;
}

describe('a start that is not possible', () => {
  test('[D15] names each invalid variable, its value and what to set instead', async () => {
    const lines = await rejection({
      PORT: 'http',
      APP_BASE_URL: 'reports',
      SVC_MASTER_KEY: 'hunter2',
      LOG_LEVEL: 'loud',
    });
    expect(lines).toEqual([
      'svc cannot start. PORT: is "http"; it must be a whole number from 1 to 65535.',
      expect.stringMatching(/^svc cannot start\. APP_BASE_URL: is "reports"; it must be an origin/),
      'svc cannot start. SVC_MASTER_KEY: is a secret that is not shown; it must be 32 bytes in base64, or several such keys separated by commas, the newest first.',
      expect.stringMatching(/^svc cannot start\. LOG_LEVEL: is "loud"; it must be one of/),
    ]);
    expect(await readdir(folder)).toEqual([]);
  });

  test('a port in use is named, and the data folder can be used again immediately', async () => {
    const taken = await listening();
    const { port } = taken.address() as { port: number };
    const lines = await rejection({ PORT: String(port) });
    taken.close();
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^svc cannot start\\. PORT: ${port} is in use`)),
    ]);
    expect(await reasons(folder)).toEqual([]);
  });

  test('a data folder that another service holds is named', async () => {
    await using running = await startServer({ config: { dataDir: folder } });
    expect(await reasons(folder)).toEqual([
      expect.stringMatching(/^DATA_DIR: .* is in use by another running svc/),
    ]);
    expect((await running.anonymous.api.getHealth()).ok).toBe(true);
  });

  test('a data folder that is a file, or cannot be created, is named', async () => {
    const file = join(folder, 'file');
    await writeFile(file, 'mine');
    for (const dataDir of [file, join(file, 'below'), '/proc/svc/data'])
      expect(await reasons(dataDir)).toEqual([expect.stringMatching(/^DATA_DIR: .* cannot be written to/)]);
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  test.skipIf(!canMount())('a read-only data folder is named, and its content stays', async () => {
    const dataDir = await dataOfAStoppedService();
    const before = await contents(dataDir);
    execFileSync('mount', ['--bind', dataDir, dataDir]);
    try {
      execFileSync('mount', ['-o', 'remount,ro,bind', dataDir]);
      expect(await reasons(dataDir)).toEqual([expect.stringMatching(/^DATA_DIR: .* cannot be written to/)]);
    } finally {
      execFileSync('umount', [dataDir]);
    }
    expect(await contents(dataDir)).toEqual(before);
  });

  test.each<[damage: string, (whole: Buffer) => Buffer]>([
    ['another file', () => Buffer.from('this is a text and no database'.repeat(400))],
    ['a header overwritten', (whole) => Buffer.concat([Buffer.alloc(100, 7), whole.subarray(100)])],
    [
      'pages overwritten',
      (whole) => Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096, 7)]),
    ],
    ['a file cut short', (whole) => whole.subarray(0, Math.floor(whole.length / 2))],
  ])('a damaged database (%s) is named and stays unchanged', async (_damage, damaged) => {
    const dataDir = await dataOfAStoppedService();
    const file = join(dataDir, 'svc.db');
    const whole = await readFile(file);
    await writeFile(file, damaged(whole));
    const before = await contents(dataDir);
    expect(await reasons(dataDir)).toEqual([expect.stringMatching(/^The database .* is damaged/)]);
    expect(await contents(dataDir)).toEqual(before);

    await writeFile(file, whole);
    expect(await reasons(dataDir)).toEqual([]);
  });

  test('a new database is rejected beside blobs that it does not name, and the blobs stay', async () => {
    const dataDir = await dataOfAStoppedService();
    const file = join(dataDir, 'svc.db');
    const whole = await readFile(file);
    const name = 'ab'.repeat(16);
    await mkdir(join(dataDir, 'blobs', 'ab'), { recursive: true });
    await writeFile(join(dataDir, 'blobs', 'ab', name), 'sealed');
    await rm(file);
    for (const _ of ['the first start', 'the second'])
      expect(await reasons(dataDir)).toEqual([
        expect.stringMatching(/^The database is new, but .*blobs holds report bodies\./),
      ]);
    await writeFile(file, whole);
    expect(await reasons(dataDir)).toEqual([]);
    expect(await readdir(join(dataDir, 'blobs', 'ab'))).toEqual([name]);
  });

  test('a lost or foreign master key is rejected before anything is written under it', async () => {
    const dataDir = await dataOfAStoppedService();
    const key = Buffer.alloc(32, 1).toString('base64');
    const lines = await reasons(dataDir, { SVC_MASTER_KEY: key });
    expect(lines).toEqual([
      expect.stringMatching(/^The master key of SVC_MASTER_KEY is not the key of this deployment/),
    ]);
    expect(lines.join('\n')).not.toContain(key);

    await rm(join(dataDir, 'master.key'));
    expect(await reasons(dataDir)).toEqual([
      expect.stringMatching(/^The master key file .* is missing\. Restore it/),
    ]);
    expect(await readdir(dataDir)).not.toContain('master.key');
  });
});

test('[D15] the program prints its usage and its version, and starts nothing', () => {
  const program = join(import.meta.dirname, '../../src/main.ts');
  const said = (option: string) =>
    execFileSync(process.execPath, [program, option], {
      encoding: 'utf8',
      cwd: folder,
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  for (const option of ['--help', '-h'])
    expect(said(option)).toMatch(
      /\nUsage\n {2}svc-server\n(?:.*\n)*Commands\n(?:.*\n)* {2}backup verify +\S.*\n {2}audit verify /,
    );
  expect(said('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('[D17] the program runs by its name from any folder, on the Node that came with it', () => {
  const name = join(import.meta.dirname, '../../../../node_modules/.bin/svc-server');
  const env = { PATH: '/usr/bin:/bin' };
  expect(execFileSync(name, ['--version'], { encoding: 'utf8', cwd: folder, env })).toMatch(
    /^\d+\.\d+\.\d+\n$/,
  );
});

describe('a start with questionable settings', () => {
  test('[D15] warns once of each, with the variable and what to set instead', async () => {
    await using server = await startServer({ config: { dataDir: await dataOfAStoppedService() } });
    await chmod(join(folder, 'data', 'master.key'), 0o644);
    const config = readConfig({
      DATA_DIR: join(folder, 'data'),
      APP_BASE_URL: 'https://reports.example.test',
      PLATFORM_ADMIN_EMAIL: 'Kept@example.test',
      SECURITY_CONTACT: `mailto:${EMAIL}`,
      UPDATE_MANIFEST_PATH: join(folder, 'manifest.json'),
    });
    expect(await startAdvice(config, server.service.database.read)).toEqual([
      expect.stringMatching(/^PLATFORM_ADMIN_EMAIL: the account with this address existed before/),
      expect.stringMatching(/^SECURITY_CONTACT: publishes the address in PLATFORM_ADMIN_EMAIL/),
      expect.stringMatching(/^TRUSTED_PROXY_HOPS: is 0, while APP_BASE_URL is on https/),
      expect.stringMatching(/^The master key file .*master\.key can be read by other users.*chmod 600/),
      expect.stringMatching(/^UPDATE_MANIFEST_PATH: ".*manifest\.json" cannot be used .*ENOENT/),
    ]);
  });

  test.each([
    ['http://reports.example.test', 1],
    ['http://192.168.0.2:8787', 1],
    ['http://127.0.0.1:8787', 0],
    ['http://svc.localhost:8787', 0],
    ['http://localhost:8787', 0],
  ])('[D15] warns of the origin %s %i times', async (appBaseUrl, times) => {
    const config = readConfig({ DATA_DIR: folder, APP_BASE_URL: appBaseUrl });
    // Without an administrator's address no query is made.
    const advice = await startAdvice(config, undefined as never);
    expect(advice.filter((line) => line.startsWith('APP_BASE_URL: without https'))).toHaveLength(times);
    expect(advice).toHaveLength(times);
  });
});

test('[T25] the start names the file of the setup token, and neither token nor address, and logs its warnings', async () => {
  const dataDir = join(folder, 'data');
  const environment = {
    PLATFORM_ADMIN_EMAIL: 'canary-boss@example.test',
    LOG_LEVEL: 'info',
    APP_BASE_URL: 'https://reports.example.test',
  };
  await using service = await startServiceProcess({ dataDir, environment });
  const file = join(dataDir, 'setup-token');
  await expect.poll(() => service.output()).toContain('/signup?setup');
  const token = (await readFile(file, 'utf8')).trim();
  const line =
    service
      .output()
      .split('\n')
      .find((text) => text.includes('/signup?setup')) ?? '';
  expect(JSON.parse(line)).toMatchObject({ level: 'info', setupTokenFile: file });
  const admin = await service.signUp({ email: environment.PLATFORM_ADMIN_EMAIL });
  expect(admin.user.isPlatformAdmin).toBe(true);
  expect(existsSync(file)).toBe(false);
  await expect.poll(() => warningsOf(service)).toEqual([expect.stringMatching(/^TRUSTED_PROXY_HOPS: is 0/)]);
  for (const secret of [token, 'canary-boss']) expect(service.output()).not.toContain(secret);
});

function warningsOf(launched: LaunchedProcess): string[] {
  const lines = launched.output().split('\n');
  const entries = lines.filter((line) => line.startsWith('{"level":"warn"') && line.endsWith('}'));
  return entries.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

function listening(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** Only root can mount a read-only folder. Otherwise the test is skipped. */
function canMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}
