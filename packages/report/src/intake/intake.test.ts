import { Finding, limits, severities, verifications } from '@svc/contract';
import { validatorOf } from '@svc/contract/validation';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AT, findingOf, submissionOf, textOfLength } from '../../test/samples.ts';
import { adjustedSeverity, normalizedCategory } from './adjustments.ts';
import { noFindings, type FindingSet } from './deduplication.ts';
import { submitFinding, type SecretScan } from './intake.ts';

const SECRET = 'SECRET_12345';

/** Finds one secret, and does not redact it in texts that begin with `kept`. */
const secrets: SecretScan = {
  redactText: (text) => ({
    text: text.startsWith('kept ') ? text : text.replaceAll(SECRET, '[redacted]'),
    count: text.startsWith('kept ') ? 0 : text.split(SECRET).length - 1,
  }),
  redactPointer: (path) => secrets.redactText(path).text,
  secretPaths: (value) => pathsOf(value, ''),
};

function pathsOf(value: unknown, path: string): string[] {
  if (typeof value === 'string') return /SECRET_12345/i.test(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name.includes(SECRET) ? [path || '/'] : []),
    ...pathsOf(inner, `${path}/${name}`),
  ]);
}

const submit = (submission: unknown, set: FindingSet = noFindings, repositoryRoot = '/home/me/shop') =>
  submitFinding(set, submission, { at: AT, secrets, repositoryRoot });

const resultFields = [
  'accepted',
  'action',
  'deduplicatedInto',
  'errors',
  'findingId',
  'fingerprint',
  'redactions',
  'warnings',
];

/** The locations in the issues; empty for an accepted submission. */
function rejectedAt(submission: unknown): string[] {
  const { set, result } = submit(submission);
  const isClean = set === noFindings && result.findingId === null && result.fingerprint === null;
  if (!result.accepted && !(isClean && result.action === 'rejected'))
    throw new Error('rejected, and yet stored');
  return result.errors.map((error) => error.split(': ')[0] ?? '');
}

