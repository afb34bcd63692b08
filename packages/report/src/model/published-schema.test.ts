import { readFileSync } from 'node:fs';
import { validatorOf } from '@svc/contract/validation';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AT, findingOf, reportOf, textOfLength, valuesOf } from '../../test/samples.ts';
import { CanonicalReport } from './canonical.ts';
import { reportJsonSchema } from './published-schema.ts';

const committed = JSON.parse(
  readFileSync(new URL('../../../contract/schemas/report-1.0.0.json', import.meta.url), 'utf8'),
);
const ajv = new Ajv2020({ strict: true });
addFormats.default(ajv);
const published = ajv.compile(committed);
const compiled = validatorOf(CanonicalReport);

/** The bounds of the schema, with the lengths just below and above. */
const lengths = [0, 1, 4, 10, 20, 40, 64, 80, 120, 128, 200, 240, 500, 1000, 2000, 8000, 12_000, 24_000]
  .flatMap((length) => [length - 1, length, length + 1])
  .filter((length) => length >= 0);

const intruders = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1, 1.5, 2 ** 53, 1e300, [], {}, [''], 'open', 'high'),
  fc.constantFrom(
    AT,
    '2026-02-29T00:00:00Z',
    '2024-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:59:60Z',
    '2026-01-01T00:00:00+00:00',
    '2026-01-01T00:00:00z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00.1234567890Z',
    '２０２６-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
  ),
  fc.constantFrom('F-1', 'F-0', 'f-1', 'F-12345678', 'ABCDEFGHI-1', 'F-1\n', 'a'.repeat(64), 'A'.repeat(64)),
  fc.constantFrom('abc1234', 'abc123', 'sql_injection', 'sql__injection', '_a', 'a_', 'A_b', 'é_b'),
  fc.constantFrom(...lengths).chain(textOfLength),
);

type Holder = Record<string, unknown>;

/** Every object and list in a value, including the value itself. */
function holdersIn(value: unknown): Holder[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Holder, ...Object.values(value).flatMap(holdersIn)];
}

const mutations = fc.record({
  where: fc.nat(),
  which: fc.nat(),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'lengthen'),
  intruder: intruders,
  name: fc.constantFrom('extra', '', '__proto__', 'constructor', 'toString', 'Title', 'id'),
  times: fc.constantFrom(17, 33, 65, 81, 101, 201, 257, 501),
});

function mutated(
  report: unknown,
  list: readonly (typeof mutations extends fc.Arbitrary<infer M> ? M : never)[],
) {
  const copy: unknown = structuredClone(report);
  for (const { where, which, how, intruder, name, times } of list) {
    const holders = holdersIn(copy);
    const holder = holders[where % holders.length]!;
    const keys = Object.keys(holder);
    const key = keys[which % Math.max(keys.length, 1)];
    if (how === 'add' && !Array.isArray(holder)) {
      Object.defineProperty(holder, name, {
        value: structuredClone(intruder),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    } else if (key === undefined) {
      continue;
    } else if (how === 'lengthen' && Array.isArray(holder[key])) {
      const [first] = holder[key] as unknown[];
      if (first !== undefined) holder[key] = Array.from({ length: times }, () => first);
    } else if (how === 'remove' && !Array.isArray(holder)) {
      delete holder[key];
    } else {
      holder[key] = structuredClone(intruder);
    }
  }
  return copy;
}

describe('the published schema of reports', () => {
  test('[D8] equals the schema generated from the sources', () => {
    expect(committed).toEqual(JSON.parse(JSON.stringify(reportJsonSchema())));
  });

  test('[D8] allows no unknown fields at any level', () => {
    const open = [committed, ...Object.values(committed.$defs)]
      .flatMap(holdersIn)
      .filter((node) => node['type'] === 'object' && node['additionalProperties'] !== false);
    expect(open).toEqual([]);
  });

  test('[D8] uses only regular expressions that every language supports', () => {
    const expressions = holdersIn(committed).flatMap((node) =>
      typeof node['pattern'] === 'string' ? [node['pattern']] : [],
    );
    expect(expressions.length).toBeGreaterThan(0);
    for (const expression of expressions) expect(expression).not.toMatch(/\(\?[^:]|\\[dwsbpu]/);
  });

  test('[D8] accepts exactly the reports that the service accepts', () => {
    const seen = { accepted: 0, rejected: 0 };
    fc.assert(
      fc.property(valuesOf(committed), fc.array(mutations, { maxLength: 3 }), (report, list) => {
        expect([compiled.Check(report), published(report)]).toEqual([true, true]);
        const changed = mutated(report, list);
        const accepted = published(changed);
        expect(compiled.Check(changed)).toBe(accepted);
        seen[accepted ? 'accepted' : 'rejected'] += 1;
      }),
    );
    expect(Math.min(seen.accepted, seen.rejected)).toBeGreaterThan(20);
  });

  test('[D8] counts code points at every bound, for any text', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...lengths).chain(textOfLength),
        fc.constantFrom('title', 'summary', 'reproduction', 'remediation', 'verificationPlan'),
        (value, field) => {
          const report = reportOf({ findings: [findingOf({ [field]: value })] });
          expect(compiled.Check(report)).toBe(published(report));
        },
      ),
    );
  });

  test('[D8] accepts 10,000 findings and rejects 10,001', () => {
    for (const [count, accepted] of [
      [10_000, true],
      [10_001, false],
    ] as const) {
      const report = reportOf({ findings: Array.from({ length: count }, () => findingOf()) });
      expect([compiled.Check(report), published(report)]).toEqual([accepted, accepted]);
    }
  });

  test('[D8] has a comment that the service rejects ill-formed text, and the service does', () => {
    expect(compiled.Check(reportOf({ limitations: ['half a pair: \ud83d'] }))).toBe(false);
    expect(committed.$comment).toContain('well-formed');
  });
});
