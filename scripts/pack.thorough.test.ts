// The packages of `npm run pack` are installed from their files by an unprivileged user, and used.
import { execFileSync, type ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { createActors } from '@svc/testkit/actors';
import { freePort } from '@svc/testkit/free-port';
import { APP_ORIGIN } from '@svc/testkit/origin';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUnprivilegedUser } from './pack/unprivileged-user.ts';

const root = path.join(import.meta.dirname, '..');
const output = path.join(root, 'dist/packages');
const { version } = JSON.parse(fs.readFileSync(path.join(root, 'packages/server/package.json'), 'utf8')) as {
  version: string;
};
const archives = [`svc-server-${version}.tgz`, `svc-${version}.tgz`];
const sums = () => fs.readFileSync(path.join(output, 'SHA256SUMS'), 'utf8');
const pack = () => execFileSync(process.execPath, [path.join(root, 'scripts/pack.ts')], { stdio: 'pipe' });

/** An address that refuses connections. */
const NOBODY_LISTENS = '127.0.0.1:9';

const user = createUnprivilegedUser();
const started: ChildProcess[] = [];

beforeAll(() => {
  pack();
  for (const archive of archives)
    fs.copyFileSync(path.join(output, archive), path.join(user.folder, archive));
});
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  user[Symbol.dispose]();
});

test('the same sources give the same bytes', () => {
  const before = sums();
  pack();
  expect(sums()).toBe(before);
  expect(before.match(/^[0-9a-f]{64} {2}svc.*\.tgz$/gm)).toHaveLength(2);
});

/** The files in folders of the packages. */
const filesOf = (folders: string) =>
  fs
    .globSync(`${folders}/**`, { cwd: output, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => path.join(each.parentPath, each.name));

/** The files of an archive by their path, each with its owner and time. */
function filesInArchive(archive: string): Map<string, string> {
  const words = [
    '--list',
    '--gzip',
    '--verbose',
    '--utc',
    '--full-time',
    '--file',
    path.join(output, archive),
  ];
  const lines = execFileSync('tar', words, { encoding: 'utf8' }).trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [, owner, , day, time, ...name] = line.split(/\s+/);
      return [name.join(' '), [owner, day, time].join(' ')];
    }),
  );
}

test('the packages contain the programs and the licenses, and no source map or path of the build', () => {
  const files = filesOf('{svc,svc-server}');
  const names = files.map((file) => path.relative(output, file));
  for (const name of ['svc', 'svc-server'])
    for (const file of ['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.txt', 'package.json'])
      expect(names).toContain(path.join(name, file));
  const programs = ['svc.mjs', 'svc-server.mjs', 'server/dist/main.mjs', 'cli/dist/svc.mjs'];
  for (const program of programs)
    expect(names).toContain(path.join(program === 'svc.mjs' ? 'svc' : 'svc-server', program));
  expect(names.filter((name) => /\.map$|\.inputs\.json$|\.ts$|\.test\./.test(name))).toEqual([]);
  expect(files.filter((file) => fs.readFileSync(file).includes(root))).toEqual([]);
});

test('the archives contain exactly the files of the folders, all with the same owner and the same time', () => {
  const archived = archives.map(filesInArchive);
  for (const [at, name] of ['svc-server', 'svc'].entries()) {
    const names = filesOf(name).map((file) => path.relative(path.join(output, name), file));
    expect([...(archived[at]?.keys() ?? [])].toSorted()).toEqual(
      names.map((each) => path.join('package', each)).toSorted(),
    );
  }
  const marks = new Set(archived.flatMap((files) => [...files.values()]));
  expect([...marks]).toEqual([expect.stringMatching(/^\S+ 1985-10-26 /)]);
});

