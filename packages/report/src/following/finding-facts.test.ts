import { coverageStatuses, fixActions } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AT, reportOf, findingOf } from '../../test/samples.ts';
import { lookedAgain } from '../reading/looked-again.ts';
import {
  DIGEST_BYTES,
  factsAt,
  factsOf,
  lookedAgainFor,
  packedFacts,
  toolDigest,
  unpackedFacts,
} from './finding-facts.ts';

const key = new Uint8Array(32).fill(7);
const digest = fc.uint8Array({ minLength: DIGEST_BYTES, maxLength: DIGEST_BYTES });
const time = fc.nat({ max: Date.parse('9999-12-31T23:59:59.999Z') });
const facts = fc.record({
  scan: fc.record({
    isOfOtherBranch: fc.boolean(),
    ran: fc.array(digest, { maxLength: 4 }),
    missed: fc.array(digest, { maxLength: 4 }),
  }),
  findings: fc.array(
    fc.record({
      tool: digest,
      areas: fc.array(digest, { maxLength: 3 }),
      fixedAt: fc.option(time),
      fixSteps: fc.array(
        fc.record({ at: time, action: fc.constantFrom(...fixActions), verified: fc.boolean() }),
        { maxLength: 3 },
      ),
      carried: fc.option(fc.record({ number: fc.nat(), until: fc.option(time) })),
    }),
  ),
});

describe('packed facts', () => {
  test('[D26] are the same after unpacking, whether all of them or only some are unpacked', () => {
    fc.assert(
      fc.property(facts, fc.array(fc.nat({ max: 12 })), (given, wanted) => {
        const packed = packedFacts(given);
        expect(unpackedFacts(packed)).toEqual(given);
        const places = new Set(wanted);
        const some = [...given.findings.entries()].filter(([place]) => places.has(place));
        expect([...factsAt(packed, places)]).toEqual(some);
      }),
    );
  });

  test('[D6] hold no text of the report', () => {
    const canary = 'canary-of-the-facts';
    const fixHistory = [{ at: AT, action: 'applied', verified: false, note: canary, changedFiles: [canary] }];
    const finding = findingOf({
      tags: [`tool:${canary}`, `area:${canary}`],
      fixHistory: fixHistory as never,
    });
    const packed = Buffer.from(packedFacts(factsOf(reportOf({ findings: [finding] }), key)));
    expect(packed.includes('canary')).toBe(false);
  });

  test('of another version, or cut off, are rejected', () => {
    const packed = packedFacts(factsOf(reportOf({ findings: [findingOf()] }), key));
    expect(() => unpackedFacts(Uint8Array.of(9, ...packed.subarray(1)))).toThrow('unknown version');
    for (let length = 1; length < packed.length; length += 1)
      expect(() => {
        if (unpackedFacts(packed.subarray(0, length)).findings.length === 0) throw new TypeError('damaged');
      }).toThrow(TypeError);
  });
});

test('[D26] facts and reports agree on whether a scan looked again for a finding', () => {
  const names = ['Semgrep', 'semgrep', 'trivy', 'agent'];
  const areas = [...names.map((name) => `tool:${name}`), 'auth'];
  const area = fc.record({
    id: fc.constantFrom(...areas),
    name: fc.constant('x'),
    status: fc.constantFrom(...coverageStatuses),
  });
  const tags = fc.subarray(['tool:SEMGREP', 'tool:trivy', 'area:auth', 'area:other'], { maxLength: 3 });
  fc.assert(
    fc.property(fc.subarray(names), fc.array(area, { maxLength: 4 }), tags, (tools, coverageAreas, given) => {
      const finding = findingOf({ tags: given });
      const agent = { name: 'Agent', version: '1' };
      const base = reportOf({ findings: [finding] });
      const before = { ...base, scan: { ...base.scan, agent } };
      const scan = { ...base.scan, agent, tools: tools.map((name) => ({ name })) };
      const later = { ...base, scan, coverageAreas };
      const [of] = factsOf(before, key).findings;
      const expected = lookedAgain({ tools: scan.tools, agent: agent.name, coverageAreas }, finding, 'Agent');
      expect(of && lookedAgainFor(factsOf(later, key).scan)(of)).toBe(expected);
    }),
  );
});

test('[D26] the names of tools are compared without regard to case', () => {
  expect(toolDigest('Semgrep', key)).toEqual(toolDigest('SEMGREP', key));
  expect(toolDigest('Semgrep', key)).not.toEqual(toolDigest('Semgrep', new Uint8Array(32)));
});
