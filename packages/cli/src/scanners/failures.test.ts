import { once } from 'node:events';
import * as fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { secretSamples } from '@svc/report/secret-samples';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { callsIn, installFake, sarif, type Behaviour, type FakeName } from '../../test/fake-scanners.ts';
import { repositoryWith, temporaryFolder } from '../../test/repository.ts';
import { environmentWith, scan, toolsFolder } from '../../test/scan.ts';
import { inventory } from './inventory.ts';
import { knownScanners } from './known-scanners.ts';
import { runProgram } from '../programs/run-program.ts';
import { runScanner } from './run-scanner.ts';

const files = { 'src/app.py': 'import os\n', 'package-lock.json': '{}' };

async function failing(name: FakeName, behaviour: Behaviour) {
  const tools = toolsFolder({ [name]: behaviour });
  const { result, events } = await scan(repositoryWith(files), { tools, only: [name] });
  const end = events.find(({ type, tool }) => type === 'tool_completed' && tool === name);
  return { result, safeCode: end?.safeCode };
}

describe('a scanner that fails', () => {
  test.each<[string, FakeName, Behaviour, string, string]>([
    [
      'an exit code of failure',
      'semgrep',
      { exitCode: 7 },
      'tool_failed',
      'semgrep failed (exit code 7), so its findings are missing.',
    ],
    [
      'no network',
      'trivy',
      { exitCode: 1, complaint: 'FATAL init error: lookup ghcr.io: no such host' },
      'network_unavailable',
      'trivy failed (exit code 1), so its findings are missing.',
    ],
    [
      'no permission',
      'gitleaks',
      { exitCode: 1, complaint: 'open x: permission denied' },
      'permission_denied',
      'gitleaks failed (exit code 1), so its findings are missing.',
    ],
    [
      'nonsense',
      'osv-scanner',
      { result: 'panic: runtime error' },
      'tool_failed',
      'osv-scanner wrote output that is not SARIF, so its findings are missing.',
    ],
    [
      'JSON of another kind',
      'gitleaks',
      { result: '[]' },
      'tool_failed',
      'gitleaks wrote output that is not SARIF, so its findings are missing.',
    ],
    [
      'no result',
      'semgrep',
      { does: 'nothing' },
      'tool_failed',
      'semgrep wrote no result, so its findings are missing.',
    ],
    [
      'endless output',
      'osv-scanner',
      { does: 'flood' },
      'tool_failed',
      'osv-scanner wrote more than 64 MiB, so its findings are missing.',
    ],
    [
      'an endless file',
      'trivy',
      { does: 'flood_file' },
      'tool_failed',
      'trivy wrote more than 64 MiB, so its findings are missing.',
    ],
  ])('adds a limitation to the report: %s', async (_, name, behaviour, safeCode, sentence) => {
    const failed = await failing(name, behaviour);
    expect(failed.safeCode).toBe(safeCode);
    expect(failed.result.limitations).toEqual([sentence]);
    expect(failed.result.warnings.map((line) => line.startsWith(sentence))).toEqual([true]);
    expect(failed.result.tools).toEqual([]);
    expect(failed.result.coverageAreas.map(({ status }) => status)).not.toContain('covered');
  });

  test('does not keep the others from running', async () => {
    const tools = toolsFolder({ gitleaks: { exitCode: 7 }, bandit: {} });
    const { result } = await scan(repositoryWith(files), { tools, only: ['gitleaks', 'bandit'] });
    expect(result.tools.map(({ name }) => name)).toEqual(['bandit']);
    expect(result.coverageAreas.map(({ id, status }) => [id, status])).toEqual([
      ['secrets', 'not_covered'],
      ['static_analysis', 'partial'],
      ['dependencies', 'not_covered'],
      ['tool:gitleaks', 'not_covered'],
      ['tool:bandit', 'covered'],
    ]);
  });

  test('osv-scanner without packages has nothing to scan', async () => {
    const { result, safeCode } = await failing('osv-scanner', { does: 'nothing', exitCode: 128 });
    expect(safeCode).toBe('ok');
    expect(result.limitations).toEqual(['osv-scanner: it had nothing to scan.']);
    expect(result.tools).toEqual([{ name: 'osv-scanner', version: '1.2.3', findings: 0 }]);
    expect(result.incomplete).toEqual([]);
  });

  test('a result with exit code 1 counts if the tool uses that code for findings', async () => {
    const { result } = await failing('bandit', { exitCode: 1 });
    expect(result.findings).toHaveLength(1);
  });

  test('the error output of a scanner is shown as plain text without secrets, and is not in the report', async () => {
    const token = secretSamples.find(({ kind }) => kind === 'github-token')?.secret ?? '';
    const complaint = `first\n\u001B[31mfatal: \u202Egot ${token}\u0007\n\n`;
    const { result } = await failing('semgrep', { exitCode: 2, complaint });
    expect(result.warnings).toEqual([
      'semgrep failed (exit code 2), so its findings are missing. Its error output: fatal: got [redacted github-token]',
    ]);
    expect(JSON.stringify(result)).not.toContain(token);
    expect(JSON.stringify(result.limitations)).not.toContain('fatal');
  });

  test('a scanner that takes too long is killed', async () => {
    const root = repositoryWith(files);
    const tools = toolsFolder({ semgrep: { does: 'wait' } });
    const semgrep = knownScanners.find(({ name }) => name === 'semgrep');
    const { signal } = new AbortController();
    const environment = environmentWith(tools);
    const outcome = await runScanner(
      { ...semgrep!, timeLimitMs: 1 },
      {
        root,
        inventory: await inventory(root, { environment, signal }),
        environment,
        searchPath: { folders: [tools], trees: [] },
        privateFolder: temporaryFolder(),
        isTrusted: false,
        isOffline: false,
        signal,
        onStart: () => {},
      },
    );
    expect(outcome).toMatchObject({ status: 'failed', safeCode: 'timeout' });
  });

  test('a program that cannot be started has failed', async () => {
    const tools = toolsFolder();
    fs.writeFileSync(path.join(tools, 'gitleaks'), '#!/nowhere/interpreter\n', { mode: 0o755 });
    const { result } = await scan(repositoryWith(files), { tools, only: ['gitleaks'] });
    expect(result.limitations).toEqual(['gitleaks could not be started, so its findings are missing.']);
  });
});