test('the service’s package declares each package that it imports', async () => {
  const folder = path.join(output, 'svc-server');
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const { metafile } = await build({
    entryPoints: fs.globSync('**/*.mjs', { cwd: folder }).map((file) => path.join(folder, file)),
    outdir: path.join(user.folder, 'unused'),
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.flatMap(({ external, path: specifier }) => (external === true ? [specifier] : [])),
  );
  const others = imported.filter((specifier) => !isBuiltin(specifier));
  expect([...new Set(others)]).toEqual(Object.keys(dependencies));
});

test('an installation by a user without privileges builds nothing, and both programs run', () => {
  const installed = user.run([
    'npm',
    'install',
    '--no-audit',
    '--no-fund',
    ...archives.map((each) => `./${each}`),
  ]);
  expect(installed).toMatchObject({ code: 0 });
  const lock = JSON.parse(
    fs.readFileSync(path.join(user.folder, 'node_modules/.package-lock.json'), 'utf8'),
  ) as { packages: Record<string, { hasInstallScript?: boolean }> };
  expect(Object.keys(lock.packages)).toEqual(expect.arrayContaining(['node_modules/@node-rs/argon2']));
  expect(Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  for (const program of ['svc', 'svc-server']) {
    const { code, stdout } = user.run([program, '--version']);
    expect([code, stdout]).toEqual([0, expect.stringContaining(version)]);
  }
});

test('the installed CLI scans, syncs to the installed service, and reads the keyring’s package', async () => {
  const { url, child } = await startService({ METRICS_TOKEN: 'a-token-of-twenty-characters' });
  const actors = createActors(url);
  const owner = await actors.signUp();
  const { deviceToken } = await actors.linkDevice(owner);
  const repository = path.join(user.folder, 'repository');
  const svc = (...words: string[]) =>
    user.run(['svc', ...words], { SVC_API_BASE_URL: url, SVC_DEVICE_TOKEN: deviceToken }, repository);
  expect(user.run(['git', 'init', '--quiet', repository])).toMatchObject({ code: 0 });
  expect(user.run(['cp', `${repository}/../package.json`, repository])).toMatchObject({ code: 0 });
  expect(svc('init', '--workspace', 'Personal')).toMatchObject({ code: 0 });
  const scan = svc('scan', '.', '--only', 'secrets', '--json');
  expect(scan).toMatchObject({ code: 0 });
  expect(JSON.parse(scan.stdout)).toMatchObject({ state: 'synced' });
  expect(svc('sync')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Nothing to sync') as string,
  });

  const keyring = path.join(user.folder, 'node_modules/@napi-rs/keyring/index.js');
  fs.writeFileSync(keyring, `exports.AsyncEntry = class { getPassword() { return '${deviceToken}'; } };`);
  const fromKeyring = { SVC_API_BASE_URL: url, SVC_KEYSTORE: 'system' };
  expect(user.run(['svc', 'whoami'], fromKeyring)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(owner.email) as string,
  });

  const metrics = await fetch(`${url}/metrics`, {
    headers: { authorization: 'Bearer a-token-of-twenty-characters' },
  });
  expect(await metrics.text()).toContain('svc_http_request_duration_seconds_bucket');
  const ended = new Promise((resolve) => {
    child.once('close', resolve);
  });
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test.each([
  ['DATABASE_URL', { DATABASE_URL: `postgres://svc@${NOBODY_LISTENS}/svc` }],
  ['REDIS_URL', { REDIS_URL: `redis://${NOBODY_LISTENS}` }],
  [
    'BLOB_URL',
    {
      BLOB_URL: `s3://bucket?endpoint=http://${NOBODY_LISTENS}`,
      AWS_ACCESS_KEY_ID: 'AKIATEST',
      AWS_SECRET_ACCESS_KEY: 'secret-of-a-test',
    },
  ],
])('the package contains the client that %s needs: it tries to connect', (_, environment) => {
  const { code, stderr } = user.run(['svc-server'], { ...environment, PORT: '1024', DATA_DIR: 'unused' });
  expect([code, stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
});

test('the package contains the library that BILLING_WEBHOOK_SECRET needs', async () => {
  const { url } = await startService({ BILLING_WEBHOOK_SECRET: 'whsec_test', DATA_DIR: 'billing' });
  const { anonymous } = createActors(url);
  const response = await anonymous.post('/billing/webhook', {}, { 'stripe-signature': 't=1,v1=00' });
  expect(response.status).toBe(401);
});

/** Starts the installed service as the unprivileged user, on a free port. */
async function startService(environment: Readonly<Record<string, string>>) {
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = user.start(['svc-server'], {
    APP_BASE_URL: APP_ORIGIN,
    PORT: new URL(url).port,
    ...environment,
  });
  started.push(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await expect
    .poll(() => {
      if (child.exitCode !== null) throw new Error(printed);
      return fetch(`${url}/api/v1/ready`).then(
        ({ status }) => status,
        () => 0,
      );
    })
    .toBe(200);
  return { url, child };
}
