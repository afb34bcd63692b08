import { ReportProjection, sectionIds, severities, type SharePolicy } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { describe, expect, test } from 'vitest';
import { AT, findingOf, reportOf } from '../../test/samples.ts';
import { everything, projected, viewer } from '../../test/sharing.ts';
import { liveProjection, REDACTION_NOTICE, wholeProjection } from './projection.ts';
import { isAllAllowing, narrows } from './share-policy.ts';

const projectedFor = { principalType: 'user' } as const;
const reportId = `rep_${'0'.repeat(26)}`;

const evidence = {
  kind: 'runtime',
  description: 'The answer has the order.',
  snippet: 'GET /orders/2',
  location: 'src/a.ts:4',
  redacted: true,
} as const;
const whole = findingOf({
  affected: {
    component: 'api',
    file: 'src/a.ts',
    lineStart: 4,
    lineEnd: 9,
    route: '/o',
    origin: 'https://a.test',
  },
  evidence: [evidence],
  corroboration: [evidence],
  reproduction: 'Ask for it.',
  taxonomy: ['CWE-639'],
  references: ['https://example.test/1'],
  tags: ['orders'],
  fingerprint: 'ab'.repeat(32),
  secretReferences: [{ label: 'key', kind: 'aws', fingerprint: 'local-1', location: 'src/a.ts:7' }],
  fixedAt: AT,
  firstSeenAt: AT,
  fixHistory: [{ at: AT, action: 'applied', verified: false, changedFiles: ['src/a.ts'], note: 'Done.' }],
});
const full = reportOf({
  project: {
    name: 'shop',
    repositoryUrl: 'https://a.test/shop',
    defaultBranch: 'main',
    languages: ['ts'],
    fileCount: 3,
  },
  scan: {
    ...reportOf().scan,
    commit: 'abcdef0',
    branch: 'main',
    agent: { name: 'agent', version: '1', model: 'm' },
    tools: [{ name: 'scanner', version: '2', findings: 4 }],
  },
  authorization: { basis: 'contract', scope: ['all of it'], grantedBy: 'Grace', expiresAt: AT },
  findings: [whole],
  summary: {
    ...reportOf({ findings: [whole] }).summary,
    candidateCount: 9,
    duplicateCount: 8,
    fixedCount: 7,
  },
  coverageAreas: [{ id: 'auth', name: 'Authentication', status: 'partial', note: 'No admin.' }],
  redactionNotice: 'said by the client',
});

test('the whole projection equals the report without localReportId and redactionNotice', () => {
  const { localReportId, redactionNotice, ...rest } = full;
  expect(redactionNotice).toBe('said by the client');
  const projection = wholeProjection(full, { reportId, projectedFor });
  expect(projection).toEqual({ ...rest, id: reportId, projectedFor });
  expect(JSON.stringify(projection)).not.toContain(localReportId);
  expect(issuesOf(validatorOf(ReportProjection), projection)).toEqual([]);
});

test('the projection of a share has no unknown field, and the whole projection none at its top level', () => {
  const added = { added: 'canary' };
  const affected = { ...whole.affected, ...added };
  const findings = [{ ...whole, ...added, affected, evidence: [{ ...evidence, ...added }] }];
  const report = { ...full, ...added, findings, scan: { ...full.scan, ...added } };
  expect(
    JSON.stringify(wholeProjection({ ...reportOf(), ...added }, { reportId, projectedFor })),
  ).not.toContain('canary');
  expect(JSON.stringify(projected(report, everything))).not.toContain('canary');
});

test('[D9] a policy that allows everything shows the whole report, with pseudonyms for fingerprints', () => {
  const expected = structuredClone(wholeProjection(full, viewer));
  expected.findings![0]!.fingerprint = `abab${'0'.repeat(60)}`;
  expected.findings![0]!.secretReferences![0]!.fingerprint = `loca${'0'.repeat(60)}`;
  const projection = projected(full, everything);
  expect(projection).toStrictEqual(expected);
  expect(Object.keys(projection)).toEqual(Object.keys(expected));
  expect(Object.keys(projection.findings![0]!)).toEqual(
    Object.keys(ReportProjection.properties.findings.items.properties).filter(
      (name) => name in projection.findings![0]!,
    ),
  );
});

