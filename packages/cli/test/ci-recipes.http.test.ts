/** docs/CI.md: its recipes are run as they stand, with the built program, and do what the document says of them. */
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort, startServer, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { installFake } from './fake-scanners.ts';
import { recipeIn, runOnGitHub, runOnGitLab, type Outcome, type Place, type Run } from './pipeline.ts';
import { git, repositoryWith, temporaryFolder } from './repository.ts';
import { sarifOf, type SampleResult } from './sarif-results.ts';
import { createMachine, builtProgram } from './svc.ts';
import { syncingMachine } from './syncing.ts';

const document = readFileSync(path.join(import.meta.dirname, '../../../docs/CI.md'), 'utf8');

let server: TestServer;
let digest: string;
beforeAll(async () => {
  digest = createHash('sha256').update(readFileSync(builtProgram())).digest('hex');
  server = await startServer();
});
afterAll(() => server.close());

const known: SampleResult = { file: 'src/known.js', level: 'error' };
const added: SampleResult = { file: 'src/added.js', level: 'error' };
const minor: SampleResult = { file: 'src/minor.js', level: 'warning' };

/** Files of a repository that is bound to nothing. */
const files = { 'src/index.js': 'export const one = 1;\n', '.gitignore': 'node_modules\n' };

function placeWith(repository: string): Place {
  git(repository, 'add', '.');
  git(repository, 'commit', '--quiet', '--message', 'shop');
  return { repository, folder: temporaryFolder() };
}

/** A pipeline starts ten of them, each of which takes a second while all cores are busy. */
const manyProcesses = { timeout: 180_000 };

type Wish = Partial<Omit<Run, 'tools'>>;

