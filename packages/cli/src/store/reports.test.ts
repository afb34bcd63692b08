import { describe, expect, test } from 'vitest';
import { AT, newReport, submission, TemporaryFolder } from '../../test/local-reports.ts';
import { addSubmission } from '../report/intake.ts';
import { appendEvents, eventsAfter, markDelivered, undeliveredEvents, type NewEvent } from './events.ts';
import { changeFindings, countFindings, findingsOf } from './findings.ts';
import { abort, freeze, frozenReport, frozenSha256, refreeze } from './freezing.ts';
import {
  changeReport,
  createReport,
  findReport,
  latestReport,
  listReports,
  previousReport,
  pruneReports,
  reportsByPrefix,
} from './reports.ts';
import { openStore, type Store } from './store.ts';
import {
  forgetShell,
  recordFinalized,
  recordReceived,
  recordShell,
  recordSyncFailure,
  recordSyncWish,
  recordUpload,
} from './sync-state.ts';

const ID = 'local-report-1';
const options = { at: AT };

async function withStore(work: (store: Store) => void): Promise<void> {
  using folder = new TemporaryFolder();
  using store = await openStore(folder.path);
  work(store);
}

function finish(store: Store, id: string, content = '{}'): void {
  freeze(store, id, (set) => ({ set, bytes: Buffer.from(content), result: undefined }), options);
}

function synced(store: Store, id: string, changes: Parameters<typeof newReport>[0] = {}): void {
  createReport(store, newReport({ localReportId: id, ...changes }));
  finish(store, id);
  recordFinalized(store, id, AT);
}

describe('reports', () => {
  test('are read as they were created', () =>
    withStore((store) => {
      const made = createReport(store, newReport({ bindingPublicId: 'binding-1' }));
      expect(findReport(store, ID)).toEqual(made);
      expect(made).toMatchObject({ state: 'scanning', bindingPublicId: 'binding-1', redactions: 0 });
      expect(findReport(store, 'local-report-2')).toBeUndefined();
    }));

  test('are listed newest first, whatever the clock showed, and can be selected by repository and state', () =>
    withStore((store) => {
      createReport(store, newReport({ localReportId: 'aaaaaaaa-1', createdAt: '2030-01-01T00:00:00.000Z' }));
      createReport(store, newReport({ localReportId: 'aaaaaaaa-2' }));
      createReport(store, newReport({ localReportId: 'bbbbbbbb-1', repositoryRoot: '/elsewhere' }));
      finish(store, 'aaaaaaaa-1');
      const ids = (reports: readonly { localReportId: string }[]) => reports.map((one) => one.localReportId);
      expect(ids(listReports(store))).toEqual(['bbbbbbbb-1', 'aaaaaaaa-2', 'aaaaaaaa-1']);
      expect(ids(listReports(store, { states: ['finished', 'synced'] }))).toEqual(['aaaaaaaa-1']);
      expect(latestReport(store, '/home/someone/shop')?.localReportId).toBe('aaaaaaaa-2');
      expect(latestReport(store, '/home/someone/shop', ['finished'])?.localReportId).toBe('aaaaaaaa-1');
      expect(latestReport(store, '/nowhere')).toBeUndefined();
      expect(ids(reportsByPrefix(store, 'aaaaaaaa'))).toEqual(['aaaaaaaa-2', 'aaaaaaaa-1']);
      expect(reportsByPrefix(store, '%')).toEqual([]);
    }));

  test('have a predecessor: the newest finished one of the same repository', () =>
    withStore((store) => {
      for (const number of [1, 2, 3, 4])
        createReport(store, newReport({ localReportId: `local-report-${number}` }));
      createReport(store, newReport({ localReportId: 'local-report-5', repositoryRoot: '/elsewhere' }));
      for (const number of [1, 2, 4]) finish(store, `local-report-${number}`);
      expect(previousReport(store, 'local-report-3')?.localReportId).toBe('local-report-2');
      expect(previousReport(store, 'local-report-1')).toBeUndefined();
      expect(previousReport(store, 'local-report-5')).toBeUndefined();
    }));

  test('can be changed, and a change of an unknown report is an error', () =>
    withStore((store) => {
      createReport(store, newReport());
      changeReport(store, ID, ({ coverage }) => ({ coverage: [...coverage, 'All handlers.'] }));
      recordSyncWish(store, ID, false);
      expect(findReport(store, ID)).toMatchObject({ coverage: ['All handlers.'], isSyncWanted: false });
      expect(() => changeReport(store, 'local-report-2', () => ({}))).toThrow('There is no local report');
    }));

  test('are pruned when they are old and no longer needed', () =>
    withStore((store) => {
      const old = { createdAt: '2020-01-01T00:00:00.000Z' };
      synced(store, 'synced-older', old);
      synced(store, 'synced-newest', old);
      synced(store, 'synced-alone', { ...old, repositoryRoot: '/elsewhere' });
      for (const id of ['finished-old', 'scanning-old', 'aborted-old'])
        createReport(store, newReport({ ...old, localReportId: id, repositoryRoot: `/${id}` }));
      finish(store, 'finished-old');
      abort(store, 'aborted-old', {}, options);
      expect(pruneReports(store, '2019-01-01T00:00:00.000Z')).toEqual([]);
      expect(pruneReports(store, AT).toSorted()).toEqual(['aborted-old', 'synced-older']);
      expect(listReports(store)).toHaveLength(4);
    }));
});