describe('sections', () => {
  const keysOf = {
    metadata: ['generatedAt', 'methodologyVersion', 'project', 'scan'],
    authorization: ['authorization'],
    summary: ['summary'],
    findings: ['findings'],
    coverage: ['coverage', 'coverageAreas'],
    limitations: ['limitations'],
  };
  const always = ['id', 'projectedFor', 'redactionNotice', 'schemaVersion'];

  test.each(sectionIds)(
    '[D9] %s is shown alone if only it is listed, and hidden alone if only it is denied',
    (id) => {
      const only: SharePolicy = { ...everything, sections: { ids: [id, 'unknown'] } };
      expect(Object.keys(projected(full, only)).toSorted()).toEqual([...always, ...keysOf[id]].toSorted());
      const but: SharePolicy = { ...everything, sections: { mode: 'deny_listed', ids: [id, 'unknown'] } };
      const rest = sectionIds.filter((other) => other !== id).flatMap((other) => keysOf[other]);
      expect(Object.keys(projected(full, but)).toSorted()).toEqual([...always, ...rest].toSorted());
    },
  );

  test('[D9] a policy with only a version allows nothing', () => {
    expect(projected(full, { version: 1 })).toStrictEqual({
      id: reportId,
      schemaVersion: '1.0.0',
      projectedFor: viewer.projectedFor,
      redactionNotice: REDACTION_NOTICE,
    });
  });

  test('[D9] a selection without a mode is an allow-list, which is empty without ids', () => {
    expect(projected(full, { ...everything, sections: { mode: 'allow_listed' } }).findings).toBeUndefined();
    expect(projected(full, { ...everything, findings: {} }).findings).toEqual([]);
    expect(projected(full, { ...everything, findings: { ids: ['F-1'] } }).findings).toHaveLength(1);
  });
});

describe('findings', () => {
  const report = reportOf({
    findings: severities.map((severity, index) =>
      findingOf({ id: `F-${index + 1}`, severity, title: severity }),
    ),
  });
  const titles = (findings: SharePolicy['findings']) =>
    projected(report, { ...everything, findings: findings! }).findings?.map(({ title }) => title);

  test('[D9] findings are selected by their own ids, and unknown ids have no effect', () => {
    expect(titles({ mode: 'allow_all', ids: ['F-1'] })).toEqual([...severities]);
    expect(titles({ mode: 'allow_listed', ids: ['F-4', 'F-2', 'F-9'] })).toEqual(['high', 'low']);
    expect(titles({ mode: 'deny_listed', ids: ['F-4', 'F-9'] })).toEqual([
      'critical',
      'high',
      'medium',
      'info',
    ]);
  });

  test('[D9] findings above the maximum severity are left out', () => {
    expect(titles({ mode: 'allow_all', maxSeverity: 'medium' })).toEqual(['medium', 'low', 'info']);
    expect(titles({ ids: ['F-1', 'F-4'], maxSeverity: 'low' })).toEqual(['low']);
    expect(titles({ mode: 'allow_all', maxSeverity: 'critical' })).toEqual([...severities]);
  });

  test('[D9] the summary counts the allowed findings, even if they are not listed', () => {
    const findings: SharePolicy['findings'] = { mode: 'deny_listed', ids: ['F-1'] };
    const { summary } = projected(report, { ...everything, findings });
    expect(summary).toStrictEqual({
      findingCount: 4,
      severityCounts: { critical: 0, high: 1, medium: 1, low: 1, info: 1 },
      verificationCounts: { verified: 4, strong_evidence: 0, needs_review: 0 },
    });
    const sections: SharePolicy['sections'] = { ids: ['summary'] };
    expect(projected(report, { ...everything, findings, sections }).summary).toStrictEqual(summary);
  });

  test('[D9] other counts are shown only under a policy that cannot leave findings out', () => {
    const counts = { candidateCount: 9, duplicateCount: 8, fixedCount: 7 };
    expect(projected(full, everything).summary).toMatchObject(counts);
    expect(projected(full, everything).scan?.tools).toEqual([{ name: 'scanner', version: '2', findings: 4 }]);
    const narrowed = projected(full, { ...everything, findings: { mode: 'deny_listed' } });
    for (const name of Object.keys(counts)) expect(narrowed.summary).not.toHaveProperty(name);
    expect(narrowed.scan?.tools).toStrictEqual([{ name: 'scanner', version: '2' }]);
  });
});

describe('fields', () => {
  const shown = (fields: SharePolicy['fields']) =>
    projected(full, { ...everything, fields: { ...everything.fields, ...fields } }).findings![0]!;
  const all = shown({});

  test('[D9] a policy without evidence shows no evidence and no corroboration', () => {
    const { corroboration: _, ...rest } = all;
    expect(shown({ evidence: false })).toStrictEqual({ ...rest, evidence: [] });
  });

  test('[D9] a policy without code shows no code and no location in code', () => {
    const { snippet: _, location: __, ...withoutCode } = evidence;
    expect(shown({ code: false })).toStrictEqual({
      ...all,
      affected: { component: 'api', route: '/o', origin: 'https://a.test' },
      evidence: [withoutCode],
      corroboration: [withoutCode],
      secretReferences: [{ label: 'key', kind: 'aws', fingerprint: `loca${'0'.repeat(60)}` }],
      fixHistory: [{ at: AT, action: 'applied', verified: false, note: 'Done.' }],
    });
  });

  test('[D9] a policy without reproduction shows no reproduction', () => {
    const { reproduction: _, ...rest } = all;
    expect(shown({ reproduction: false })).toStrictEqual(rest);
  });

  test('[D9] a policy without remediation shows an empty remediation and verification plan', () => {
    expect(shown({ remediation: false })).toStrictEqual({ ...all, remediation: '', verificationPlan: '' });
  });

  test('[D9] a policy without metadata shows no history, classification or fingerprints', () => {
    const hidden = new Set([
      'taxonomy',
      'tags',
      'references',
      'fingerprint',
      'secretReferences',
      'fixHistory',
      'firstSeenAt',
      'fixedAt',
    ]);
    const kept = Object.entries(all).filter(([name]) => !hidden.has(name));
    expect(shown({ metadata: false })).toStrictEqual(Object.fromEntries(kept));
  });

  test('[D9] a field that the policy does not mention is not allowed', () => {
    const none = { evidence: false, code: false, reproduction: false, remediation: false, metadata: false };
    const { fields: _, ...without } = everything;
    expect(projected(full, without)).toStrictEqual(projected(full, { ...everything, fields: none }));
    expect(projected(full, { ...everything, fields: {} })).toStrictEqual(projected(full, without));
  });
});

