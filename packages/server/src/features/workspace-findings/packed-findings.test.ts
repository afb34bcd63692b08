import { findingStatuses, severities, verifications } from '@svc/contract';
import { searchTextOf } from '@svc/report';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crockford } from '#platform/encoding';
import { PackedFindings } from './packed-findings.ts';

const time = fc.nat({ max: Date.parse('9999-12-31T23:59:59.999Z') });
const anyFinding = fc.record({
  present: fc.record({
    identity: fc
      .uint8Array({ minLength: 16, maxLength: 16 })
      .map((bytes) => Buffer.from(bytes).toString('hex')),
    severity: fc.constantFrom(...severities),
    status: fc.constantFrom(...findingStatuses),
    until: fc.option(time),
    firstSeenAt: time,
  }),
  report: fc.constantFrom({ id: 'rep_1', ownerId: 'usr_1' }, { id: 'rep_2', ownerId: 'usr_2' }),
  text: fc.record(
    {
      id: fc.string(),
      title: fc.string({ unit: 'grapheme' }),
      category: fc.string(),
      verification: fc.constantFrom(...verifications),
      component: fc.string(),
      file: fc.string({ minLength: 1 }),
      lineStart: fc.integer({ min: 1, max: 2 ** 31 }),
      rule: fc.string(),
    },
    { requiredKeys: ['id', 'title', 'category', 'verification', 'component'] },
  ),
});

test('packed findings are read as they were', () => {
  const project = { id: 'prj_1', name: 'shop' };
  fc.assert(
    fc.property(fc.array(anyFinding), (given) => {
      const fields = [...new PackedFindings(project, given)].map((finding) => ({
        key: finding.findingKey,
        project: [finding.projectId, finding.projectName],
        report: { id: finding.reportId, ownerId: finding.ownerId },
        text: [finding.findingId, finding.title, finding.category, finding.verification, finding.component],
        place: [finding.file, finding.lineStart],
        state: [finding.severity, finding.status, finding.until, finding.firstSeenAt],
        searchText: finding.searchText,
      }));
      expect(fields).toEqual(
        given.map(({ present, report, text }) => ({
          key: crockford(Buffer.from(present.identity, 'hex'), 26).toLowerCase(),
          project: ['prj_1', 'shop'],
          report,
          text: [text.id, text.title, text.category, text.verification, text.component],
          place: [text.file, text.lineStart],
          state: [present.severity, present.status, present.until, present.firstSeenAt],
          searchText: searchTextOf(text),
        })),
      );
    }),
  );
});
