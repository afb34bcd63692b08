/** Linking a machine: the real program against a real service, approved by a real account. */
import { mkdir, readFile, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { bodyOf, createFakeClock, freePort, startServer } from '@svc/testkit';
import { afterAll, expect, test } from 'vitest';
import { eagerClock } from './eager-clock.ts';
import { fileNameOf } from '../src/connection/origin.ts';
import { writePrivateFile } from '../src/files/private-file.ts';
import { beginLogin, logIn } from './linking.ts';
import { openFileServer } from './releases.ts';
import { containing, createMachine, jsonOf, type Machine } from './svc.ts';

const MINUTE_MS = 60_000;
const clock = createFakeClock(Date.now());
const server = await startServer({ clock });
const owner = await server.signUp();
afterAll(() => server.close());

const login = (machine: Machine, words: readonly string[] = [], by = owner) => logIn(machine, by, words);

const tokensOf = async ({ home }: Machine) => {
  const folder = path.join(home, 'config/credentials');
  const files = await readdir(folder).catch(() => []);
  return Promise.all(files.map(async (file) => (await readFile(path.join(folder, file), 'utf8')).trim()));
};
/** A machine with a credential for the service at this address, whatever runs there. */
async function linkedTo(url: string): Promise<Machine> {
  const machine = await createMachine(url);
  machine.clock = eagerClock;
  const file = path.join(machine.home, 'config/credentials', fileNameOf(url));
  await writePrivateFile(file, `svc_dev_${'a'.repeat(46)}\n`);
  return machine;
}
const activeDevices = async (by = owner) =>
  bodyOf(await by.api.listDevices()).devices.filter(({ revokedAt }) => revokedAt === null);

test('[D4] login shows the address and the code of the page, waits for the approval, and stores the credential', async () => {
  await using machine = await createMachine(server.url);
  const person = await server.signUp();
  const started = await beginLogin(machine, []);
  const { id } = started;
  const code = await started.sees(/\b([0-9A-Z]{4}-[0-9A-Z]{4})\b/);
  const page = bodyOf(await person.api.getDeviceLink({ params: { id } }));
  expect(page.matchCode).toBe(code);
  bodyOf(await person.api.approveDeviceLink({ params: { id } }));
  const { code: exit, stdout } = await started.decided();
  expect(exit).toBe(0);
  expect(stdout).toContain(person.email);

  const whoami = await machine.svc(['whoami', '--json']);
  expect(jsonOf(whoami.stdout)).toMatchObject({ email: person.email, service: server.url });
  const [token] = await tokensOf(machine);
  expect(token).toMatch(/^svc_dev_/);
  expect(machine.printed()).not.toContain('svc_dev_');
});

test.skipIf(process.platform === 'win32')(
  'the credential is in a file and a folder that only their owner can access',
  async () => {
    await using machine = await createMachine(server.url);
    await login(machine);
    const folder = path.join(machine.home, 'config/credentials');
    const [file = ''] = await readdir(folder);
    expect((await stat(path.join(folder, file))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  },
);

test('the linked service is remembered, with and without /api/v1', async () => {
  await using machine = await createMachine();
  await logIn(machine, owner, [], { SVC_API_BASE_URL: `${server.url}/api/v1/` });
  const { code, stdout } = await machine.svc(['whoami', '--json']);
  expect(code).toBe(0);
  expect(jsonOf(stdout)).toMatchObject({ service: server.url });
});

test('a device link that is denied in the browser ends with 4 and stores nothing', async () => {
  await using machine = await createMachine(server.url);
  const started = await beginLogin(machine, []);
  bodyOf(await owner.api.denyDeviceLink({ params: { id: started.id } }));
  const { code, stderr } = await started.decided();
  expect(code).toBe(4);
  expect(stderr).toContain('denied');
  expect(await tokensOf(machine)).toEqual([]);
});

test('a device link that nobody approves ends with 4 when it expires', async () => {
  await using machine = await createMachine(server.url);
  const started = await beginLogin(machine, ['--json']);
  clock.advance(11 * MINUTE_MS);
  const { code, stdout } = await started.decided();
  expect(code).toBe(4);
  expect(jsonOf(stdout)).toMatchObject({
    error: { reason: 'unauthenticated', code: 'DEVICE_LINK_EXPIRED', requestId: expect.any(String) },
  });
});

test('closing the terminal during the wait ends the command with 130, and leaves nothing behind', async () => {
  await using machine = await createMachine(server.url);
  const started = machine.start(['login']);
  await started.sees(/\/link\//);
  started.child.kill('SIGHUP');
  expect(await started.ended).toMatchObject({ code: 130, stdout: '' });
  expect(await readdir(machine.home)).toEqual([]);
});

test('--json prints what to approve as a line on standard error, and one value on standard output', async () => {
  await using machine = await createMachine(server.url);
  const { code, stdout, stderr } = await login(machine, ['--json']);
  expect(code).toBe(0);
  expect(jsonOf(stdout)).toEqual({
    linked: true,
    service: server.url,
    email: owner.email,
    userId: owner.user.userId,
    deviceId: expect.stringMatching(/^dev_/),
    deviceName: expect.any(String),
    keptIn: 'file',
  });
  expect(jsonOf(stderr)).toEqual({
    approvalUrl: containing('/link/'),
    matchCode: expect.stringMatching(/^\w{4}-\w{4}$/),
    expiresAt: expect.stringMatching(/Z$/),
  });
});

test('a linked machine stays linked, and --force links it again and revokes the old credential', async () => {
  await using machine = await createMachine(server.url);
  const person = await server.signUp();
  await login(machine, [], person);
  const [before] = await activeDevices(person);
  const again = await machine.svc(['login']);
  expect(again).toMatchObject({ code: 0, stdout: containing('already linked') });
  expect(again.stderr).toContain('--force');

  await login(machine, ['--force'], person);
  const after = await activeDevices(person);
  expect(after).toHaveLength(1);
  expect(after[0]?.deviceId).not.toBe(before?.deviceId);
});

test('a machine whose device was revoked in the browser says so, and login links it without a prompt', async () => {
  await using machine = await createMachine(server.url);
  const person = await server.signUp();
  await login(machine, [], person);
  const [device] = await activeDevices(person);
  bodyOf(await person.api.revokeDevice({ params: { id: device!.deviceId } }));
  const rejected = await machine.svc(['whoami']);
  expect(rejected).toMatchObject({ code: 4, stderr: containing('svc login') });
  expect((await login(machine, [], person)).code).toBe(0);
  expect((await machine.svc(['whoami'])).code).toBe(0);
});

test('a login that cannot remember the service revokes the new credential and keeps the old one', async () => {
  await using machine = await createMachine(server.url);
  const person = await server.signUp();
  await login(machine, [], person);
  const before = { devices: await activeDevices(person), tokens: await tokensOf(machine) };
  const file = path.join(machine.home, 'config/service.json');
  await rm(file);
  await mkdir(file);

  expect(await login(machine, ['--force'], person)).toMatchObject({ code: 1 });
  expect(await tokensOf(machine)).toEqual(before.tokens);
  expect((await activeDevices(person)).map(({ deviceId }) => deviceId)).toEqual([
    before.devices[0]!.deviceId,
  ]);

  await rm(file, { recursive: true });
  expect((await machine.svc(['whoami'])).code).toBe(0);
});

test('two simultaneous logins both end, and the machine has one working credential', async () => {
  await using machine = await createMachine(server.url);
  const both = await Promise.all([login(machine), login(machine)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(await tokensOf(machine)).toHaveLength(1);
  expect((await machine.svc(['whoami'])).code).toBe(0);
});

test('logout revokes the device and deletes the credential, and does nothing the second time', async () => {
  await using machine = await createMachine(server.url);
  const person = await server.signUp();
  await login(machine, [], person);
  const first = await machine.svc(['logout', '--json']);
  expect(jsonOf(first.stdout)).toEqual({ linked: false, service: server.url, revoked: true });
  expect(await activeDevices(person)).toEqual([]);
  expect(await tokensOf(machine)).toEqual([]);
  expect((await machine.svc(['logout'])).code).toBe(0);
  expect((await machine.svc(['whoami'])).code).toBe(4);
});

test('logout without the service deletes the credential and says that it may still be valid', async () => {
  await using machine = await linkedTo(`http://127.0.0.1:${await freePort()}`);
  const { code, stderr } = await machine.svc(['logout']);
  expect(code).toBe(0);
  expect(stderr).toContain('cannot be reached (ECONNREFUSED)');
  expect(stderr).toContain('may still be valid');
  expect(await tokensOf(machine)).toEqual([]);
});

test.each([
  [503, 'INTERNAL', 'did not revoke the credential (status 503). '],
  [429, 'RATE_LIMITED', 'did not revoke the credential (status 429). '],
  // Not the service’s own response, but that of a proxy whose service is down.
  [502, '', 'is not ready (status 502).'],
])('logout says what the service responded, and what to do: %s %s', async (status, code, reason) => {
  await using service = await openFileServer();
  const error = { code, message: 'No.', requestId: 'req_1' };
  service.files.set('/api/v1/devices/current', (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error }));
  });
  await using machine = await linkedTo(service.url);
  const { stdout, stderr } = await machine.svc(['logout', '--json']);
  expect(jsonOf(stdout)).toEqual({ linked: false, service: service.url, revoked: false });
  expect(stderr).toContain(`${service.url} ${reason}`);
  expect(stderr).toContain('may still be valid');
  expect(stderr).toContain('Revoke the device in the browser, under Devices.');
  expect(await tokensOf(machine)).toEqual([]);
});

test('login ends with 5 when the service is unreachable', async () => {
  await using machine = await createMachine(`http://127.0.0.1:${await freePort()}`);
  const { code, stderr } = await machine.svc(['login']);
  expect(code).toBe(5);
  expect(stderr).toContain('ECONNREFUSED');
});