describe('the redaction notice', () => {
  test.each<[string, SharePolicy]>([
    ['a section', { ...everything, sections: { mode: 'deny_listed', ids: ['coverage'] } }],
    ['findings by their ids', { ...everything, findings: { mode: 'deny_listed', ids: [] } }],
    [
      'findings by their severity',
      { ...everything, findings: { mode: 'allow_all', maxSeverity: 'critical' } },
    ],
    ['a field', { ...everything, fields: { ...everything.fields, code: false } }],
    ['names of the project', { ...everything, anonymize: true }],
  ])('[D9] is shown if the policy could leave out %s, and is the same for any report', (_, policy) => {
    expect(projected(reportOf({ findings: [] }), policy).redactionNotice).toBe(REDACTION_NOTICE);
    expect(projected(full, policy).redactionNotice).toBe(REDACTION_NOTICE);
    expect(isAllAllowing(policy)).toBe(false);
  });

  test('[D9] is absent if the policy allows everything, in any form', () => {
    for (const sections of [
      { ids: [...sectionIds] },
      { mode: 'deny_listed' },
      { mode: 'allow_all' },
    ] as const) {
      const policy = { ...everything, sections, anonymize: false } as SharePolicy;
      expect(projected(full, policy)).not.toHaveProperty('redactionNotice');
      expect(isAllAllowing(policy)).toBe(true);
    }
  });

  test('[D9] whether a policy narrows depends on its selection, not on the report', () => {
    expect(narrows(everything)).toBe(false);
    expect(narrows({ ...everything, findings: { mode: 'allow_all', ids: ['F-1'] } })).toBe(false);
    expect(narrows({ version: 1 })).toBe(true);
    expect(narrows({ ...everything, findings: { mode: 'deny_listed' } })).toBe(true);
  });
});

test('[D9] a report without a body has only required keys, and no label under a policy with anonymize', () => {
  const required = { id: reportId, schemaVersion: '1.0.0' };
  expect(liveProjection(viewer, null)).toStrictEqual({ ...required, projectedFor: viewer.projectedFor });
  expect(liveProjection(viewer, everything)).toStrictEqual(liveProjection(viewer, null));
  expect(liveProjection(viewer, { version: 1, anonymize: true })).toStrictEqual({
    ...required,
    projectedFor: { principalType: 'email' },
  });
});

describe('[D26] tags of imports', () => {
  const tags = ['tool:Semgrep', 'rule:no-eval', 'area:src', 'identity:code:0123', 'weak-identity', 'other'];
  const shownUnder = (changes: Partial<SharePolicy>, given: string[] = tags) =>
    projected(reportOf({ findings: [findingOf({ tags: given })] }), { ...everything, ...changes })
      .findings?.[0];

  test('are shown with the tools of the scan, but never a hash of the identity', () => {
    expect(shownUnder({})?.tags).toEqual(tags.filter((tag) => tag !== 'identity:code:0123'));
  });

  test('are left out with the tools of the scan and in an anonymized share', () => {
    expect(shownUnder({ anonymize: true })?.tags).toEqual(['other']);
    const sections = { mode: 'deny_listed' as const, ids: ['metadata'] };
    expect(shownUnder({ sections })?.tags).toEqual(['other']);
    expect(shownUnder({ sections }, ['tool:Semgrep'])).not.toHaveProperty('tags');
  });
});

test('locations that an import has written into texts are hidden with the code', () => {
  const summary =
    'Depends on a value (at app/(group)/a.ts:7:3-7:9), and (at last) on another (at src/b.ts:1).';
  const report = reportOf({ findings: [findingOf({ summary })] });
  const under = (code: boolean) =>
    projected(report, { ...everything, fields: { ...everything.fields, code } }).findings?.[0]?.summary;
  expect(under(true)).toBe(summary);
  expect(under(false)).toBe('Depends on a value, and (at last) on another.');
});