describe('interruption', () => {
  /** Counts open connections. The kernel closes a connection when its process ends. */
  async function attendance() {
    const sockets: net.Socket[] = [];
    const server = net.createServer((socket) => sockets.push(socket.on('error', () => {})));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return {
      port: (server.address() as net.AddressInfo).port,
      both: async () => {
        while (sockets.length < 2) await once(server, 'connection');
      },
      write: (word: string) => {
        for (const socket of sockets) socket.write(word);
      },
      gone: () =>
        Promise.all(
          sockets.map(async (socket) => {
            socket.resume();
            if (!socket.closed) await once(socket, 'close');
          }),
        ),
    };
  }

  test('ends the scanner and its child processes, although both ignore SIGTERM, and leaves no files behind', async () => {
    const { port, both, gone } = await attendance();
    const temporary = temporaryFolder();
    const tools = toolsFolder({ semgrep: { does: 'hang', port } });
    const root = repositoryWith(files);
    vi.stubEnv('TMPDIR', temporary);
    const controller = new AbortController();
    const scanning = scan(root, { tools, signal: controller.signal });
    const rejected = scanning.then(
      () => undefined,
      (error: unknown) => error,
    );
    await both();
    vi.unstubAllEnvs();
    expect(fs.readdirSync(temporary)).toHaveLength(1);
    controller.abort();
    expect(await rejected).toMatchObject({ reason: 'interrupted' });
    await gone();
    expect(fs.readdirSync(temporary)).toEqual([]);
  });

  test('before the start runs nothing', async () => {
    const tools = toolsFolder({ semgrep: {} });
    const scanning = scan(repositoryWith(files), { tools, signal: AbortSignal.abort() });
    await expect(scanning).rejects.toMatchObject({ reason: 'interrupted' });
    expect(callsIn(tools)).toEqual([]);
  });

  test('what a scanner leaves running when it ends is killed too', async () => {
    const { port, both, gone, write } = await attendance();
    const folder = temporaryFolder();
    const orphan = `require('node:net').connect(${port}, '127.0.0.1'); setInterval(() => {}, 1000)`;
    const leader = `const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', ${JSON.stringify(orphan)}], { stdio: 'inherit' });
      require('node:net').connect(${port}, '127.0.0.1', function () { this.once('data', () => process.exit(3)); });`;
    const running = runProgram({
      file: process.execPath,
      arguments: ['-e', leader],
      folder,
      environment: {},
      timeLimitMs: 60_000,
      outputBytesMax: 1000,
      signal: new AbortController().signal,
    });
    await both();
    write('end');
    expect(await running).toMatchObject({ ended: 'exited', code: 3 });
    await gone();
  });
});

test('a scanner’s result is its file, whatever it prints', async () => {
  const tools = temporaryFolder();
  installFake(tools, 'gitleaks', { result: sarif('gitleaks'), complaint: sarif('other') });
  const { result } = await scan(repositoryWith(files), { tools, only: ['gitleaks'] });
  expect(result.findings.map(({ summary }) => summary)).toEqual(['gitleaks found this.']);
});

test('a scan by scanners that are not installed is an error, not a scan without findings', async () => {
  const root = repositoryWith({ 'src/app.py': 'print(1)\n' });
  const asked = scan(root, { only: ['semgrep', 'gitleaks'] });
  await expect(asked).rejects.toThrow('Not installed: gitleaks, semgrep. Nothing was scanned.');
  const { result } = await scan(root, { only: ['secrets', 'semgrep'] });
  expect(result.limitations.join(' ')).toContain('semgrep');
});
