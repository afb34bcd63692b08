/** Commands print each text in a service's responses as one line of printable characters with a limited length. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startServer, type TestServer } from '@svc/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { initRepository, writeFiles } from './repository.ts';
import { createMachine, type Machine } from './svc.ts';

let server: TestServer;
let proxy: Server | undefined;
beforeAll(async () => {
  server = await startServer();
});
afterEach(() => {
  proxy?.closeAllConnections();
  proxy?.close();
});
afterAll(() => server.close());

const LINE_LENGTH_MAX = 20_000;
const hostile =
  '\u001B[2J\u001B]8;;http://evil.example\u0007link\u001B]8;;\u0007\u009B31m\u0007\r\nSECOND-LINE\rSECOND-LINE\u2028SECOND-LINE' +
  `\u202E\u2066\u200B\uFEFF${'x'.repeat(100_000)}`;

/** Fields that the program interprets, so that it fails early when they are changed. */
const structural = /^(?:.*Id|state|bindingPublicId|code|blockedBy|sha256|deviceToken|method|.*At)$/;

/** The service, with hostile text appended to the strings of its responses that a test chooses. */
async function tampered(isChosen: (key: string) => boolean): Promise<string> {
  const spoiled = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return isChosen(key) ? value + hostile : value;
    if (Array.isArray(value)) return value.map((item) => spoiled(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spoiled(inner, name)]));
  };
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const answer = await fetch(`${server.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      ...(request.method !== 'GET' && request.method !== 'HEAD' && { body: await bodyOf(request) }),
    });
    const text = await answer.text();
    const body = text.startsWith('{') ? JSON.stringify(spoiled(JSON.parse(text), '')) : text;
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    response.end(body);
  };
  proxy = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => proxy?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const passed = Object.entries(headers).filter(
    ([name]) => !['host', 'connection', 'content-length'].includes(name),
  );
  return Object.fromEntries(passed.map(([name, value]) => [name, String(value)]));
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return new Uint8Array(Buffer.concat(chunks));
}

async function machineAt(url: string): Promise<Machine> {
  const owner = await server.signUp();
  const { deviceToken } = await server.linkDevice(owner);
  const machine = await createMachine(url, { SVC_DEVICE_TOKEN: deviceToken });
  writeFiles(machine.folder, { 'src/index.js': 'export const one = 1;\n' });
  initRepository(machine.folder);
  return machine;
}

// oxlint-disable-next-line no-control-regex
const steering = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069\u200B\uFEFF]/;

function expectPrintable(printed: string): void {
  expect(printed).not.toMatch(steering);
  const lines = printed.split('\n');
  expect(lines.filter((line) => line.trimStart().startsWith('SECOND-LINE'))).toEqual([]);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(LINE_LENGTH_MAX);
}

async function everyCommand(machine: Machine): Promise<void> {
  const commands = [
    ['whoami'],
    ['quota'],
    ['init', '--workspace', 'nobody'],
    ['init'],
    ['scan', '--only', 'secrets'],
    ['scan', 'start'],
    ['scan', 'finish'],
    ['sync'],
    ['report', 'list'],
    ['report', 'show'],
    ['open', '--no-browser'],
    ['update', 'check'],
  ];
  for (const words of commands) {
    const { stderr, stdout } = await machine.svc(words);
    expectPrintable(`${stdout}${stderr}`);
  }
  const login = machine.begin(['login', '--no-browser'], { SVC_DEVICE_TOKEN: '' });
  await Promise.race([login.sees(/Approve only/), login.ended]).catch(() => undefined);
  login.interrupt();
  const { stderr } = await login.ended;
  expectPrintable(stderr);
}

test('[T26] names, messages and addresses are printed as one printable line', async () => {
  await using machine = await machineAt(await tampered((key) => !structural.test(key)));
  await everyCommand(machine);
  expect(machine.printed()).toContain('SECOND-LINE');
});

test('[T26] strings that the program interprets are printed as one printable line too', async () => {
  await using machine = await machineAt(await tampered(() => true));
  await everyCommand(machine);
  expect(machine.printed()).toContain('SECOND-LINE');
});