describe('a submission', () => {
  test('[Submission result] gets a result with all eight fields, whatever its value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.constant(submissionOf())), (submission) => {
        expect(Object.keys(submit(submission).result).toSorted()).toEqual(resultFields);
      }),
    );
  });

  test('[Finding submission] that is complete becomes a valid finding', () => {
    const { set, result } = submit(submissionOf());
    expect(result).toEqual({
      accepted: true,
      findingId: 'F-1',
      action: 'created',
      deduplicatedInto: null,
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      warnings: [],
      errors: [],
      redactions: 0,
    });
    expect(set.findings).toEqual([
      findingOf({ fingerprint: result.fingerprint!, firstSeenAt: AT, status: 'open' }),
    ]);
    expect(validatorOf(Finding).Check(set.findings[0])).toBe(true);
  });

  test('[Finding submission 1] with an unknown field is rejected, including an id and inherited properties', () => {
    for (const name of ['id', 'fingerprint', 'status', 'note', '', 'constructor'])
      expect(rejectedAt({ ...submissionOf(), [name]: 'F-1' })).toContain(`/${name}`);
    expect(rejectedAt(JSON.parse(JSON.stringify(submissionOf()).replace('{', '{"__proto__":{},')))).toContain(
      '/__proto__',
    );
  });

  test('[Finding submission 1] without a required field or without evidence is rejected', () => {
    for (const name of [
      'title',
      'category',
      'severity',
      'verification',
      'summary',
      'impact',
      'affected',
      'evidence',
      'remediation',
      'verificationPlan',
    ]) {
      const { [name as 'title']: _left, ...rest } = submissionOf();
      expect(rejectedAt(rest)).toContain(`/${name}`);
    }
    expect(rejectedAt(submissionOf({ evidence: [] }))).toContain('/evidence');
    expect(rejectedAt(submissionOf({ affected: {} as never }))).toContain('/affected/component');
  });

  test.each([undefined, null, [], 'text', 17, [submissionOf()]])(
    '[Finding submission 1] is rejected if it is %j',
    (value) => {
      expect(submit(value).result.action).toBe('rejected');
    },
  );

  const { finding: bounds } = limits;
  const texts = [
    ['title', bounds.titleLengthMin, bounds.titleLengthMax],
    ['summary', bounds.proseLengthMin, bounds.summaryLengthMax],
    ['impact', bounds.proseLengthMin, bounds.summaryLengthMax],
    ['remediation', bounds.proseLengthMin, bounds.remediationLengthMax],
    ['verificationPlan', bounds.verificationPlanLengthMin, bounds.summaryLengthMax],
    ['reproduction', 0, bounds.reproductionLengthMax],
    ['affected/component', 1, bounds.componentLengthMax],
    ['affected/route', 0, bounds.locationLengthMax],
    ['affected/origin', 0, bounds.locationLengthMax],
    ['evidence/0/description', bounds.evidenceDescriptionLengthMin, bounds.evidenceDescriptionLengthMax],
    ['evidence/0/snippet', 0, bounds.snippetLengthMax],
    ['evidence/0/location', 0, bounds.locationLengthMax],
    ['taxonomy/0', 0, bounds.taxonomyLengthMax],
    ['references/0', 0, bounds.referenceLengthMax],
    ['tags/0', 0, bounds.tagLengthMax],
  ] as const;

  /** A submission with one of its texts replaced. */
  function withText(path: string, value: string): unknown {
    const copy: Record<string, unknown> = structuredClone({
      ...submissionOf(),
      taxonomy: ['CWE-639'],
      references: [''],
      tags: [''],
    });
    const steps = path.split('/');
    const last = steps.pop()!;
    let holder = copy;
    for (const step of steps) holder = holder[step] as Record<string, unknown>;
    holder[last] = value;
    return copy;
  }

  test.each(texts)('[Finding submission] has %s of %d to %d code points', (path, min, max) => {
    const lengths = fc.constantFrom(min - 1, min, max, max + 1).filter((length) => length >= 0);
    const letter = fc.constantFrom('a', '\u{1d54f}', 'e\u0301'.normalize('NFC'), '\u0301');
    fc.assert(
      fc.property(lengths, letter, (length, sign) => {
        const value = sign.repeat(length);
        expect(submit(withText(path, value)).result.accepted).toBe(length >= min && length <= max);
      }),
      { numRuns: 16 },
    );
  });

  test.each([
    ['taxonomy', 16],
    ['references', 32],
    ['tags', 32],
    ['evidence', 64],
  ] as const)('[Finding submission] limits the number of %s to %d', (field, max) => {
    const item = field === 'evidence' ? submissionOf().evidence[0]! : 'x';
    const list = (length: number) => ({ [field]: Array.from({ length }, () => item) });
    expect(submit(submissionOf(list(max))).result.accepted).toBe(true);
    expect(rejectedAt(submissionOf(list(max + 1)))).toContain(`/${field}`);
  });

  test('[Finding submission 1] is rejected with all of its issues, each reported once', () => {
    const { errors } = submit({
      ...submissionOf({ title: 'x', severity: 'grave' as never }),
      id: 'F-1',
    }).result;
    expect(errors).toEqual([
      '/id: is not a known field',
      '/title: must be text of 4 to 240 characters',
      '/severity: must be one of critical, high, medium, low, info',
    ]);
    const evidence = Array.from({ length: 64 }, () => ({ kind: 'guess' as never, description: 'short' }));
    expect(submit(submissionOf({ evidence })).result.errors).toHaveLength(128);
  });

  test('[Finding submission] nested too deeply is rejected', () => {
    let deep: unknown = 'x';
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(rejectedAt({ ...submissionOf(), deep })).toContain('/deep');
  });
});

describe('a category', () => {
  test.each([
    ['Missing Security-Header', 'missing_security_header'],
    ['MissingSecurityHeader', 'missing_security_header'],
    ['SQLInjection', 'sql_injection'],
    ['  sql__injection_ ', 'sql_injection'],
    ['GraphQL / introspection', 'graphql_introspection'],
    ['Défaut d’accès', 'defaut_d_acces'],
    ['xss', 'xss'],
  ])('[Finding submission] %j becomes %s', (given, normalized) => {
    expect(submit(submissionOf({ category: given })).set.findings[0]?.category).toBe(normalized);
  });

  test('[Finding submission] does not change when it is normalized again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (category) => {
        const once = normalizedCategory(category);
        expect(normalizedCategory(once)).toBe(once);
        expect(once).toMatch(/^(?:[a-z0-9]+(?:_[a-z0-9]+)*)?$/);
      }),
    );
  });

  test('[Finding submission] is validated after normalization', () => {
    for (const category of ['', '!', 'x', '___', 'x'.repeat(121), '界界'])
      expect(rejectedAt(submissionOf({ category }))).toContain('/category');
    expect(submit(submissionOf({ category: `${'x'.repeat(120)}   ` })).result.accepted).toBe(true);
  });
});

