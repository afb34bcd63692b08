import type { CreateReportBody } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createTeam,
  joinTeam,
  makeOwner,
  newLocalId,
  reportRow,
  shellOf,
  storeEvents,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeEach, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-01-07T12:00:00.000Z');
const clock = createFakeClock(START);
let owner: SessionActor;
let device: DeviceActor;
let project: BoundProject;

const server = sharedServer({ clock });
beforeEach(async () => {
  clock.set(START);
  owner = await server.signUp();
  device = await server.linkDevice(owner);
  project = await bindProject(owner);
});

async function create(given: Partial<CreateReportBody> = {}, by = device): Promise<string> {
  return bodyOf(await by.api.createReport({ body: shellOf(project, given) })).reportId;
}
const remove = async (by: Pick<SessionActor, 'api'>, id: string) =>
  codeOf(await by.api.deleteReport({ params: { id } }));
const used = async (by = owner) => bodyOf(await by.api.getSyncQuota()).daily.used;
const listed = async (by: Pick<SessionActor, 'api'> = owner) =>
  bodyOf(await by.api.listReports()).reports.map(({ reportId }) => reportId);
const sweep = () => server.runJob('expired reports');
const rowOf = (id: string) => reportRow(server, id);

describe('deleting', () => {
  test('[D16] an aborted scan returns its unit: the device deletes its live report', async () => {
    const localReportId = newLocalId();
    const id = await create({ localReportId });
    expect(await used()).toBe(1);
    expect(await device.api.deleteReport({ params: { id } })).toEqual({
      ok: true,
      status: 200,
      body: { reportId: id, deleted: true },
    });
    expect(await used()).toBe(0);
    expect(await listed()).toEqual([]);
  });

  test('[D6] a deleted report returns REPORT_EXPIRED to its owner and their device, also by its local id', async () => {
    const localReportId = newLocalId();
    const id = await create({ localReportId });
    expect(await remove(owner, id)).toBe('ok');
    expect(await remove(owner, id)).toBe('REPORT_EXPIRED');
    expect(await remove(device, id)).toBe('REPORT_EXPIRED');
    const again = await device.api.createReport({ body: shellOf(project, { localReportId }) });
    expect(codeOf(again)).toBe('REPORT_EXPIRED');
    expect(await used()).toBe(0);
  });

  test('[D6] a tombstone keeps ids, owner and times, and no metadata of the scan', async () => {
    const id = await create({ projectName: 'Named', agent: { name: 'agent' }, host: { arch: 'x64' } });
    clock.advance(5000);
    await remove(owner, id);
    expect(await rowOf(id)).toMatchObject({
      ownerId: owner.user.userId,
      state: 'expired',
      expiredAt: START + 5000,
      createdAt: START,
      projectName: null,
      agent: null,
      host: null,
      wrappedKey: null,
      reservationId: null,
    });
  });

  test('[D16] a member is FORBIDDEN, and their device gets NOT_FOUND', async () => {
    const member = await server.signUp();
    const team = await createTeam(owner, [member]);
    const id = await create({ ...(await bindProject(owner, team)) });
    expect(await remove(member, id)).toBe('FORBIDDEN');
    expect(await remove(await server.linkDevice(member), id)).toBe('NOT_FOUND');
    expect(await listed()).toEqual([id]);
  });

  test('100 parallel deletions return one unit', async () => {
    const id = await create();
    await create();
    const codes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => remove(index % 2 === 0 ? owner : device, id)),
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
    expect(codes.filter((code) => code === 'REPORT_EXPIRED')).toHaveLength(99);
    expect(await used()).toBe(1);
  });
});

describe('expiry by the clock', () => {
  test('[D6] decides immediately, before the sweeper runs', async () => {
    const localReportId = newLocalId();
    const id = await create({ localReportId });
    clock.set(START + 21 * DAY_MS - 1);
    expect(await listed()).toEqual([id]);
    clock.advance(1);
    expect(await listed()).toEqual([]);
    expect(codeOf(await owner.api.getReport({ params: { id } }))).toBe('REPORT_EXPIRED');
    expect(await remove(owner, id)).toBe('REPORT_EXPIRED');
    const again = await device.api.createReport({ body: shellOf(project, { localReportId }) });
    expect(codeOf(again)).toBe('REPORT_EXPIRED');
    expect((await rowOf(id)).state).toBe('live');
  });

  test('[D6] the sweeper turns every expired report into a tombstone, and no other report', async () => {
    const due = await create();
    clock.set(START + DAY_MS);
    const later = await create();
    clock.set(START + 21 * DAY_MS);
    await sweep();
    expect(await rowOf(due)).toMatchObject({ state: 'expired', expiredAt: START + 21 * DAY_MS });
    expect((await rowOf(later)).state).toBe('live');
  });

  test('a clock that steps back restores nothing that was swept', async () => {
    const id = await create();
    clock.set(START + 22 * DAY_MS);
    await sweep();
    clock.set(START);
    expect(await remove(owner, id)).toBe('REPORT_EXPIRED');
    expect(await listed()).toEqual([]);
  });
});

