import { findingStatuses, severities } from '@svc/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exitCodes } from '../errors.ts';
import { gateFailure, gateJson, reaching, stoppedBy } from './gate.ts';

const affected = { component: 'search', file: 'src/search.ts', lineStart: 7 };
const findings = fc.array(
  fc.record(
    {
      id: fc.integer({ min: 1, max: 9999 }).map((number) => `F-${number}`),
      severity: fc.constantFrom(...severities),
      status: fc.constantFrom(...findingStatuses),
      title: fc.string(),
      affected: fc.constant(affected),
    },
    { requiredKeys: ['id', 'severity', 'title', 'affected'] },
  ),
  { maxLength: 40 },
);
const settled = new Set(['fixed_verified', 'accepted_risk', 'false_positive']);

test('a gate stops at each finding of its severity or worse that is neither set aside nor verified as fixed', () => {
  fc.assert(
    fc.property(findings, fc.constantFrom(...severities), (given, severity) => {
      const stopped = stoppedBy(given, severity);
      const expected = given.filter(
        (finding) =>
          !settled.has(finding.status ?? 'open') &&
          severities.indexOf(finding.severity) <= severities.indexOf(severity),
      );
      expect(new Set(stopped)).toEqual(new Set(expected));
      expect(stopped).toHaveLength(expected.length);
      const order = stopped.map((finding) => severities.indexOf(finding.severity));
      expect(order).toEqual(order.toSorted((one, other) => one - other));
    }),
  );
});

test('a gate fails exactly when it stops at something, and counts the findings by severity', () => {
  fc.assert(
    fc.property(findings, fc.constantFrom(...severities), (given, severity) => {
      const gate = { severity, noun: 'finding', stopped: stoppedBy(given, severity), hint: 'Fix them.' };
      const failure = gateFailure(gate);
      const json = gateJson(gate);
      expect(json).toMatchObject({ severity, count: gate.stopped.length, passed: failure === undefined });
      expect(json.passed).toBe(gate.stopped.length === 0);
      expect(failure?.reason ?? 'gateFailed').toBe('gateFailed');
      expect(failure?.details.length ?? 0).toBeLessThanOrEqual(21);
    }),
  );
  const one = { id: 'F-1', severity: 'critical', title: 'Bad', affected } as const;
  const two = { ...one, id: 'F-2', severity: 'high' } as const;
  const said = (...stopped: (typeof one | typeof two)[]) =>
    gateFailure({ severity: 'high', noun: 'finding', stopped, hint: 'Fix them.' });
  expect(said(one)?.message).toBe('1 finding is of severity high or worse: 1 critical.');
  expect(said(one, two)?.message).toBe('2 findings are of severity high or worse: 1 critical, 1 high.');
  expect(said(one)?.details).toEqual(['F-1  critical  Bad  src/search.ts:7']);
  expect(exitCodes.gateFailed).toBe(7);
});

test('a gate lists at most 20 findings, and counts the rest', () => {
  const stopped = Array.from({ length: 25 }, (_, index) => ({
    id: `F-${index}`,
    severity: 'high' as const,
    title: 'Two\nlines',
    affected,
  }));
  const failure = gateFailure({ severity: 'critical', noun: 'finding', stopped, hint: 'Fix them.' });
  expect(failure?.message).toBe('25 findings are of severity critical: 25 high.');
  expect(failure?.details).toHaveLength(21);
  expect(failure?.details.at(-1)).toBe('and 5 more');
  expect(failure?.details[0]).toBe('F-0  high  Two lines  src/search.ts:7');
});

test('a gate fails on results that did not fit into the report, and counts them by severity', () => {
  const leftOut = reaching({ critical: 0, high: 2, medium: 1, low: 40, info: 0 }, 'medium');
  const gate = { severity: 'medium' as const, noun: 'finding', stopped: [], leftOut, hint: '' };
  expect(gateJson(gate)).toEqual({ severity: 'medium', passed: false, count: 3, findingIds: [] });
  expect(gateFailure(gate)).toMatchObject({
    reason: 'gateFailed',
    message: '3 findings are of severity medium or worse: 2 high, 1 medium.',
    details: ['and 3 that did not fit into the report'],
  });
  const passing = { ...gate, leftOut: reaching(leftOut, 'critical') };
  expect([gateJson(passing).passed, gateFailure(passing)]).toEqual([true, undefined]);
});
