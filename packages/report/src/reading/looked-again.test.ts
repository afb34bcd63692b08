import { describe, expect, test } from 'vitest';
import { lookedAgain, toolOfFinding, whyUnknown, type LaterScan } from './looked-again.ts';

type Status = LaterScan['coverageAreas'][number]['status'];

const later = (
  tools: readonly string[],
  areas: Readonly<Record<string, Status>> = {},
  agent: string | undefined = 'svc',
): LaterScan => ({
  tools: tools.map((name) => ({ name })),
  agent,
  coverageAreas: Object.entries(areas).map(([id, status]) => ({ id, status })),
});

describe('[D26] whether a report scanned again for a finding', () => {
  test.each<[string, LaterScan, readonly string[], boolean]>([
    ['whose tool ran', later(['bandit'], { 'tool:bandit': 'covered' }), ['tool:bandit'], true],
    [
      'whose tool is spelled differently',
      later(['Bandit'], { 'tool:Bandit': 'covered' }),
      ['tool:bandit'],
      true,
    ],
    ['whose tool ran, without an area', later(['bandit']), ['tool:bandit'], true],
    ['whose tool is not named', later(['semgrep']), ['tool:bandit'], false],
    ['whose tool failed', later(['bandit'], { 'tool:bandit': 'not_covered' }), ['tool:bandit'], false],
    ['whose tool was partial', later(['bandit'], { 'tool:bandit': 'partial' }), ['tool:bandit'], false],
    [
      'whose failed tool is spelled differently',
      later(['Bandit'], { 'tool:BANDIT': 'partial' }),
      ['tool:bandit'],
      false,
    ],
    [
      'while another tool failed',
      later(['bandit'], { 'tool:semgrep': 'not_covered' }),
      ['tool:bandit'],
      true,
    ],
    [
      'while a subject was not covered',
      later(['bandit'], { dependencies: 'not_covered' }),
      ['tool:bandit'],
      true,
    ],
    [
      'whose own area was not covered',
      later(['bandit'], { login: 'not_covered' }),
      ['tool:bandit', 'area:login'],
      false,
    ],
    [
      'whose own area was covered',
      later(['bandit'], { login: 'covered' }),
      ['tool:bandit', 'area:login'],
      true,
    ],
    ['whose own area is missing', later(['bandit']), ['tool:bandit', 'area:login'], true],
    [
      'one of whose areas was partial',
      later(['bandit'], { login: 'covered', billing: 'partial' }),
      ['area:login', 'tool:bandit', 'area:billing'],
      false,
    ],
    ['of the agent', later([]), [], true],
    ['of the agent that is spelled differently', later([], {}, 'SVC'), [], true],
    ['of another agent', later(['semgrep'], {}, 'reviewer'), [], false],
    ['of an agent that the report lists as a tool', later(['svc'], {}, 'reviewer'), [], true],
    ['of a tool that the report lists as its agent', later([], {}, 'bandit'), ['tool:bandit'], true],
    ['of the agent that was partial', later([], { 'tool:svc': 'partial' }), [], false],
    ['of a tool, in a report without tools and agent', later([], {}, undefined), ['tool:bandit'], false],
    ['with an empty tag', later([]), ['tool:'], true],
  ])('%s', (_name, report, tags, expected) => {
    const agent = undefined === report.agent ? 'bandit' : 'svc';
    expect(lookedAgain(report, { tags }, agent)).toBe(expected);
  });

  test('the area of a tool is found even if the name of the tool is longer than an area id can be', () => {
    const name = `x${'é'.repeat(118)}`;
    const id = `tool:${name}`.slice(0, 120);
    expect(lookedAgain(later([name], { [id]: 'partial' }), { tags: [`tool:${name}`] }, 'svc')).toBe(false);
  });

  test('the tool of a finding is that of its tag, otherwise the agent', () => {
    expect(toolOfFinding({ tags: ['rule:x', 'tool:Semgrep OSS'] }, 'svc')).toBe('Semgrep OSS');
    expect(toolOfFinding({}, 'svc')).toBe('svc');
  });
});

test.each<[string, LaterScan, readonly string[], string | undefined]>([
  ['that is fixed', later(['bandit']), ['tool:bandit'], undefined],
  [
    'with a weak identity',
    later(['bandit']),
    ['tool:bandit', 'weak-identity'],
    'identified only by its message',
  ],
  ['of a tool that did not run', later([]), ['tool:bandit'], 'bandit did not run'],
  [
    'of a tool that failed',
    later(['bandit'], { 'tool:bandit': 'partial' }),
    ['tool:bandit'],
    'bandit did not scan everything',
  ],
  [
    'of an area that was left out',
    later(['bandit'], { login: 'not_covered' }),
    ['tool:bandit', 'area:login'],
    'login was only partly scanned',
  ],
])('a missing finding %s has the right reason', (_what, report, tags, reason) => {
  expect(whyUnknown(report, { tags }, 'svc')).toBe(reason);
});
