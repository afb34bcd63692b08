/**
 * The credential in a real keyring: gnome-keyring on its own message bus. Skipped, and listed as such, on machines without
 * these. The built program loads its embedded native library.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startServer, type SessionActor, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn } from './linking.ts';
import { builtProgram, createMachine, heard, jsonOf, type Machine } from './svc.ts';

const isHere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const hasKeyring = isHere('dbus-run-session') && isHere('gnome-keyring-daemon');

let server: TestServer;
let owner: SessionActor;
beforeAll(async () => {
  server = await startServer();
  owner = await server.signUp();
});
afterAll(() => server.close());

/** Runs shell lines on a separate bus; `svc` is the program. */
function onBus({ home, folder }: Machine, lines: readonly string[]) {
  const script = [`svc() { '${process.execPath}' '${builtProgram()}' "$@"; }`, ...lines].join('\n');
  const child = spawn('dbus-run-session', ['--', 'bash', '-c', script], {
    cwd: folder,
    env: {
      PATH: '/usr/bin:/bin',
      HOME: home,
      XDG_RUNTIME_DIR: home,
      SVC_HOME: path.join(home, 'svc'),
      SVC_API_BASE_URL: server.url,
    },
  });
  const { ended, sees } = heard(child);
  // Some of these runs never log in.
  void sees(/\/link\/([0-9A-Za-z]{32})/).then(
    (id) => owner.api.approveDeviceLink({ params: { id } }),
    () => undefined,
  );
  return ended;
}

const unlock = 'printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1';

describe.skipIf(!hasKeyring)('with a keyring', () => {
  test(
    'login stores the credential there and in no file, and logout removes it',
    { tags: 'thorough' },
    async () => {
      await using machine = await createMachine();
      const { stdout } = await onBus(machine, [
        unlock,
        'svc login --json | tr -d "\\n"; echo',
        'svc whoami --json | tr -d "\\n"; echo',
        `ls -R '${machine.home}/svc/config'  | tr "\\n" " "; echo`,
        'svc logout --json | tr -d "\\n"; echo',
        'svc whoami --json | tr -d "\\n"; echo',
      ]);
      const [login = '', whoami = '', files = '', logout = '', after = ''] = stdout.split('\n');
      expect(jsonOf(login)).toMatchObject({ email: owner.email, keptIn: 'system' });
      expect(jsonOf(whoami)).toMatchObject({ email: owner.email });
      expect(files).not.toContain('credentials');
      expect(jsonOf(logout)).toMatchObject({ revoked: true });
      expect(jsonOf(after)).toMatchObject({ error: { reason: 'unauthenticated' } });
      const [library = ''] = await readdir(path.join(machine.home, 'svc/cache/native'));
      expect(library).toMatch(/^[0-9a-f]{64}\.node$/);
    },
  );

  test('a changed library in the cache is not loaded, but written again', async () => {
    await using machine = await createMachine();
    const folder = path.join(machine.home, 'svc/cache/native');
    await onBus(machine, [unlock, 'svc whoami']);
    const [name = ''] = await readdir(folder);
    const file = path.join(folder, name);
    const genuine = await readFile(file);
    await writeFile(file, 'something else');
    await onBus(machine, [unlock, 'svc whoami']);
    expect((await readFile(file)).equals(genuine)).toBe(true);
  });
});

test('without a keyring the credential is stored in a file, and the person is informed', async () => {
  await using machine = await createMachine(server.url, { SVC_KEYSTORE: '' });
  const { code, stdout } = await logIn(machine, owner);
  expect(code).toBe(0);
  expect(stdout).toContain('a file that only you can read');
  expect((await machine.svc(['whoami'])).code).toBe(0);
});

test.skipIf(process.platform === 'win32')(
  'a library in a cache folder that others can write to is not loaded',
  async () => {
    await using machine = await createMachine(server.url, { SVC_KEYSTORE: 'system' });
    const folder = path.join(machine.home, 'cache/native');
    await mkdir(folder, { recursive: true });
    const { chmod } = await import('node:fs/promises');
    await chmod(folder, 0o777);
    const { code, stderr } = await machine.start(['whoami'], { SVC_DEBUG: '1' }).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('Others can write to');
    expect(await readdir(folder)).toEqual([]);
  },
);