test('the progress events of an ended report are deleted by the sweep, however many there are', async () => {
  const id = await create();
  await storeEvents(server, id, 5000);
  expect(await remove(owner, id)).toBe('ok');
  await sweep();
  await server.runJob('events of expired reports');
  const { read } = server.service.database;
  const left = await read.selectFrom('progressEvents').select('number').where('reportId', '=', id).execute();
  expect(left).toEqual([]);
  expect((await rowOf(id)).lastEventNumber).toBe(0);
});

describe('a report whose project, workspace or owner changes', () => {
  test('[D5] deleting a project expires its reports and returns their units', async () => {
    const id = await create();
    bodyOf(await owner.api.deleteProject({ params: { id: project.projectId } }));
    expect((await rowOf(id)).state).toBe('expired');
    expect(await used()).toBe(0);
    expect(await remove(device, id)).toBe('REPORT_EXPIRED');
  });

  test("[D5] deleting a workspace expires everyone's reports in it", async () => {
    const member = await server.signUp();
    const team = await createTeam(owner, [member]);
    const bound = await bindProject(owner, team);
    const ids = [await create({ ...bound }), await create({ ...bound }, await server.linkDevice(member))];
    const elsewhere = await create();
    bodyOf(await owner.api.deleteWorkspace({ params: { id: team } }));
    for (const id of ids) expect((await rowOf(id)).state).toBe('expired');
    expect((await rowOf(elsewhere)).state).toBe('live');
    expect([await used(), await used(member)]).toEqual([1, 0]);
  });

  test.each(['leave', 'are removed', 'delete their account'] as const)(
    '[D5] when members %s, their reports pass to the owner with the oldest membership, and their devices lose access',
    async (how) => {
      const [leaver, laterOwner] = [await server.signUp(), await server.signUp()];
      const team = await createTeam(owner);
      for (const person of [leaver, laterOwner]) {
        clock.advance(1000);
        await joinTeam(owner, team, person);
        await makeOwner(owner, team, person);
      }
      const bound = await bindProject(owner, team);
      const theirDevice = await server.linkDevice(leaver);
      const id = await create({ ...bound }, theirDevice);
      const params = { id: team, userId: leaver.user.userId };
      const done = {
        leave: () => leaver.api.removeMember({ params }),
        'are removed': () => laterOwner.api.removeMember({ params }),
        'delete their account': () => leaver.api.deleteAccount({ body: { password: leaver.password } }),
      };
      expect(codeOf(await done[how]())).toBe('ok');
      expect(await rowOf(id)).toMatchObject({ ownerId: owner.user.userId, state: 'live' });
      expect(await remove(theirDevice, id)).toBe(
        how === 'delete their account' ? 'UNAUTHENTICATED' : 'NOT_FOUND',
      );
      expect(await remove(laterOwner, id)).toBe('FORBIDDEN');
      expect(await remove(owner, id)).toBe('ok');
    },
  );

  test('[D5] reports created while their creator leaves belong to a remaining member', async () => {
    for (let round = 0; round < 5; round += 1) {
      const leaver = await server.signUp();
      const team = await createTeam(owner, [leaver]);
      const theirDevice = await server.linkDevice(leaver);
      const shared = await bindProject(owner, team);
      const make = () => theirDevice.api.createReport({ body: shellOf(shared) });
      const params = { id: team, userId: leaver.user.userId };

      const made = [make(), make(), leaver.api.removeMember({ params }), make(), make()];
      const codes = (await Promise.all(made)).map(codeOf);

      expect(codes.filter((code) => code !== 'ok' && code !== 'NOT_FOUND')).toStrictEqual([]);
      const { reports } = bodyOf(await owner.api.listReports({ query: { workspaceId: team } }));
      const access = reports.map((report) => ('access' in report ? report.access : 'none'));
      expect(access.filter((one) => one !== 'owner')).toStrictEqual([]);
    }
  });

  test('[D5] deleting an account deletes the reports of its personal workspace', async () => {
    const id = await create();
    bodyOf(await owner.api.deleteAccount({ body: { password: owner.password } }));
    expect((await rowOf(id)).state).toBe('expired');
  });

  test('a report created while its project is deleted is rejected or expires with it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await server.signUp();
      const linked = await server.linkDevice(person);
      const bound = await bindProject(person);
      const [made] = await Promise.all([
        linked.api.createReport({ body: shellOf(bound) }),
        person.api.deleteProject({ params: { id: bound.projectId } }),
      ]);
      const live = await server.service.database.read
        .selectFrom('reports')
        .select('id')
        .where('projectId', '=', bound.projectId)
        .where('state', '<>', 'expired')
        .execute();
      expect(['ok', 'NOT_FOUND', 'REPORT_EXPIRED']).toContain(codeOf(made));
      expect(live).toEqual([]);
      expect(await used(person)).toBe(0);
    }
  });
});