describe('findings', () => {
  test('are added to a report that is scanning and to no other', () =>
    withStore((store) => {
      createReport(store, newReport());
      expect(addSubmission(store, ID, submission('one'), AT).findingId).toBe('F-1');
      finish(store, ID);
      expect(() => addSubmission(store, ID, submission('two'), AT)).toThrow('is finished');
      recordFinalized(store, ID, AT);
      expect(() => addSubmission(store, ID, submission('two'), AT)).toThrow('is synced');
      createReport(store, newReport({ localReportId: 'local-report-2' }));
      abort(store, 'local-report-2', {}, options);
      expect(() => addSubmission(store, 'local-report-2', submission('two'), AT)).toThrow('is aborted');
      expect(countFindings(store, ID)).toBe(1);
    }));

  test('can be deleted, and their numbers are not reused', () =>
    withStore((store) => {
      createReport(store, newReport());
      for (const name of ['a', 'b', 'c']) addSubmission(store, ID, submission(name), AT);
      changeFindings(store, ID, (set) => ({
        set: { ...set, findings: set.findings.filter(({ id }) => id === 'F-2') },
        result: undefined,
      }));
      addSubmission(store, ID, submission('d'), AT);
      expect(findingsOf(store, ID).findings.map(({ id }) => id)).toEqual(['F-2', 'F-4']);
    }));
});

describe('the outbox', () => {
  const event = (number: number): NewEvent => ({
    eventId: `00000000-0000-4000-8000-00000000000${number}`,
    type: 'heartbeat',
    occurredAt: AT,
  });

  test('returns undelivered events, oldest first, up to the requested number', () =>
    withStore((store) => {
      createReport(store, newReport());
      appendEvents(store, ID, [event(3), event(1), event(2)]);
      appendEvents(store, ID, [event(1)]);
      expect(undeliveredEvents(store, ID, 2)).toEqual([event(3), event(1)]);
      markDelivered(store, ID, [event(3)]);
      expect(undeliveredEvents(store, ID, 25)).toEqual([event(1), event(2)]);
      const all = eventsAfter(store, ID);
      expect(all.map((one) => one.event.isDelivered)).toEqual([true, false, false]);
      expect(eventsAfter(store, ID, all[1]?.number)).toHaveLength(1);
    }));

  test('begins again when the report gets another shell', () =>
    withStore((store) => {
      createReport(store, newReport());
      appendEvents(store, ID, [event(1)]);
      recordShell(store, ID, shell);
      markDelivered(store, ID, [event(1)]);
      recordShell(store, ID, { ...shell, expiresAt: '2027-01-01T00:00:00.000Z' });
      expect(undeliveredEvents(store, ID, 25)).toEqual([]);
      recordShell(store, ID, { ...shell, reportId: 'rep_2' });
      expect(undeliveredEvents(store, ID, 25)).toEqual([event(1)]);
    }));
});

