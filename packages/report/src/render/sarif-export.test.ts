import { severities, type ReportProjection } from '@svc/contract';
import type { Log, Result, Run } from 'sarif';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { AT, findingOf, reportOf } from '../../test/samples.ts';
import type { CanonicalReport } from '../model/canonical.ts';
import { wholeProjection } from '../projection/projection.ts';
import { importSarif } from '../sarif/import.ts';
import { renderSarif, type SarifContext } from './sarif.ts';

const reportId = `rep_${'0'.repeat(26)}`;
type Changes = Parameters<typeof findingOf>[0];

function projectionOf(changes: Partial<CanonicalReport> = {}): ReportProjection {
  return wholeProjection(reportOf(changes), { reportId, projectedFor: { principalType: 'user' } });
}

function runOf(projection: ReportProjection, context?: SarifContext): Run {
  const { runs } = JSON.parse(renderSarif(projection, context)) as Log;
  return runs[0]!;
}

function resultsOf(findings: readonly Changes[], context?: SarifContext): Result[] {
  const numbered = findings.map((changes, index) => findingOf({ id: `F-${index + 1}`, ...changes }));
  return runOf(projectionOf({ findings: numbered }), context).results!;
}

function resultOf(changes: Changes, context?: SarifContext): Result {
  return resultsOf([changes], context)[0]!;
}

const locationOf = ({ locations }: Result) => locations![0]!.physicalLocation!;

describe('[D11] rules', () => {
  const findings = severities.map((severity, index) =>
    findingOf({
      id: `F-${index + 1}`,
      severity,
      category: 'sql_injection',
      taxonomy: ['CWE-89', 'OWASP A03:2021'],
    }),
  );
  const run = runOf(projectionOf({ findings: [...findings, findingOf({ id: 'F-9', severity: 'low' })] }));
  const rules = run.tool.driver.rules!;

  test('exist for each category and severity, most severe first', () => {
    expect(rules.map(({ id }) => id)).toEqual([
      'sql_injection.critical',
      'sql_injection.high',
      'sql_injection.medium',
      'broken_access_control.low',
      'sql_injection.low',
      'sql_injection.info',
    ]);
    expect(run.results!.map(({ ruleId, ruleIndex }) => rules[ruleIndex!]!.id === ruleId)).toEqual(
      run.results!.map(() => true),
    );
  });

  test('have a name, descriptions and help', () => {
    expect(rules[0]).toMatchObject({
      name: 'SqlInjectionCritical',
      shortDescription: { text: 'SQL injection (critical)' },
      helpUri: 'https://cwe.mitre.org/data/definitions/89.html',
    });
    for (const { fullDescription, help } of rules) {
      expect(fullDescription!.text).toMatch(/\.$/);
      expect(help!.text).toContain('the fix');
      expect(help!.markdown).toMatch(/^# /);
    }
  });

  test('have the level and, except for info, the score of their severity', () => {
    expect(rules.map(({ properties }) => properties!['security-severity'] as unknown)).toEqual([
      '9.5',
      '8.0',
      '5.5',
      '2.5',
      '2.5',
      undefined,
    ]);
    expect(rules.map(({ defaultConfiguration }) => defaultConfiguration!.level)).toEqual([
      'error',
      'error',
      'warning',
      'note',
      'note',
      'note',
    ]);
  });

  test('are tagged with security and the weaknesses of their findings', () => {
    expect(rules[0]!.properties!.tags).toEqual(['security', 'external/cwe/cwe-89']);
    expect(rules[3]!.properties!.tags).toEqual(['security']);
  });

  test('have at most as many tags as GitHub accepts, the most frequent ones', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      findingOf({ id: `F-${index + 1}`, taxonomy: [`CWE-${index + 1}`, 'CWE-639'] }),
    );
    const [rule] = runOf(projectionOf({ findings: many })).tool.driver.rules!;
    expect(rule!.properties!.tags).toHaveLength(20);
    expect(rule!.properties!.tags!.slice(0, 3)).toEqual([
      'security',
      'external/cwe/cwe-639',
      'external/cwe/cwe-1',
    ]);
  });

  test('have plain ids, even if a policy replaced parts of a category', () => {
    const projection = projectionOf({ findings: [] });
    const base = { ...findingOf(), severity: 'low' as const };
    const categories = ['[redacted]', '', 'a/b', 'c [redacted]'];
    const findingsOf = categories.map((category, index) => ({ ...base, id: `F-${index + 1}`, category }));
    const ids = runOf({ ...projection, findings: findingsOf }).results!.map(({ ruleId }) => ruleId);
    expect(ids).toEqual(['redacted.low', 'finding.low', 'a_b.low', 'c_redacted.low']);
  });
});

