import fc from 'fast-check';
import { auditActions, type AuditAction } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { chained, faultOf, hashOf, origin, type AuditRow, type Head } from './chain.ts';

const word = fc.option(fc.string({ maxLength: 12 }), { nil: null });
const entry = fc.record({
  id: fc.string({ maxLength: 12 }),
  at: fc.nat(),
  action: fc.constantFrom<AuditAction>(...auditActions),
  actorId: word,
  workspaceId: word,
  reportId: word,
  subjectId: word,
  detail: word,
});
const log = fc.array(entry, { minLength: 3, maxLength: 12 }).map((entries) => chained(origin, entries));

/** The first fault of a log, walked from its beginning. */
function firstFault(rows: readonly AuditRow[]): string | null {
  let last: Head = origin;
  for (const row of rows) {
    const fault = faultOf(last, row);
    if (fault !== null) return fault;
    last = row;
  }
  return null;
}

const renumbered = (rows: readonly AuditRow[]) => rows.map((row, at) => ({ ...row, sequence: at + 1 }));
const three = chained(
  origin,
  ['a', 'b', 'c'].map((id) => ({
    id,
    at: 1,
    action: 'share_created' as const,
    actorId: null,
    workspaceId: null,
    reportId: null,
    subjectId: null,
    detail: null,
  })),
);
const [first, second, third] = three as [AuditRow, AuditRow, AuditRow];

describe('the chain of the audit log', () => {
  test('[D17] an unchanged log has no fault, whether written in one transaction or in several', () => {
    fc.assert(
      fc.property(log, fc.nat(12), (rows, cut) => {
        expect(firstFault(rows)).toBeNull();
        const head = rows.slice(0, cut).at(-1) ?? origin;
        expect(chained(head, rows.slice(cut))).toEqual(rows.slice(cut));
      }),
    );
  });

  test('[D17] a change of any column of any row is detected', () => {
    const columns = [
      'id',
      'at',
      'action',
      'actorId',
      'workspaceId',
      'reportId',
      'subjectId',
      'detail',
    ] as const;
    fc.assert(
      fc.property(log, fc.nat(), fc.constantFrom(...columns), entry, (rows, at, column, other) => {
        const place = at % rows.length;
        const row = rows[place] as AuditRow;
        fc.pre(row[column] !== other[column]);
        const changed = rows.with(place, { ...row, [column]: other[column] });
        expect(firstFault(changed)).toBe(`entry ${place + 1} was changed`);
      }),
    );
  });

  test('[D17] a removed row is detected, renumbered or not, unless it is the last', () => {
    fc.assert(
      fc.property(log, fc.nat(), (rows, at) => {
        const place = at % (rows.length - 1);
        const without = rows.toSpliced(place, 1);
        expect(firstFault(without)).toBe(`entry ${place + 1} is missing`);
        expect(firstFault(renumbered(without))).not.toBeNull();
      }),
    );
  });

  test('[D17] an inserted row is detected, even with a valid hash of its own', () => {
    fc.assert(
      fc.property(log, fc.nat(), entry, (rows, at, other) => {
        const place = at % rows.length;
        const before = rows[place - 1] ?? origin;
        const [forged] = chained(before, [other]) as [AuditRow];
        const withOne = renumbered(rows.toSpliced(place, 0, forged));
        expect(firstFault(withOne)).not.toBeNull();
      }),
    );
  });

  test('[D17] two swapped rows are detected', () => {
    fc.assert(
      fc.property(log, fc.nat(), (rows, at) => {
        const place = at % (rows.length - 1);
        const [one, other] = [rows[place], rows[place + 1]] as [AuditRow, AuditRow];
        const moved = renumbered(rows.with(place, other).with(place + 1, one));
        expect(firstFault(moved)).not.toBeNull();
      }),
    );
  });

  test.each([
    ['a missing entry', [first, third], 'entry 2 is missing'],
    ['several missing entries', [{ ...third, sequence: 4 }], 'entries 1 to 3 are missing'],
    [
      'a change with a recomputed hash',
      [first, rehashed({ ...second, detail: 'pro' }), third],
      /^entry 3 is not/,
    ],
    [
      'a log with another beginning',
      renumbered([second, third]),
      /^entry 1 is not the one that the log began with/,
    ],
  ])('[D17] the fault reported for %s names the entry', (_title, rows, fault) => {
    expect(firstFault(rows)).toMatch(fault);
  });

  test('[D17] texts split differently between columns have different hashes', () => {
    const one = hashOf({ ...first, actorId: 'a', workspaceId: 'bc' });
    expect(hashOf({ ...first, actorId: 'ab', workspaceId: 'c' })).not.toEqual(one);
    expect(hashOf({ ...first, actorId: 'a', workspaceId: null, reportId: 'bc' })).not.toEqual(one);
  });
});

function rehashed(row: AuditRow): AuditRow {
  return { ...row, hash: hashOf(row) };
}