describe('a severity', () => {
  test('[Finding submission 2] becomes high, with a warning, if it is critical and the finding needs review', () => {
    const { set, result } = submit(submissionOf({ severity: 'critical', verification: 'needs_review' }));
    expect(set.findings[0]?.severity).toBe('high');
    expect(result.warnings).toEqual(['severity: critical became high, because the finding needs review']);
  });

  const capped = [
    'missing_security_header',
    'verbose_error_message',
    'outdated_dependency_no_known_exploit_path',
  ];

  test('[Finding submission 3] is at most medium in a capped category without runtime evidence, and not capped otherwise', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...capped, 'sql_injection'),
        fc.constantFrom(...severities),
        fc.constantFrom(...verifications),
        fc.array(
          fc.constantFrom(
            'source',
            'configuration',
            'dependency',
            'other',
            'runtime',
            'identity_differential',
          ),
          { minLength: 1 },
        ),
        (category, severity, verification, kinds) => {
          const evidence = kinds.map((kind) => ({ kind: kind as 'source', description: 'As it was seen.' }));
          const rated = { category, severity, verification, evidence };
          const { adjusted, warnings } = adjustedSeverity(rated);
          const isShown = kinds.includes('runtime') || kinds.includes('identity_differential');
          const reviewed = severity === 'critical' && verification === 'needs_review' ? 'high' : severity;
          const isCapped = capped.includes(category) && !isShown && ['critical', 'high'].includes(reviewed);
          expect(adjusted).toEqual({ ...rated, severity: isCapped ? 'medium' : reviewed });
          expect(warnings).toHaveLength(Number(reviewed !== severity) + Number(isCapped));
        },
      ),
    );
  });

  test('[Finding submission 3] is capped for any spelling of the category', () => {
    const { set, result } = submit(submissionOf({ category: 'Missing Security-Header' }));
    expect([set.findings[0]?.severity, result.warnings.length]).toEqual(['medium', 1]);
  });
});

describe('a location', () => {
  test('[Finding submission 4] is stored without the path of the repository', () => {
    const { affected, evidence } = submissionOf();
    const { set, result } = submit(
      submissionOf({
        affected: { ...affected, file: '/home/me/shop/./src/orders/read.ts' },
        evidence: [{ ...evidence[0]!, location: '/home/me/shop/src/orders/read.ts:40' }],
      }),
    );
    expect(set.findings[0]).toMatchObject({
      affected: { file: 'src/orders/read.ts' },
      evidence: [{ location: 'src/orders/read.ts:40' }],
    });
    expect(result.fingerprint).toBe(submit(submissionOf()).result.fingerprint);
  });

  test('[Finding submission 4] with another id in its route has the same fingerprint', () => {
    const at = (route: string) =>
      submit(submissionOf({ affected: { component: 'api', route } })).result.fingerprint;
    expect(at('/orders/17?full')).toBe(at('/orders/{id}'));
  });
});

describe('a later submission', () => {
  const { set: first } = submit(submissionOf());
  const evidence = [{ kind: 'runtime' as const, description: 'Another account was read.' }];

  test('[Finding submission 5] of the same root cause corroborates the finding if its evidence is new', () => {
    const { set, result } = submit(
      submissionOf({ evidence, title: 'Order lookup TRUSTS the id: it is given' }),
      first,
    );
    expect(result).toMatchObject({
      accepted: true,
      findingId: 'F-1',
      action: 'merged_as_corroboration',
      deduplicatedInto: 'F-1',
      fingerprint: first.findings[0]?.fingerprint,
      warnings: [],
    });
    expect(set.findings).toEqual([{ ...first.findings[0], corroboration: evidence }]);
  });

  test('[D12] of the same root cause adds nothing and warns if it has no new evidence', () => {
    const { set, result } = submit(submissionOf(), first);
    expect(set).toEqual(first);
    expect(result).toMatchObject({
      accepted: true,
      action: 'merged_as_corroboration',
      deduplicatedInto: 'F-1',
    });
    expect(result.warnings).toEqual(['evidence: F-1 already has all of it']);
  });

  test('[D12] of the same root cause warns if its severity or verification is ignored', () => {
    const { result } = submit(
      submissionOf({ evidence, severity: 'low', verification: 'needs_review' }),
      first,
    );
    expect(result.warnings).toEqual([
      'severity: F-1 keeps high; low was submitted',
      'verification: F-1 keeps verified; needs_review was submitted',
    ]);
  });

  test('[D8] of the same root cause warns about evidence beyond the limit of a finding', () => {
    const corroboration = Array.from({ length: 256 }, (_, index) => ({
      ...evidence[0]!,
      snippet: `${index}`,
    }));
    const full: FindingSet = { ...first, findings: [{ ...first.findings[0]!, corroboration }] };
    const { set, result } = submit(submissionOf({ evidence }), full);
    expect(set).toEqual(full);
    expect(result.warnings).toEqual([
      'evidence: 1 not stored, because F-1 already has the maximum of corroboration',
    ]);
  });

  test('[D8] of a new root cause is rejected if the report is full', () => {
    const findings = Array.from({ length: 10_000 }, () => findingOf());
    const { set, result } = submit(submissionOf(), { findings, lastNumber: 10_000 });
    expect(set.findings).toBe(findings);
    expect(result).toMatchObject({
      accepted: false,
      errors: ['/: the report is full: it holds 10000 findings'],
    });
  });
});