describe('[D11] results', () => {
  test('have the level of their severity', () => {
    const results = resultsOf(severities.map((severity) => ({ severity })));
    expect(results.map(({ level }) => level)).toEqual(['error', 'error', 'warning', 'note', 'note']);
  });

  test('[D25] have a message of two sentences, and the whole finding in Markdown', () => {
    const { message } = resultOf({ reproduction: 'Count up.', references: ['https://example.com/a'] });
    expect(message.text).toMatch(/^Order lookup trusts the id it is given\. Any signed-in customer[^.]*\.$/);
    for (const part of [
      '**Impact**\n\nNames',
      '**Remediation**\n\nLoad',
      '**Verification plan**\n\nAsk',
      '**Reproduction**\n\nCount',
      'example.com/a',
    ])
      expect(message.markdown).toContain(part);
  });

  test.each([
    ['Same as the title', 'Same as the title.', 'Same as the title.'],
    ['Title', 'One. Two. Three.', 'Title. One.'],
    ['Title!', 'First line\nsecond', 'Title! First line.'],
    ['Title', '', 'Title.'],
    ['Title', 'a'.repeat(400), `Title. ${'a'.repeat(300)}…`],
  ])('[D25] with the title %j have their first sentences as the message', (title, summary, text) => {
    expect(resultOf({ title, summary, evidence: [] }).message.text).toBe(text);
  });

  test('have a file of the repository and both ends of a region', () => {
    expect(locationOf(resultOf({}))).toEqual({
      artifactLocation: { uri: 'src/orders/read.ts', uriBaseId: 'SRCROOT' },
      region: { startLine: 40, endLine: 52 },
    });
    expect(locationOf(resultOf({ affected: { component: 'x', file: 'a.ts' } })).region).toEqual({
      startLine: 1,
      endLine: 1,
    });
  });

  test('have the columns of the evidence at their line', () => {
    const region = (location: string, snippet?: string) =>
      locationOf(
        resultOf({
          evidence: [{ kind: 'source', description: 'It is here.', location, ...(snippet && { snippet }) }],
        }),
      ).region;
    const file = 'src/orders/read.ts';
    const columns = { startLine: 40, startColumn: 5, endLine: 52, endColumn: 9 };
    expect(region(`${file}:40:5-52:9`)).toEqual(columns);
    expect(region(`${file}:40:5-52:9`, 'get()')).toEqual({ ...columns, snippet: { text: 'get()' } });
    expect(region(`${file}:40:5`)).toEqual({ startLine: 40, startColumn: 5, endLine: 52 });
    expect(region(`${file}:41:5-41:9`)).toEqual({ startLine: 40, endLine: 52 });
    expect(region(`src/other.ts:40:5-40:9`)).toEqual({ startLine: 40, endLine: 52 });
  });

  test.each([
    [
      { component: 'api', route: '/orders', origin: 'https://example.com' },
      ['api', '/orders', 'https://example.com'],
    ],
    [{ component: 'api', file: '/etc/passwd', lineStart: 3 }, ['api', '/etc/passwd']],
    [{ component: 'api', file: '../x.ts' }, ['api', '../x.ts']],
    [{ component: '/a', route: '/a' }, ['/a']],
  ])('without a repository file have the repository root and logical locations: %j', (affected, named) => {
    const result = resultOf({ affected });
    expect(locationOf(result)).toMatchObject({
      artifactLocation: { uri: '.', uriBaseId: 'SRCROOT' },
      region: { startLine: 1, endLine: 1 },
    });
    expect(
      result.locations![0]!.logicalLocations!.map(({ fullyQualifiedName }) => fullyQualifiedName),
    ).toEqual(named);
  });

  test('link to evidence in files, and quote the rest', () => {
    const { message, relatedLocations, locations } = resultOf({
      evidence: [
        {
          kind: 'source',
          description: 'The own lines.',
          location: 'src/orders/read.ts:40',
          snippet: 'get(id)',
        },
        {
          kind: 'source',
          description: 'Another file.',
          location: 'src/b.ts:7',
          snippet: 'b()',
          redacted: true,
        },
        { kind: 'runtime', description: 'An answer.', location: 'GET /orders/2', snippet: '200 OK' },
      ],
      corroboration: [{ kind: 'configuration', description: 'A setting.', location: 'config.yml' }],
    });
    expect(locations![0]!.physicalLocation!.region!.snippet).toEqual({ text: 'get(id)' });
    expect(relatedLocations).toEqual([
      {
        id: 1,
        physicalLocation: {
          artifactLocation: { uri: 'src/b.ts', uriBaseId: 'SRCROOT' },
          region: { startLine: 7, endLine: 7, snippet: { text: 'b()' } },
        },
        message: { text: 'Another file.' },
        properties: { kind: 'source', redacted: true },
      },
      {
        id: 2,
        physicalLocation: { artifactLocation: { uri: 'config.yml', uriBaseId: 'SRCROOT' } },
        message: { text: 'A setting.' },
        properties: { kind: 'configuration' },
      },
    ]);
    expect(message.text).toMatch(/ \(see \[src\/b\.ts:7\]\(1\), \[config\.yml\]\(2\)\)\.$/);
    expect(message.markdown).toContain(
      [
        '**Evidence**',
        'The own lines.',
        '[src/b.ts:7](1)',
        'Another file.',
        '`GET /orders/2`',
        'An answer.',
        '```\n200 OK\n```',
        '[config.yml](2)',
        'A setting.',
      ].join('\n\n'),
    );
  });

  test('contain no link from a text of the report', () => {
    const { message } = resultOf({
      title: 'See [here](https://example.com)',
      summary: 'An [open bracket, twenty.',
      impact: '[open from the beginning.',
      remediation: '[1] is no link.',
    });
    expect(message.text).toContain(String.raw`See \[here\](https://example.com).`);
    expect(message.text).toContain(String.raw`An \[open bracket`);
    const { markdown } = message;
    expect(markdown).toContain('**See \\[`here](https://example.com`)**');
    expect(markdown).toContain(String.raw`\[open from`);
  });

  test('are ranked by severity, then by verification', () => {
    const results = resultsOf([
      ...severities.map((severity) => ({ severity, verification: 'verified' as const })),
      { severity: 'critical', verification: 'needs_review' },
    ]);
    const ranks = results.map(({ rank }) => rank!);
    expect(ranks.slice(0, 5)).toEqual([99, 84, 59, 29, 9]);
    expect(ranks[5]).toBe(95);
  });

  test('have the time at which they were first seen', () => {
    expect(resultOf({ firstSeenAt: '2026-01-02T03:04:05Z' }).provenance).toEqual({
      firstDetectionTimeUtc: '2026-01-02T03:04:05.000Z',
    });
  });

  test('without a time of first detection have the time of the report, except in a narrowed view', () => {
    const generatedAt = '2026-03-04T05:06:07Z';
    const whole = projectionOf({ generatedAt });
    const provenanceIn = (projection: ReportProjection) => runOf(projection).results?.[0]?.provenance;
    expect(provenanceIn(whole)).toEqual({ firstDetectionTimeUtc: '2026-03-04T05:06:07.000Z' });
    expect(provenanceIn({ ...whole, redactionNotice: 'Parts are left out.' })).toBeUndefined();
  });

  test('are suppressed if they are set aside, and otherwise have an empty list of suppressions', () => {
    const results = resultsOf([
      { status: 'accepted_risk' },
      { status: 'false_positive' },
      { status: 'open' },
    ]);
    expect(results.map(({ suppressions }) => suppressions)).toEqual([
      [{ kind: 'external', status: 'accepted', justification: 'The risk was accepted.' }],
      [{ kind: 'external', status: 'accepted', justification: 'This is a false positive.' }],
      [],
    ]);
  });

  test('have the fingerprint of the projection', () => {
    const fingerprint = 'ab'.repeat(32);
    expect(resultOf({ fingerprint }).partialFingerprints).toEqual({ 'svcFingerprint/v1': fingerprint });
  });

  test('without a fingerprint have a digest of category, location and title, but not of lines', () => {
    const [one, moved, other] = resultsOf([
      {},
      { affected: { component: 'orders api', file: './src/orders/read.ts', lineStart: 99 }, severity: 'low' },
      { title: 'Another finding' },
    ]).map(({ partialFingerprints }) => partialFingerprints);
    expect(one!['svcContent/v1']).toMatch(/^[0-9a-f]{64}$/);
    expect(moved).toEqual(one);
    expect(other).not.toEqual(one);
  });

  test('have properties for what SARIF has no field for', () => {
    const { properties } = resultOf({ tags: ['a', 'a'], taxonomy: ['CWE-639'], fixedAt: AT });
    expect(properties).toMatchObject({
      id: 'F-1',
      severity: 'high',
      verification: 'verified',
      status: 'open',
      tags: ['a'],
      taxonomy: ['CWE-639'],
      fixedAt: AT,
    });
  });
});

