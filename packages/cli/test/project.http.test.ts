/** Binding a repository, and the remaining quota: the real program against a real service. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile, copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bodyOf, startServer, type DeviceActor, type SessionActor, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { git, initRepository } from './repository.ts';
import { containing, createMachine, jsonOf, type Machine } from './svc.ts';

let server: TestServer;
let owner: SessionActor;
let device: DeviceActor;
let machine: Machine;

beforeAll(async () => {
  server = await startServer();
  owner = await server.signUp();
  device = await server.linkDevice(owner);
  machine = await createMachine(server.url, { SVC_DEVICE_TOKEN: device.deviceToken });
});
afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  await server.close();
});

async function repository(remote?: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-repository-'));
  initRepository(folder);
  if (remote !== undefined) git(folder, 'remote', 'add', 'origin', remote);
  return folder;
}

const bindingIn = async (folder: string) =>
  (jsonOf(await readFile(path.join(folder, '.svc.json'), 'utf8')) as { bindingPublicId: string })
    .bindingPublicId;
const svc = (words: readonly string[], folder: string, environment = {}) =>
  machine.svc(words, environment, folder);

test('[D5] init binds the repository to the only workspace, under the name of its remote', async () => {
  const folder = await repository('git@github.com:acme/shop.git');
  const { code, stdout } = await svc(['init', '--json'], folder);
  expect(code).toBe(0);
  const bindingPublicId = await bindingIn(folder);
  expect(bindingPublicId).toMatch(/^[0-9A-Za-z]{22,}$/);
  expect(jsonOf(stdout)).toMatchObject({
    bindingPublicId,
    name: 'shop',
    created: true,
    repositoryRoot: folder,
    service: server.url,
  });
  const { projects } = bodyOf(await owner.api.listProjects());
  expect(projects.filter((project) => project.bindingPublicId === bindingPublicId)).toMatchObject([
    { name: 'shop' },
  ]);
});

test('[T26] init does not follow a link in the place of the binding, and creates no project', async () => {
  const folder = await repository();
  await symlink(path.join(folder, 'missing', 'file'), path.join(folder, '.svc.json'));
  const projects = async () => bodyOf(await owner.api.listProjects()).projects.length;
  const before = await projects();
  for (const words of [['init'], ['init', '--new-binding']]) {
    expect(await svc(words, folder)).toMatchObject({
      code: 1,
      stderr: containing(`${folder}/.svc.json is a symbolic link`),
    });
  }
  expect(await projects()).toBe(before);
});

test('a binding that is not a file is reported as such', async () => {
  const folder = await repository();
  await mkdir(path.join(folder, '.svc.json'));
  expect(await svc(['init'], folder)).toMatchObject({
    code: 1,
    stderr: containing(`${folder}/.svc.json cannot be read (EISDIR).`),
  });
});

test('init again, from a subfolder, changes nothing and prints the binding', async () => {
  const folder = await repository();
  const first = jsonOf((await svc(['init', '--json'], folder)).stdout);
  const before = await readFile(path.join(folder, '.svc.json'), 'utf8');
  await mkdir(path.join(folder, 'src/deep'), { recursive: true });
  const again = await svc(['init', '--json'], path.join(folder, 'src/deep'));
  expect(again.code).toBe(0);
  expect(jsonOf(again.stdout)).toEqual({ ...(first as object), created: false });
  expect(await readFile(path.join(folder, '.svc.json'), 'utf8')).toBe(before);
});

test('a clone on another machine finds the project by the committed file', async () => {
  const folder = await repository();
  const first = jsonOf((await svc(['init', '--json', '--name', 'cloned'], folder)).stdout) as object;
  const clone = await repository();
  await copyFile(path.join(folder, '.svc.json'), path.join(clone, '.svc.json'));
  await using other = await createMachine(server.url, { SVC_DEVICE_TOKEN: device.deviceToken });
  const { stdout } = await other.svc(['init', '--json'], {}, clone);
  expect(jsonOf(stdout)).toEqual({ ...first, created: false, repositoryRoot: clone });
});

test('[D5] a fork with another account’s binding is advised to use --new-binding, which gives it a binding of its own', async () => {
  const folder = await repository();
  await svc(['init'], folder);
  const original = await bindingIn(folder);
  const stranger = await server.linkDevice(await server.signUp());
  await using other = await createMachine(server.url, { SVC_DEVICE_TOKEN: stranger.deviceToken });
  const rejected = await other.svc(['init', '--json'], {}, folder);
  expect(rejected.code).toBe(1);
  expect(jsonOf(rejected.stdout)).toMatchObject({
    error: { reason: 'failed', code: 'CONFLICT', hint: 'svc init --new-binding' },
  });
  expect(await bindingIn(folder)).toBe(original);
  expect((await other.svc(['init', '--new-binding'], {}, folder)).code).toBe(0);
  expect(await bindingIn(folder)).not.toBe(original);
});

test('with several workspaces and no prompt, init lists them; --workspace takes an id or a name', async () => {
  const person = await server.signUp();
  const { workspaceId } = bodyOf(await person.api.createWorkspace({ body: { name: 'Acme' } }));
  const { deviceToken } = await server.linkDevice(person);
  await using other = await createMachine(server.url, { SVC_DEVICE_TOKEN: deviceToken });
  const folder = await repository();
  const rejected = await other.svc(['init'], {}, folder);
  expect(rejected).toMatchObject({ code: 3, stdout: '' });
  expect(rejected.stderr).toContain(workspaceId);
  const named = await other.svc(['init', '--workspace', 'acme', '--json'], {}, folder);
  expect(jsonOf(named.stdout)).toMatchObject({ workspaceId, created: true });
  expect((await other.svc(['init', '--workspace', workspaceId], {}, folder)).code).toBe(0);
  expect((await other.svc(['init', '--workspace', 'Personal'], {}, folder)).code).toBe(1);
  expect((await other.svc(['init', '--workspace', 'nobody'], {}, await repository())).code).toBe(3);

  const quota = await other.svc(['quota', '--json'], {}, folder);
  expect(jsonOf(quota.stdout)).toMatchObject({ workspaceId, plan: 'free', eligible: true });
});

test('a damaged binding file stops the command and stays unchanged', async () => {
  const folder = await repository();
  for (const content of [
    'not json',
    '[]',
    'null',
    '{"bindingPublicId":"../../x"}',
    '{"bindingPublicId":7}',
  ]) {
    await writeFile(path.join(folder, '.svc.json'), content);
    const { code, stderr } = await svc(['init'], folder);
    expect(code).toBe(1);
    expect(stderr).toContain('.svc.json');
    expect(await readFile(path.join(folder, '.svc.json'), 'utf8')).toBe(content);
  }
});

test('init without a credential writes nothing', async () => {
  const folder = await repository();
  expect((await svc(['init'], folder, { SVC_DEVICE_TOKEN: '' })).code).toBe(4);
  await expect(bindingIn(folder)).rejects.toThrow('ENOENT');
  await rm(folder, { recursive: true });
});

test('quota shows both windows, with and without a project', async () => {
  const { code, stdout } = await machine.svc(['quota']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /Plan +free; reports are kept for 21 days\nToday +0 of 5 used .*\nWeek +0 of 15 used/,
  );
  const json = await machine.svc(['quota', '--json']);
  expect(jsonOf(json.stdout)).toMatchObject({ eligible: true, daily: { used: 0, limit: 5 } });
  expect((await machine.svc(['quota', '--workspace', 'nobody'])).code).toBe(3);
});
