/** An agent's scan, command by command: start, add, finish, show, validate; and what is rejected. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { secretSamples } from '@svc/report/secret-samples';
import { beforeEach, describe, expect, test } from 'vitest';
import { submission } from '../../test/local-reports.ts';
import { createMachine, type CommandResult, type Machine } from '../../test/svc.ts';

let machine: Machine;
let repository: string;
beforeEach(async () => {
  machine = await createMachine();
  repository = path.join(machine.folder, 'shop');
  mkdirSync(repository);
  return () => machine[Symbol.asyncDispose]();
});

const svc = (words: readonly string[], input: string | Uint8Array = '') =>
  machine.svcWith(input, words, repository);
const json = ({ stdout }: CommandResult) => JSON.parse(stdout);
const RESULT_FIELDS = [
  'accepted',
  'findingId',
  'action',
  'deduplicatedInto',
  'fingerprint',
  'warnings',
  'errors',
  'redactions',
];

describe('a scan step by step', () => {
  test('ends in a report that the service would accept', async () => {
    const words =
      'scan start --json --agent-name bot --agent-version 1.2 --agent-model m --effort xhigh --basis contract --no-sync';
    const started = await svc([...words.split(' '), '--scope', 'the API', 'the pages']);
    expect(started.code).toBe(0);
    const { localReportId } = json(started);
    expect(json(started)).toMatchObject({ state: 'scanning', isSyncWanted: false, reportUrl: null });

    expect((await svc(['progress', 'phase_started', '--phase', 'inventory'])).code).toBe(0);
    writeFileSync(path.join(repository, 'finding.json'), JSON.stringify(submission('a')));
    expect(json(await svc(['finding', 'add', 'finding.json', '--json']))).toMatchObject({ findingId: 'F-1' });
    const again = await svc(['finding', 'add', '-', '--json'], JSON.stringify(submission('a')));
    expect(json(again)).toMatchObject({ action: 'merged_as_corroboration', deduplicatedInto: 'F-1' });
    expect(Object.keys(json(again))).toEqual(RESULT_FIELDS);

    const notes = JSON.stringify({ coverage: ['All handlers.'], limitations: ['Nothing was run.'] });
    const finished = await svc(['scan', 'finish', '--json', '--notes', '-'], notes);
    expect(json(finished)).toMatchObject({ localReportId, state: 'finished', summary: { findingCount: 1 } });
    expect((await svc(['report', 'validate'])).code).toBe(0);
    const report = json(await svc(['report', 'show', '--json']));
    expect(report).toMatchObject({
      localReportId,
      project: { name: 'shop' },
      scan: { effortResolved: 'xhigh', agent: { name: 'bot', version: '1.2', model: 'm' } },
      authorization: { basis: 'contract', scope: ['the API', 'the pages'] },
      coverage: ['All handlers.'],
    });
    expect(JSON.stringify(report)).not.toContain(machine.folder);
    const lines = (await svc(['report', 'show'])).stdout;
    expect(lines).toContain('1 finding: 1 verified');
    expect(lines).toContain('F-1  high');
    expect(lines).toContain('All handlers.');
    expect(json(await svc(['report', 'list', '--json'])).reports).toMatchObject([
      { localReportId, state: 'finished', findingCount: 1, isSyncWanted: false },
    ]);
  });

  test('uses the newest open scan of the repository, or the one that is named', async () => {
    const first = json(await svc(['scan', 'start', '--json'])).localReportId as string;
    const second = json(await svc(['scan', 'start', '--json'])).localReportId as string;
    await svc(['finding', 'add', '--report', first.slice(0, 12)], JSON.stringify(submission('a')));
    expect(json(await svc(['scan', 'abort', '--json']))).toEqual({ localReportId: second, state: 'aborted' });
    expect(json(await svc(['scan', 'finish', '--json']))).toMatchObject({
      localReportId: first,
      summary: { findingCount: 1 },
    });
    const none = await svc(['scan', 'finish', '--json']);
    expect(none.code).toBe(1);
    expect(json(none).error).toMatchObject({
      message: 'No scan is open in this repository.',
      hint: 'Start one: svc scan start',
    });
    const ended = await svc(['finding', 'add', '--report', first], JSON.stringify(submission('b')));
    expect(ended.stderr).toContain(`The report ${first} is finished, not scanning.`);
    expect((await svc(['finding', 'list', '--report', 'nothing-like-it'])).code).toBe(1);
  });

  test('lists, shows and changes findings', async () => {
    await svc(['scan', 'start']);
    const steering = '\u001B]0;taken over\u0007\u001B[2J\u202E';
    await svc(['finding', 'add'], JSON.stringify(submission('low', { severity: 'low' })));
    await svc(
      ['finding', 'add'],
      JSON.stringify(
        submission('bad', {
          severity: 'critical',
          title: `Takes ${steering}text`,
          summary: `${steering} and so on.`,
        }),
      ),
    );
    const listed = await svc(['finding', 'list']);
    expect(listed.stdout.split('\n')[0]).toMatch(/^F-2 {2}critical {2}open {2}Takes text/);
    const severe = json(await svc(['finding', 'list', '--severity', 'high', '--json'])).findings;
    expect(severe.map(({ id }: { id: string }) => id)).toEqual(['F-2']);
    const shown = await svc(['finding', 'show', 'f-2']);
    // oxlint-disable-next-line no-control-regex
    expect(listed.stdout + shown.stdout).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u202E]/);

    await svc(['scan', 'finish']);
    const rejected = await svc(['finding', 'status', 'F-1', 'fixed_verified', '--json']);
    expect(rejected.code).toBe(1);
    expect(json(rejected).error.hint).toBe(
      'From open it can become: fix_suggested, accepted_risk, false_positive.',
    );
    expect(json(await svc(['finding', 'status', 'F-1', 'accepted_risk', '--json']))).toMatchObject({
      from: 'open',
    });
    expect(json(await svc(['report', 'show', '--json'])).findings[0].status).toBe('accepted_risk');
    expect((await svc(['finding', 'status', 'F-1', 'gone'])).code).toBe(3);
    expect((await svc(['finding', 'show', 'F-9'])).code).toBe(1);
  });

  test('changes findings of the newest report that was not aborted', async () => {
    await svc(['scan', 'start']);
    await svc(['finding', 'add'], JSON.stringify(submission('low', { severity: 'low' })));
    const { localReportId } = json(await svc(['scan', 'finish', '--json']));
    await svc(['scan', 'start']);
    await svc(['scan', 'abort']);
    expect(json(await svc(['finding', 'status', 'F-1', 'accepted_risk', '--json']))).toMatchObject({
      localReportId,
      from: 'open',
    });
  });
});

describe('an invalid submission', () => {
  test('[interface: rejection] is rejected with exit code 2 and all eight fields, and nothing is stored', async () => {
    await svc(['scan', 'start']);
    const good = submission('a');
    const latin1 = Buffer.from(JSON.stringify({ ...good, title: 'Naïve search' }), 'latin1');
    const given: Record<string, string | Uint8Array> = {
      '/id: is not a known field': JSON.stringify({ ...good, id: 'F-1' }),
      '/evidence: ': JSON.stringify({ ...good, evidence: [] }),
      '/: must be object': JSON.stringify([good]),
      '/: is not JSON': '{"title": x',
      '/: is empty': '',
      '/: is in UTF-8 with a byte order mark; save it without one': `\uFEFF${JSON.stringify(good)}`,
      '/: is in UTF-16': Buffer.from(`\uFEFF${JSON.stringify(good)}`, 'utf16le'),
      '/: is in UTF-16 or UTF-32': Buffer.from(JSON.stringify(good), 'utf16le'),
      '/: is not in UTF-8': latin1,
      '/: is larger than 1024 KiB': JSON.stringify({ ...good, summary: 'x'.repeat(1024 * 1024) }),
    };
    const wrong: string[] = [];
    for (const [reason, input] of Object.entries(given)) {
      const outcome = await svc(['finding', 'add', '--json'], input);
      const { action, accepted, findingId, errors } = json(outcome);
      const isRight =
        outcome.code === 2 &&
        JSON.stringify(Object.keys(json(outcome))) === JSON.stringify(RESULT_FIELDS) &&
        [action, accepted, findingId].join() === 'rejected,false,' &&
        errors[0].startsWith(reason);
      if (!isRight) wrong.push(`${reason}: ${outcome.code} ${errors[0]}`);
    }
    expect(wrong).toEqual([]);
    expect(json(await svc(['finding', 'list', '--json'])).findings).toEqual([]);
    expect((await svc(['finding', 'add', 'no-such-file.json'])).code).toBe(1);
    expect((await svc(['finding', 'add'], JSON.stringify([good]))).stderr).toContain('/: must be object');
  });

  test('[interface: rejection] is rejected without repeating any secret', async () => {
    await svc(['scan', 'start', '--agent-name', `bot ${secretSamples[1]!.text}`]);
    const samples = secretSamples.filter((_, index) => index % 24 === 1);
    const said: string[] = [];
    for (const { text } of samples) {
      const good = submission('a', { summary: `The summary has a secret: ${text}` });
      for (const one of [good, { ...good, [text]: 1 }, `{"${text}`]) {
        const input = typeof one === 'string' ? one : JSON.stringify(one);
        const { stdout, stderr } = await svc(['finding', 'add'], input);
        said.push(stdout, stderr);
      }
    }
    await svc(['scan', 'finish']);
    said.push((await svc(['report', 'show', '--json'])).stdout);
    const stored = readFileSync(path.join(machine.home, 'data/reports.sqlite'));
    const found = samples.filter(({ secret }) => stored.includes(secret) || said.join('\n').includes(secret));
    expect(found.map(({ name }) => name)).toEqual([]);
    expect(json(await svc(['finding', 'list', '--json'])).findings).toHaveLength(1);
  });
});

describe('a report in a file', () => {
  test('is checked against the schema, for wrong counts and for secrets, and each fault is reported with its path', async () => {
    await svc(['scan', 'start']);
    await svc(['finding', 'add'], JSON.stringify(submission('a')));
    await svc(['scan', 'finish']);
    const report = json(await svc(['report', 'show', '--json']));
    const checked = async (changed: unknown) => {
      const outcome = await svc(['report', 'validate', '-', '--json'], JSON.stringify(changed));
      return { code: outcome.code, paths: json(outcome).issues.map(({ path: at }: { path: string }) => at) };
    };
    expect(await checked(report)).toEqual({ code: 0, paths: [] });
    expect(await checked({ ...report, extra: 1 })).toEqual({ code: 2, paths: ['/extra'] });
    const counts = { ...report, summary: { ...report.summary, findingCount: 7 } };
    expect(await checked(counts)).toEqual({ code: 2, paths: ['/summary/findingCount'] });
    const secret = { ...report, limitations: [secretSamples[1]!.text] };
    expect(await checked(secret)).toEqual({ code: 2, paths: ['/limitations/0'] });
    const human = await svc(['report', 'validate', '-'], '[]');
    expect(human.code).toBe(2);
    expect(human.stderr).toContain('/: must be object');
    const file = path.join(repository, 'report.json');
    writeFileSync(file, JSON.stringify(report));
    expect((await svc(['report', 'show', file])).stdout).toContain('1 finding');
    writeFileSync(file, JSON.stringify(counts));
    expect((await svc(['report', 'show', file])).code).toBe(2);
  });

  test('is checked in each form that a report can have, and the form is printed', async () => {
    await svc(['scan', 'start']);
    await svc(['finding', 'add'], JSON.stringify(submission('a')));
    await svc(['scan', 'finish']);
    const inForm = {
      canonical: json(await svc(['report', 'show', '--json'])),
      projection: json(await svc(['export', '--format', 'json', '-o', '-'])),
      sarif: json(await svc(['export', '--format', 'sarif', '-o', '-'])),
    };
    const checked = async (value: unknown) => {
      const ended = await svc(['report', 'validate', '-', '--json'], JSON.stringify(value));
      return { ...json(ended), code: ended.code };
    };
    for (const [form, value] of Object.entries(inForm)) {
      expect(await checked(value)).toMatchObject({ code: 0, valid: true, form, issues: [] });
    }
    const said = await svc(['report', 'validate', '-'], JSON.stringify(inForm.sarif));
    expect(said.stdout).toContain('Standard input is SARIF, and valid. It is from svc and has 1 finding');

    expect(await checked({ ...inForm.projection, extra: 1 })).toMatchObject({
      code: 2,
      form: 'projection',
      issues: [{ path: '/extra' }],
    });
    expect(await checked({ ...inForm.sarif, version: '2.0.0' })).toMatchObject({
      code: 2,
      form: 'sarif',
      issues: [{ message: expect.stringContaining('2.1.0') }],
    });
    expect(await checked({ name: 'shop', version: '1.0.0' })).toMatchObject({ code: 2, form: null });
    const page = await svc(['report', 'validate', '-'], '<!doctype html>');
    expect(page.stderr).toMatch(
      /not a report\.\n.*not JSON \(line 1, column 1.*\n.*svc export --format json/,
    );
    writeFileSync(path.join(repository, 'shown.json'), JSON.stringify(inForm.projection));
    const shown = await svc(['report', 'show', 'shown.json']);
    expect(shown.stderr).toContain('shown.json is a report exported as JSON, and not a canonical report');
  });

  test.each([
    ['{\n  "a": 1,\n}', 'line 3, column 1: a name in double quotes is expected'],
    ['{"a": 1\n "b": 2}', 'line 2, column 2: a comma is expected'],
    ['[1,\r\n 2', 'line 2, column 3: unexpected end of the text'],
    ['{"𝒳": x}', 'line 1, column 7: unexpected text'],
    ['{} // done', 'line 1, column 4: comments are not allowed'],
    ['["a\nb"]', 'line 1, column 2: an unterminated string'],
    [`${'['.repeat(200_000)}x`, 'not JSON'],
  ])('that is not JSON is rejected with the position: %#', async (text, place) => {
    for (const words of [
      ['report', 'validate', '-'],
      ['compare', '-'],
      ['export', '-'],
    ]) {
      const { code, stderr } = await svc(words, text);
      expect({ words, code, stderr }).toEqual({ words, code: 2, stderr: expect.stringContaining(place) });
    }
  });
});