describe('[D11] for owners and members', () => {
  const reportUrl = 'https://svc.example/reports/rep_1';

  test('results have the URL of the finding', () => {
    expect(resultOf({}, { reportUrl }).hostedViewerUri).toBe(`${reportUrl}?finding=F-1`);
    expect(resultOf({})).not.toHaveProperty('hostedViewerUri');
    expect(renderSarif(projectionOf())).not.toContain('svc.example');
  });

  test('either all results have a baseline state or none', () => {
    const findings = [{}, {}, {}];
    const baseline = { newFindingIds: new Set(['F-2']) };
    expect(resultsOf(findings, { baseline }).map(({ baselineState }) => baselineState)).toEqual([
      'unchanged',
      'new',
      'unchanged',
    ]);
    expect(resultsOf(findings).filter((result) => 'baselineState' in result)).toEqual([]);
  });
});

describe('[D11] a run', () => {
  test('has the tool, the scanners, the times and the revision', () => {
    const report = reportOf();
    const { tool, invocations, versionControlProvenance, automationDetails, originalUriBaseIds } = runOf(
      projectionOf({
        project: { name: 'shop', repositoryUrl: 'https://user:token@example.com/shop.git' },
        scan: {
          ...report.scan,
          commit: 'abcdef0',
          branch: 'main',
          tools: [
            { name: 'Semgrep', version: '1.2', findings: 3 },
            { name: 'Semgrep', version: '1.2', findings: 3 },
          ],
        },
      }),
    );
    expect(tool.driver).toMatchObject({ name: 'svc', semanticVersion: '0.1.0' });
    expect(tool.extensions).toEqual([{ name: 'Semgrep', version: '1.2', properties: { findings: 3 } }]);
    expect(invocations).toEqual([{ executionSuccessful: true, startTimeUtc: AT, endTimeUtc: AT }]);
    expect(versionControlProvenance).toEqual([
      {
        repositoryUri: 'https://example.com/shop.git',
        revisionId: 'abcdef0',
        branch: 'main',
        mappedTo: { uriBaseId: 'SRCROOT' },
      },
    ]);
    expect(automationDetails).toEqual({ id: `svc/${reportId}` });
    expect(Object.keys(originalUriBaseIds!)).toEqual(['SRCROOT']);
  });

  test('has the rest of the projection in its properties', () => {
    const { findings: _, ...rest } = projectionOf();
    expect(runOf(projectionOf()).properties).toEqual(JSON.parse(JSON.stringify(rest)));
  });

  test('has a note if findings are not included, but not if there are none', () => {
    const { findings: _, ...withheld } = projectionOf();
    const notifications = (projection: ReportProjection) =>
      runOf(projection).invocations!.flatMap(
        ({ toolExecutionNotifications }) => toolExecutionNotifications ?? [],
      );
    expect(notifications(projectionOf({ findings: [] }))).toEqual([]);
    expect(notifications(withheld)).toEqual([
      { level: 'note', message: { text: 'This export does not include the findings.' } },
    ]);
    expect(runOf(withheld).results).toEqual([]);
  });

  test('[D26] reports an error for each tool with an incomplete scan, and an import restores the areas', () => {
    const coverageAreas: ReportProjection['coverageAreas'] = [
      { id: 'secrets', name: 'Secrets', status: 'not_covered' },
      { id: 'tool:a', name: 'a', status: 'covered' },
      { id: 'tool:b', name: 'b', status: 'not_covered', note: 'b failed: [see](https://example.com).' },
      { id: 'tool:c', name: 'c', status: 'partial' },
    ];
    const run = runOf(projectionOf({ coverageAreas }));
    expect(run.invocations).toMatchObject([
      {
        executionSuccessful: true,
        toolExecutionNotifications: [
          { level: 'error', message: { text: String.raw`b failed: \[see\](https://example.com).` } },
          { level: 'error', message: { text: 'c did not finish.' } },
        ],
      },
    ]);
    expect(run.invocations![0]!.toolExecutionNotifications!.map(({ properties }) => properties)).toEqual([
      { coverageArea: 'tool:b' },
      { coverageArea: 'tool:c' },
    ]);
    const [imported] = importSarif(renderSarif(projectionOf({ coverageAreas }))).toolRuns;
    expect(imported).toMatchObject({ tool: 'svc', own: { areas: coverageAreas } });
    expect(imported).not.toHaveProperty('failure');
  });

  test('is valid for a projection with only the required keys', () => {
    const { id, schemaVersion, projectedFor } = projectionOf();
    expect(runOf({ id, schemaVersion, projectedFor }).results).toEqual([]);
  });

  test('has the same bytes for the same projection', () => {
    const projection = projectionOf();
    expect(renderSarif(structuredClone(projection))).toBe(renderSarif(projection));
    expect(renderSarif(projection)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });
});

describe('[D11] the profile for GitHub', () => {
  const profile = 'github' as const;

  test('leaves out exactly the suppressed results', () => {
    const statuses = ['accepted_risk', 'open', 'false_positive', 'fix_applied', 'fixed_verified'] as const;
    const results = resultsOf(
      statuses.map((status) => ({ status })),
      { profile },
    );
    expect(results.map(({ properties }) => properties!['status'] as unknown)).toEqual([
      'open',
      'fix_applied',
      'fixed_verified',
    ]);
    expect(results.filter((result) => 'suppressions' in result)).toEqual([]);
  });

  test('has the most severe results up to the limit of GitHub, and says how many it leaves out', () => {
    const findings = Array.from({ length: 5003 }, (_, index) =>
      findingOf({ id: `F-${index + 1}`, severity: index < 3 ? 'low' : 'high', verification: 'needs_review' }),
    );
    const { results, invocations, tool } = runOf(projectionOf({ findings }), { profile });
    expect(results).toHaveLength(5000);
    expect(new Set(results!.map(({ level }) => level))).toEqual(new Set(['error']));
    expect(tool.driver.rules).toHaveLength(1);
    expect(invocations![0]!.toolExecutionNotifications).toEqual([
      {
        level: 'note',
        message: {
          text: 'The 3 least severe of 5003 findings are left out: they exceed the limits of GitHub code scanning.',
        },
      },
    ]);
    expect(runOf(projectionOf({ findings })).results).toHaveLength(5003);
  });

  test('stays below ten megabytes after compression, for any text', () => {
    let state = 1;
    const noise = Array.from({ length: 8000 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return String.fromCharCode(33 + (state % 94));
    }).join('');
    const findings = Array.from({ length: 1600 }, (_, index) =>
      findingOf({
        id: `F-${index + 1}`,
        severity: index === 1599 ? 'critical' : 'low',
        summary: `${noise.slice(index)}${noise.slice(0, index)}`,
      }),
    );
    const text = renderSarif(projectionOf({ findings }), { profile });
    const [{ results, invocations } = {} as Run] = (JSON.parse(text) as Log).runs;
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(12_000_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(11_900_000);
    expect(gzipSync(text).length).toBeLessThan(10_000_000);
    expect(results![0]!.properties!['severity']).toBe('critical');
    expect(invocations![0]!.toolExecutionNotifications![0]!.message.text).toContain(
      `${1600 - results!.length} least severe of 1600 findings`,
    );
  });

  test('has at most as many related locations of a result as GitHub keeps', () => {
    const corroboration = Array.from({ length: 256 }, (_, index) => ({
      kind: 'source' as const,
      description: 'Seen here too.',
      location: `src/${index}.ts:1`,
    }));
    expect(resultOf({ corroboration }, { profile }).relatedLocations).toHaveLength(100);
    expect(resultOf({ corroboration }).relatedLocations).toHaveLength(256);
  });

  test('has a fingerprint of each result under the name that GitHub reads', () => {
    const fingerprint = 'ab'.repeat(32);
    const results = resultsOf([{ fingerprint }, { fingerprint }], { profile });
    expect(results.map(({ partialFingerprints }) => partialFingerprints)).toEqual([
      { 'svcFingerprint/v1': fingerprint, primaryLocationLineHash: `${fingerprint}:1` },
      { 'svcFingerprint/v1': fingerprint, primaryLocationLineHash: `${fingerprint}:2` },
    ]);
  });
});