describe.each([
  { title: 'GitHub Actions', runRecipe: runOnGitHub, gate: 'Stop at what is new' },
  { title: 'GitLab CI', runRecipe: runOnGitLab, gate: 'svc' },
])('the recipe for $title', manyProcesses, ({ title, runRecipe, gate }) => {
  const recipe = recipeIn(document, title);
  let place: Place;
  beforeEach(() => {
    place = placeWith(repositoryWith(files));
  });

  function run(results: readonly SampleResult[], wish: Wish = {}, at: Place = place): Promise<Outcome> {
    const tools = temporaryFolder();
    installFake(tools, 'semgrep', { result: sarifOf(results, 'Semgrep') });
    // Of the hosted runners; here the scanner is there already.
    writeFileSync(path.join(tools, 'pipx'), '#!/bin/sh\n');
    chmodSync(path.join(tools, 'pipx'), 0o755);
    const { isRequest = false, variables = {}, ...more } = wish;
    const fetched = { CLI_URL: pathToFileURL(builtProgram()).href, CLI_SHA256: digest };
    return runRecipe(recipe, at, { isRequest, tools, variables: { ...fetched, ...variables }, ...more });
  }

  test('passes at the first run, which has no baseline, and keeps the report', async () => {
    const first = await run([known]);
    expect(first).toMatchObject({ failed: undefined });
    expect(first.output).toContain('no baseline yet');
    expect(first.kept['report.html']).toContain('src/known.js');
    const sarif = first.uploaded['svc.sarif'] ?? first.kept['svc.sarif'] ?? '';
    expect(JSON.parse(sarif)).toMatchObject({ version: '2.1.0', runs: [{ results: [{}] }] });
  });

  test('passes what the baseline has, stops at what is new, and takes only what passed on the default branch as the next one', async () => {
    const failure = { step: gate, code: exitCodes.gateFailed };
    expect((await run([known])).failed).toBeUndefined();
    expect((await run([known, minor], { isRequest: true })).failed).toBeUndefined();
    const stopped = await run([known, added], { isRequest: true });
    expect(stopped.failed).toEqual(failure);
    expect(stopped.output).toContain('1 new finding is of severity high or worse');
    expect(stopped.output).toMatch(/high .*src\/added\.js/);
    expect(stopped.kept['report.html']).toContain('src/added.js');
    expect(stopped.uploaded['svc.sarif'] ?? stopped.kept['svc.sarif']).toContain('src/added.js');
    expect((await run([known, added])).failed).toEqual(failure);
    expect((await run([known, added], { isRequest: true })).failed).toEqual(failure);
  });

  test('[fork] works without secrets, and keeps the report in the pipeline', async () => {
    const ended = await run([known], {
      isRequest: true,
      isFromFork: true,
      variables: { SVC_API_BASE_URL: server.url, SVC_DEVICE_TOKEN: '' },
    });
    expect(ended.failed).toBeUndefined();
    expect(ended.output).toContain('svc login');
    expect(ended.kept['report.html']).toContain('src/known.js');
    expect(ended.uploaded).toEqual({});
  });

  test('syncs the report where there is a credential, and never prints it', async () => {
    await using syncing = await syncingMachine(server);
    const { machine, device, gate: service } = syncing;
    const variables = { SVC_API_BASE_URL: service.url, SVC_DEVICE_TOKEN: device.deviceToken };
    const ended = await run([known], { variables }, placeWith(machine.folder));
    expect(ended.failed).toBeUndefined();
    expect(await syncing.reports()).toMatchObject([{ state: 'finalized' }]);
    expect(ended.output).toContain('/reports/rep_');
    expect(ended.output).not.toContain(device.deviceToken.slice(8));
  });

  test('is not stopped by a service that is away', async () => {
    await using syncing = await syncingMachine(server);
    const { machine, device } = syncing;
    const away = `http://127.0.0.1:${await freePort()}`;
    const variables = { SVC_API_BASE_URL: away, SVC_DEVICE_TOKEN: device.deviceToken };
    const ended = await run([known], { variables }, placeWith(machine.folder));
    expect(ended.failed).toBeUndefined();
    expect(ended.output).toContain('the report is not synced');
    expect(ended.kept['report.html']).toContain('src/known.js');
  });

  test('keeps the report in the pipeline when the service refuses the credential, and says so', async () => {
    await using syncing = await syncingMachine(server);
    const { machine, gate: service } = syncing;
    const variables = { SVC_API_BASE_URL: service.url, SVC_DEVICE_TOKEN: `svc_dev_${'A'.repeat(46)}` };
    const ended = await run([known], { variables }, placeWith(machine.folder));
    expect(ended.failed).toBeUndefined();
    expect(ended.output).toContain('The scan stays on this machine. To sync: SVC_DEVICE_TOKEN');
  });

  test('refuses a program with another digest', async () => {
    const ended = await run([known], { variables: { CLI_SHA256: '0'.repeat(64) } });
    expect(ended.failed?.code).toBe(1);
    expect(ended.output).toContain('FAILED');
    expect(ended.kept).not.toHaveProperty('report.html');
  });

  test('stops when the scanner has left nothing to read', async () => {
    const tools = temporaryFolder();
    writeFileSync(path.join(tools, 'semgrep'), '#!/bin/sh\ntest "$7" = --output && : > "$8"\n', {
      mode: 0o755,
    });
    writeFileSync(path.join(tools, 'pipx'), '#!/bin/sh\n', { mode: 0o755 });
    const variables = { CLI_URL: pathToFileURL(builtProgram()).href, CLI_SHA256: digest };
    const ended = await runRecipe(recipe, place, { isRequest: false, tools, variables });
    expect(ended.failed?.code).toBe(exitCodes.rejected);
  });
});

test('the gate without a baseline stops at what is there, as the document says', async () => {
  const command = /^```sh\n(svc scan .*--fail-on .*)\n```$/m.exec(document)?.[1] ?? '';
  await using machine = await createMachine();
  writeFileSync(path.join(machine.folder, 'semgrep.sarif'), sarifOf([known]));
  const ended = await machine.svc(command.split(' ').slice(1));
  expect(ended.code).toBe(exitCodes.gateFailed);
});

test('the table has each exit code that a pipeline can meet', () => {
  const rows = [...document.matchAll(/^\| (\d) +\|/gm)].map(([, code]) => Number(code));
  const { failed, interrupted, ...others } = exitCodes;
  expect([failed, interrupted]).toEqual([1, 130]);
  expect(rows).toEqual(Object.values(others));
});