const shell = {
  origin: 'https://svc.example.com',
  workspaceId: 'ws_1',
  projectId: 'prj_1',
  reportId: 'rep_1',
  reportUrl: 'https://svc.example.com/reports/rep_1',
  expiresAt: '2026-04-01T00:00:00.000Z',
};

describe('a frozen report', () => {
  test('is stored byte for byte with its digest', () =>
    withStore((store) => {
      createReport(store, newReport());
      expect(frozenReport(store, ID)).toBeUndefined();
      finish(store, ID, '{"ü":1}');
      const frozen = frozenReport(store, ID);
      expect(Buffer.from(frozen!.bytes).toString()).toBe('{"ü":1}');
      // printf '{"ü":1}' | sha256sum
      expect(frozen?.sha256).toBe('963b1a04dfa30efb70b1b50a4b7a4cb3d7908564106760f28ee3f05a7c082a88');
      expect(() => finish(store, ID)).toThrow('is finished');
    }));

  test('is not stored when creating it fails, and the report stays open', () =>
    withStore((store) => {
      createReport(store, newReport());
      const failing = () =>
        freeze(
          store,
          ID,
          () => {
            throw new Error('on purpose');
          },
          options,
        );
      expect(failing).toThrow('on purpose');
      expect(findReport(store, ID)?.state).toBe('scanning');
      expect(frozenReport(store, ID)).toBeUndefined();
    }));

  test('that is written again discards the upload that was begun', () =>
    withStore((store) => {
      createReport(store, newReport());
      finish(store, ID, 'one');
      recordShell(store, ID, shell);
      const sha256 = frozenSha256(store, ID)!;
      expect(recordUpload(store, ID, { uploadId: 'upl_1', sha256 })).toBe(true);
      expect(recordReceived(store, ID, 'upl_1')).toBe(true);
      refreeze(store, ID, (set) => ({ set, bytes: Buffer.from('two'), result: undefined }), options);
      expect(findReport(store, ID)?.sync).toEqual({ ...shell, isReceived: false });
      expect(recordReceived(store, ID, 'upl_1')).toBe(false);
      expect(recordUpload(store, ID, { uploadId: 'upl_2', sha256 })).toBe(false);
      expect(findReport(store, ID)?.sync.uploadId).toBeUndefined();
    }));
});

describe('the sync state', () => {
  test('ends as synced, without earlier failures', () =>
    withStore((store) => {
      createReport(store, newReport());
      finish(store, ID);
      recordShell(store, ID, shell);
      const lastFailure = { code: 'INTERNAL', at: AT, phase: 'upload' } as const;
      expect(recordSyncFailure(store, ID, lastFailure).sync.lastFailure).toEqual(lastFailure);
      expect(recordFinalized(store, ID, AT).state).toBe('synced');
      expect(findReport(store, ID)).toMatchObject({ state: 'synced', sync: { ...shell, finalizedAt: AT } });
      expect(findReport(store, ID)?.sync.lastFailure).toBeUndefined();
      expect(() =>
        refreeze(store, ID, (set) => ({ set, bytes: Buffer.from(''), result: undefined }), options),
      ).toThrow('is synced');
    }));

  test('begins again when the shell is gone', () =>
    withStore((store) => {
      createReport(store, newReport());
      recordShell(store, ID, shell);
      forgetShell(store, ID);
      expect(findReport(store, ID)?.sync).toEqual({ isReceived: false });
    }));
});
