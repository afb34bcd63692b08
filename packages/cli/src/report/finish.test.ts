import { createHash } from 'node:crypto';
import type { FindingStatus } from '@svc/contract';
import { CARRIED_TAG } from '@svc/contract';
import type { CanonicalReport } from '@svc/report';
import { describe, expect, test } from 'vitest';
import { AT, newReport, submission, TemporaryFolder } from '../../test/local-reports.ts';
import { eventsAfter } from '../store/events.ts';
import { findingsOf } from '../store/findings.ts';
import { frozenReport } from '../store/freezing.ts';
import { changeReport, createReport, findReport } from '../store/reports.ts';
import { openStore, type Store } from '../store/store.ts';
import { recordFinalized } from '../store/sync-state.ts';
import { canonicalReport, reportIssues } from './canonical.ts';
import { finishReport, moveFinding } from './finish.ts';
import { addSubmission } from './intake.ts';

const ID = 'local-report-1';
const LATER = '2026-04-05T06:07:08.000Z';

async function withStore(work: (store: Store) => void): Promise<void> {
  using folder = new TemporaryFolder();
  using store = await openStore(folder.path);
  work(store);
}

function begun(store: Store, id: string, names: readonly string[], at = AT): void {
  createReport(store, newReport({ localReportId: id, createdAt: at, scan: { startedAt: at, tools: [] } }));
  for (const name of names) addSubmission(store, id, submission(name), at);
}

function sent(store: Store, id: string): CanonicalReport {
  return JSON.parse(Buffer.from(frozenReport(store, id)!.bytes).toString()) as CanonicalReport;
}

function move(store: Store, id: string, findingId: string, to: FindingStatus): void {
  moveFinding(store, id, { findingId, to }, { at: LATER });
}