describe('a secret', () => {
  const planted = `It was ${SECRET} in the clear, and ${SECRET} again.`;
  const paths = [
    'title',
    'summary',
    'impact',
    'remediation',
    'verificationPlan',
    'reproduction',
    ...['component', 'file', 'route', 'origin'].map((name) => `affected/${name}`),
    ...['description', 'snippet', 'location'].map((name) => `evidence/0/${name}`),
    ...['taxonomy', 'references', 'tags'].map((name) => `${name}/0`),
  ];
  const plant = (path: string, value: string) => {
    const copy: Record<string, unknown> = { ...submissionOf(), taxonomy: [''], references: [''], tags: [''] };
    const [field, inner, innermost] = path.split('/');
    if (field === 'affected') copy[field] = { ...submissionOf().affected, [inner!]: value };
    else if (innermost !== undefined) copy[field!] = [{ ...submissionOf().evidence[0], [innermost]: value }];
    else copy[field!] = inner === undefined ? value : [value];
    return copy;
  };

  test.each(paths)('[Finding submission 1] in %s is redacted and counted', (path) => {
    const { set, result } = submit(plant(path, planted));
    expect([result.accepted, result.redactions]).toEqual([true, 2]);
    expect(JSON.stringify(set)).not.toContain(SECRET);
    expect(set.findings[0]?.evidence[0]?.redacted).toBe(path.startsWith('evidence') ? true : undefined);
  });

  test.each(paths)('[Finding submission 1] that remains in %s causes a rejection', (path) => {
    expect(rejectedAt(plant(path, `kept ${planted}`))).toContain(`/${path}`);
  });

  test('[Finding submission 1] in a category or a field name causes a rejection, which does not repeat it', () => {
    expect(rejectedAt(submissionOf({ category: SECRET }))).toContain('/category');
    // The category looks like a secret only after normalization.
    expect(rejectedAt(submissionOf({ category: 'secret 12345' }))).toContain('/category');
    const { result } = submit({ ...submissionOf(), [SECRET]: 1 });
    expect(result.accepted).toBe(false);
    expect(result.errors.length).toBeGreaterThan(0);
    expect(JSON.stringify(result)).not.toContain(SECRET);
  });

  test('[Finding submission 1] causes a rejection if redaction leaves the text too short', () => {
    expect(rejectedAt(submissionOf({ summary: `${SECRET} was it` }))).toContain('/summary');
  });

  test('[Submission result] is never in the result, whichever field contained it', () => {
    const value = fc.oneof(fc.constant(planted), fc.constant(`kept ${planted}`), fc.constant(SECRET));
    fc.assert(
      fc.property(fc.constantFrom(...paths), value, textOfLength(3), (path, secret, more) => {
        const { set, result } = submit(plant(path, `${secret}${more}`));
        expect(JSON.stringify([set, result])).not.toContain(SECRET);
      }),
    );
  });
});

test('[D26] tags reserved for imports are removed from a submission, and a warning says so', () => {
  const given = [
    'tool:Semgrep',
    ' Rule:x',
    'area:src',
    'identity:code:1',
    'Weak-Identity',
    'not-in-checkout',
    'decision-lapsed',
    'tool',
    'weak-identity-check',
  ];
  const { set, result } = submit(submissionOf({ tags: given }));
  expect(set.findings[0]?.tags).toEqual(['tool', 'weak-identity-check']);
  expect(result.warnings).toEqual([
    'tags: 7 not stored, because svc reserves tool:, rule:, area:, identity:, weak-identity, not-in-checkout and decision-lapsed',
  ]);
  const { set: bare } = submit(submissionOf({ tags: ['tool:Semgrep'] }));
  expect(bare.findings[0]).not.toHaveProperty('tags');
});
