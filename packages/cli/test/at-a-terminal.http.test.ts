/**
 * What a person sees and answers: the real program at a pseudo-terminal, which `script` of util-linux creates. Skipped if
 * that is missing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { bodyOf, startServer } from '@svc/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { git, initRepository } from './repository.ts';
import { createMachine, jsonOf, builtProgram, type Machine } from './svc.ts';
import { toolsPath } from './tools.ts';

const canBeTried = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '');
const DOWN = '\u001B[B';
const ENTER = '\r';
const CTRL_C = '\u0003';

const server = await startServer();
afterAll(() => server.close());

/** A person's linked machine. */
async function linked() {
  const person = await server.signUp();
  const { deviceToken } = await server.linkDevice(person);
  const environment = { SVC_API_BASE_URL: server.url, SVC_DEVICE_TOKEN: deviceToken };
  const machine = await createMachine(server.url, environment);
  return { person, machine, environment, [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose]() };
}

function atTerminal({ home, folder }: Machine, words: string, environment: Readonly<Record<string, string>>) {
  const command = `stty cols 100 rows 40; exec '${process.execPath}' '${builtProgram()}' ${words}`;
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    cwd: folder,
    env: {
      PATH: [toolsPath, '/usr/bin', '/bin'].join(path.delimiter),
      HOME: home,
      TERM: 'xterm',
      SHELL: '/bin/sh',
      SVC_HOME: home,
      ...environment,
    },
  });
  let raw = '';
  let seenUpTo = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => (raw += text));
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return {
    ended,
    raw: () => raw,
    press: (keys: string) => child.stdin.write(keys),
    /** Waits until the text is on the screen, after the previous expected text. */
    shows: (text: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          const screen = stripVTControlCharacters(raw);
          const at = screen.indexOf(text, seenUpTo);
          if (at === -1) return;
          seenUpTo = at + text.length;
          resolve();
        };
        child.stdout.on('data', look);
        child.once('close', () => reject(new Error(`It ended without "${text}":\n${raw}`)));
        look();
      }),
  };
}

describe.skipIf(!canBeTried)('at a terminal', () => {
  test('init prompts for the workspace and the name, and uses the choice', async () => {
    await using at = await linked();
    const { person, machine, environment } = at;
    const { workspaceId } = bodyOf(await person.api.createWorkspace({ body: { name: 'Acme' } }));
    const session = atTerminal(machine, 'init', environment);
    await session.shows('Which workspace');
    await session.shows('A new team workspace');
    session.press(DOWN);
    session.press(ENTER);
    await session.shows('What is the project called?');
    session.press(`shop${ENTER}`);
    await session.shows('in Acme');
    expect(await session.ended).toBe(0);
    const { projects } = bodyOf(await person.api.listProjects());
    expect(projects).toMatchObject([{ name: 'shop', workspaceId }]);
    expect(session.raw()).toContain('\u001B[32m✓\u001B[39m');
  });

  test('init creates a workspace when that is picked', async () => {
    await using at = await linked();
    const { machine, environment } = at;
    const session = atTerminal(machine, 'init --name shop', environment);
    await session.shows('A new team workspace');
    session.press(DOWN);
    session.press(ENTER);
    await session.shows('Name of the new workspace?');
    session.press(`Fresh${ENTER}`);
    await session.shows('in Fresh');
    expect(await session.ended).toBe(0);
  });

  test('Ctrl+C at a prompt ends with 130 and changes nothing', async () => {
    await using at = await linked();
    const { person, machine, environment } = at;
    const session = atTerminal(machine, 'init', environment);
    await session.shows('A new team workspace');
    session.press(CTRL_C);
    expect(await session.ended).toBe(130);
    await expect(readFile(path.join(machine.folder, '.svc.json'))).rejects.toThrow('ENOENT');
    expect(bodyOf(await person.api.listProjects()).projects).toEqual([]);
  });

  test('login shows that it waits, and Ctrl+C ends it with 130', async () => {
    await using machine = await createMachine();
    const session = atTerminal(machine, 'login --no-browser', {
      SVC_API_BASE_URL: server.url,
      SVC_KEYSTORE: 'file',
    });
    await session.shows('/link/');
    await session.shows('Waiting for approval');
    session.press(CTRL_C);
    expect(await session.ended).toBe(130);
    await session.shows('nothing was linked');
  });

  test('with CI set there are no prompts', async () => {
    await using at = await linked();
    const { person, machine, environment } = at;
    await person.api.createWorkspace({ body: { name: 'Acme' } });
    const session = atTerminal(machine, 'init', { ...environment, CI: 'true' });
    expect(await session.ended).toBe(3);
  });

  test('[T27] a scan with the binding of another remote asks once, and remembers a yes', async () => {
    await using at = await linked();
    const { person, machine, environment } = at;
    initRepository(machine.folder);
    git(machine.folder, 'remote', 'add', 'origin', 'https://git.example.com/acme/shop.git');
    expect((await machine.svc(['init'])).code).toBe(0);
    git(machine.folder, 'remote', 'set-url', 'origin', 'https://git.example.com/acme/moved.git');
    const asked = atTerminal(machine, 'scan --only secrets', environment);
    await asked.shows('another remote');
    await asked.shows('Is it the same project?');
    asked.press('y');
    await asked.shows('now names the remote');
    expect(await asked.ended).toBe(0);
    expect((await machine.svc(['scan', '--only', 'secrets'])).stderr).not.toContain('another remote');
    const { reports } = bodyOf(await person.api.listReports({}));
    expect(reports).toHaveLength(2);
  });

  test('with --json, the output is one value at a terminal too', async () => {
    await using at = await linked();
    const { person, machine, environment } = at;
    const session = atTerminal(machine, 'whoami --json', environment);
    expect(await session.ended).toBe(0);
    expect(jsonOf(session.raw())).toMatchObject({ email: person.email });
  });
});
