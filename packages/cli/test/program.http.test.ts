/** Rules for every command: help, exit codes, JSON, credentials that are never shown. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { freePort, startServer } from '@svc/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { commands } from '../src/commands/index.ts';
import { exitCodes } from '../src/errors.ts';
import { openFileServer } from './releases.ts';
import { containing, builtProgram, createMachine, heard, jsonOf } from './svc.ts';

const server = await startServer();
const owner = await server.signUp();
const device = await server.linkDevice(owner);
const machine = await createMachine(server.url);
afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  await server.close();
});

const asDevice = () => ({ SVC_DEVICE_TOKEN: device.deviceToken });

describe('help', () => {
  test.each([[['--help']], [['help']], [[]], [['-h']]])('%j lists every command', async (words) => {
    const { code, stdout, stderr } = await machine.svc(words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const { name, summary } of commands)
      expect(stdout.split('\n').map((line) => line.replaceAll(/ +/g, ' '))).toContain(` ${name} ${summary}`);
  });

  test.each(commands.map((command) => [command.name, command] as const))(
    'svc %s --help explains its arguments and options, with an example',
    async (name, command) => {
      const { code, stdout } = await machine.svc([...name.split(' '), '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain(command.summary);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const { form } of [...(command.arguments ?? []), ...(command.options ?? [])]) {
        expect(stdout).toContain(form);
      }
      for (const example of command.examples) {
        expect(stdout).toContain(example.command);
        expect(example.command).toContain(`svc ${name}`);
      }
      expect((await machine.svc(['help', ...name.split(' ')])).stdout).toBe(stdout);
      const options = stdout.split('\n').filter((line) => !/^ {2}[$#]/.test(line));
      expect(Math.max(...options.map(({ length }) => length))).toBeLessThanOrEqual(80);
    },
  );

  test('[P10] help loads a few kilobytes of the program, and no Node module that is slow to load', async () => {
    const preload = path.join(machine.folder, 'loaded.cjs');
    await writeFile(
      preload,
      "process.on('exit', () => process.stderr.write(process.moduleLoadList.join('\\n')));",
    );
    const { stderr } = await machine.start(['--help'], { NODE_OPTIONS: `--require ${preload}` }).ended;
    const loaded = stderr.split('\n');
    expect(loaded).toContain('NativeModule fs');
    for (const slow of ['crypto', 'child_process', 'http', 'os', 'worker_threads', 'zlib']) {
      expect(loaded).not.toContain(`NativeModule ${slow}`);
    }
    const start = readFileSync(builtProgram(), 'latin1').split('\n//:')[0];
    expect(start?.length).toBeLessThan(40_000);
  });

  test('the version is that of the package', async () => {
    const { version } = jsonOf(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as {
      version: string;
    };
    expect(await machine.svc(['--version'])).toMatchObject({ code: 0, stdout: `svc ${version}\n` });
    expect(jsonOf((await machine.svc(['--version', '--json'])).stdout)).toEqual({ version });
  });
});

describe('a usage error ends with 3', () => {
  test.each([
    ['a misspelled command', ['logn'], 'login'],
    ['a misspelled option', ['login', '--forse'], '--force'],
    ['an unknown command', ['xyzzy'], '--help'],
    ['one argument too many', ['whoami', 'me'], 'svc whoami --help'],
    ['help on an unknown command', ['xyzzy', '--help'], '--help'],
    ['an option without its value', ['quota', '--workspace'], 'svc quota --help'],
    ['a command that its group does not have', ['finding', 'frob'], 'svc finding --help'],
    ['an argument that is missing', ['finding', 'show'], 'svc finding show --help'],
  ])('%s: the next step is named', async (_, words, hint) => {
    const { code, stdout, stderr } = await machine.svc(words);
    expect({ code, stdout }).toEqual({ code: exitCodes.usage, stdout: '' });
    expect(stderr).toContain(hint);
    const json = await machine.svc([...words.slice(0, 1), '--json', ...words.slice(1)]);
    expect(json).toMatchObject({ code: exitCodes.usage, stderr: '' });
    expect(jsonOf(json.stdout)).toMatchObject({ error: { reason: 'usage', message: expect.any(String) } });
  });

  test.each(['SVC_API_BASE_URL', 'SVC_KEYSTORE'])('an invalid %s is named', async (variable) => {
    const { code, stderr } = await machine.svc(['whoami'], { [variable]: 'nonsense' });
    expect(code).toBe(exitCodes.usage);
    expect(stderr).toContain(variable);
  });
});

describe('credentials', () => {
  test('SVC_DEVICE_TOKEN takes precedence over the keystore', async () => {
    const { code, stdout } = await machine.svc(['whoami', '--json'], {
      ...asDevice(),
      SVC_KEYSTORE: 'nonsense',
    });
    expect(code).toBe(0);
    expect(jsonOf(stdout)).toEqual({
      email: owner.email,
      displayName: owner.user.displayName,
      userId: owner.user.userId,
      deviceId: device.deviceId,
      deviceName: 'laptop',
      service: server.url,
    });
  });

  test.each(['login', 'logout'])('%s does not change SVC_DEVICE_TOKEN', async (command) => {
    const { code, stderr } = await machine.svc([command], asDevice());
    expect(code).toBe(exitCodes.usage);
    expect(stderr).toContain('SVC_DEVICE_TOKEN');
    expect((await machine.svc(['whoami'], asDevice())).code).toBe(0);
  });

  test.each([
    ['that is unknown', `svc_dev_${'A'.repeat(46)}`],
    ['of another form', 'hunter2-hunter2'],
    ['with a line break', 'svc_dev_secret\r\nx-evil: 1'],
    ['in another script', 'svc_dev_секрет'],
  ])('a token %s ends with 4, and is not shown', async (_, token) => {
    const environment = { SVC_DEVICE_TOKEN: token, SVC_DEBUG: '1' };
    const shown = await machine.svc(['whoami'], environment);
    expect(shown).toMatchObject({ code: exitCodes.unauthenticated, stdout: '' });
    expect(shown.stderr).toContain('SVC_DEVICE_TOKEN');
    const json = await machine.svc(['whoami', '--json'], environment);
    expect(jsonOf(json.stdout)).toMatchObject({
      error: { reason: 'unauthenticated', hint: containing('unset it') },
    });
    for (const { stdout, stderr } of [shown, json]) {
      expect(stdout + stderr).not.toContain(token.slice(8, 20));
    }
  });

  test('no command has printed a credential', () => {
    expect(machine.printed()).not.toContain(device.deviceToken.slice(8));
  });
});

describe('an unreachable or foreign service', () => {
  test('without a service, a command ends with 5 and prints the system’s reason', async () => {
    const { code, stderr } = await machine.svc(['whoami'], {
      ...asDevice(),
      SVC_API_BASE_URL: `http://127.0.0.1:${await freePort()}`,
    });
    expect(code).toBe(exitCodes.unavailable);
    expect(stderr).toContain('ECONNREFUSED');
  });

  test.each([
    ['a page', 200, '<html>hello</html>', {}, exitCodes.failed, 'SVC_API_BASE_URL'],
    ['a proxy whose service is unreachable', 502, 'Bad Gateway', {}, exitCodes.unavailable, '502'],
    [
      'a redirect',
      308,
      '',
      { location: 'https://other.example/api/v1' },
      exitCodes.failed,
      'redirects to another address',
    ],
  ])('%s is reported', async (_, status, body, headers, code, words) => {
    const seen: (string | undefined)[] = [];
    await using other = await openFileServer();
    other.files.set('/api/v1/devices/current', (request, response) => {
      seen.push(request.headers['user-agent']);
      response.writeHead(status, headers).end(body);
    });
    const ended = await machine.svc(['whoami'], { ...asDevice(), SVC_API_BASE_URL: other.url });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(words);
    expect(seen[0]).toMatch(/^svc\/\d+\.\d+\.\d+$/);
  });

  test('the service’s text cannot steer the terminal', async () => {
    const error = {
      code: 'CONFLICT',
      message: 'no\u001B[2J\u001B]0;owned\u0007pe\u202E',
      requestId: 'id\u001B[1m',
    };
    await using other = await openFileServer();
    other.files.set('/api/v1/devices/current', (_, response) => {
      response.writeHead(409, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    });
    const environment = { ...asDevice(), SVC_API_BASE_URL: other.url };
    const text = await machine.svc(['whoami'], environment);
    const json = await machine.svc(['whoami', '--json'], environment);
    expect(text.stderr).toContain('nope');
    for (const sign of ['\u001B', '\u0007', '\u202E']) {
      expect(text.stderr).not.toContain(sign);
      expect(json.stdout).not.toContain(sign);
    }
  });
});

test('a reader that has gone is not a failure', async () => {
  const child = spawn('bash', [
    '-c',
    `"$0" "$1" --help | head -1 >/dev/null; echo "\${PIPESTATUS[0]}"`,
    process.execPath,
    builtProgram(),
  ]);
  const { stdout, stderr } = await heard(child).ended;
  expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' });
});

test.each(['svc.mjs', 'svc'])('the built file is all that is needed, in any folder, as %s', async (name) => {
  const { copyFile, mkdtemp, rm } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const folder = await mkdtemp(path.join(tmpdir(), 'svc file with spaces #%'));
  const copy = path.join(folder, name);
  await copyFile(builtProgram(), copy);
  const child = spawn(copy, ['whoami', '--json'], {
    cwd: folder,
    env: {
      PATH: [path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter),
      SVC_HOME: machine.home,
      SVC_API_BASE_URL: server.url,
      ...asDevice(),
    },
  });
  const { stdout } = await heard(child).ended;
  expect(jsonOf(stdout)).toMatchObject({ email: owner.email });
  await rm(folder, { recursive: true });
});