describe('a finished report', () => {
  test('is accepted by the service, and contains what is stored', () =>
    withStore((store) => {
      begun(store, ID, ['a', 'b', 'a']);
      const notes = {
        coverage: ['All handlers were read.'],
        coverageAreas: [{ id: 'auth', name: 'Authentication', status: 'covered' } as const],
        limitations: ['Nothing was run.'],
      };
      const { report } = finishReport(store, ID, { at: LATER, notes });
      expect(reportIssues(report)).toEqual([]);
      expect(report).toMatchObject({
        schemaVersion: '1.0.0',
        localReportId: ID,
        generatedAt: LATER,
        project: { name: 'shop' },
        scan: { startedAt: AT, finishedAt: LATER, effortRequested: 'auto', effortResolved: 'high' },
        summary: { findingCount: 2, candidateCount: 3, duplicateCount: 1, fixedCount: 0 },
        ...notes,
      });
      expect(sent(store, ID)).toEqual(report);
      expect(report.findings).toEqual(findingsOf(store, ID).findings);
      const frozen = frozenReport(store, ID)!;
      expect(frozen.sha256).toBe(createHash('sha256').update(frozen.bytes).digest('hex'));
      expect(eventsAfter(store, ID).at(-1)?.event).toMatchObject({ type: 'scan_completed', safeCode: 'ok' });
    }));

  test('is written again when a status changes, until it is sent', () =>
    withStore((store) => {
      begun(store, ID, ['a']);
      finishReport(store, ID, { at: LATER });
      const before = frozenReport(store, ID)!.sha256;
      move(store, ID, 'F-1', 'false_positive');
      expect(sent(store, ID).findings[0]?.status).toBe('false_positive');
      expect(frozenReport(store, ID)!.sha256).not.toBe(before);
      expect(sent(store, ID).scan.finishedAt).toBe(LATER);
      recordFinalized(store, ID, LATER);
      expect(() => move(store, ID, 'F-1', 'open')).toThrow('is synced');
      expect(sent(store, ID).findings[0]?.status).toBe('false_positive');
    }));

  test('is shortened to fit the service’s limit, also after a change, while the store keeps everything', () =>
    withStore((store) => {
      begun(store, ID, ['a', 'b', 'c', 'd', 'e']);
      const reportBytesMax = 3800;
      changeReport(store, ID, () => ({ sync: { isReceived: false, reportBytesMax } }));
      const { report, sizeBytes, leftOut } = finishReport(store, ID, { at: LATER });
      expect(sizeBytes).toBeLessThanOrEqual(reportBytesMax);
      expect(leftOut.length).toBeGreaterThan(0);
      const all = findingsOf(store, ID).findings;
      expect([...report.findings, ...leftOut].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
      expect(findReport(store, ID)?.fitted).toMatchObject({ findingsLeftOut: leftOut.length });
      move(store, ID, 'F-1', 'false_positive');
      const moved = sent(store, ID);
      expect(moved.findings[0]?.status).toBe('false_positive');
      expect(moved.limitations).toEqual(report.limitations);
      expect(frozenReport(store, ID)!.bytes.length).toBeLessThanOrEqual(reportBytesMax);
      expect(findingsOf(store, ID).findings).toHaveLength(5);
    }));

  test('is rejected, and stays open, when a required part is invalid', () =>
    withStore((store) => {
      begun(store, ID, ['a']);
      changeReport(store, ID, ({ scan }) => ({ scan: { ...scan, startedAt: 'yesterday' } }));
      expect(() => finishReport(store, ID, { at: LATER })).toThrow("can't be created");
      expect(findReport(store, ID)?.state).toBe('scanning');
    }));

  test('contains no secret that reached the store in another way, and nothing of this machine', () =>
    withStore((store) => {
      begun(store, ID, []);
      addSubmission(store, ID, submission('a', { impact: 'Seen when run in /home/someone/shop/src.' }), AT);
      const key = `AKIA${'Q7'.repeat(8)}`;
      const local = changeReport(store, ID, () => ({
        limitations: [`Run in /home/someone/shop/src with ${key}, and /home/someone.`],
        redactions: 1,
      }));
      const { report } = canonicalReport(local, findingsOf(store, ID), {
        at: LATER,
        homes: ['/home/someone'],
      });
      expect(report.limitations).toEqual(['Run in src with [redacted aws-access-key-id], and ~.']);
      expect(report.findings[0]?.impact).toBe('Seen when run in src.');
      expect(report.redactionNotice).toContain('1 secret-shaped item was');
    }));
});

describe('an earlier decision', () => {
  test('[D12] is carried over to the next report of the repository, with the time when the finding was first seen', () =>
    withStore((store) => {
      begun(store, ID, ['a', 'b', 'c']);
      finishReport(store, ID, { at: AT });
      move(store, ID, 'F-1', 'accepted_risk');
      move(store, ID, 'F-2', 'fix_suggested');
      begun(store, 'local-report-2', ['b', 'a', 'd'], LATER);
      expect(finishReport(store, 'local-report-2', { at: LATER }).carried).toEqual(['F-2']);
      const { findings } = findingsOf(store, 'local-report-2');
      expect(findings.map(({ status }) => status)).toEqual(['open', 'accepted_risk', 'open']);
      expect(findings.map(({ firstSeenAt }) => firstSeenAt)).toEqual([AT, AT, LATER]);
      expect(findings[1]?.tags).toContain(CARRIED_TAG);
      expect(sent(store, 'local-report-2').findings).toEqual(findings);
    }));
});

describe('a status', () => {
  test('[D12] changes only as the contract allows, and a rejection names the allowed statuses', () =>
    withStore((store) => {
      begun(store, ID, ['a']);
      expect(() => move(store, ID, 'F-1', 'fixed_verified')).toThrow(
        expect.objectContaining({
          hint: 'From open it can become: fix_suggested, accepted_risk, false_positive.',
        }),
      );
      expect(() => move(store, ID, 'F-9', 'open')).toThrow('no finding with that id');
      for (const to of ['fix_suggested', 'fix_applied', 'fixed_verified'] as const)
        move(store, ID, 'f-1', to);
      expect(finishReport(store, ID, { at: LATER }).report.summary.fixedCount).toBe(1);
    }));
});
