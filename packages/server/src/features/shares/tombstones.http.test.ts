/** What remains of shares when their report ends, and for how long. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  filesHolding,
  postgresUrl,
  shareOf,
  wholePolicy,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const CANARY = 'canary-5e1f';
const PASSWORD = 'a word for guests';
const clock = createFakeClock();
let owner: SessionActor;

const server = sharedServer({ clock, generousPlans: true });

beforeAll(async () => {
  owner = await server.signUp();
});

async function newLink() {
  const project = await bindProject(owner);
  const { reportId } = await createShell(await server.linkDevice(owner), project);
  const { shareId, slug } = await shareOf(owner, reportId, {
    mode: 'private',
    password: PASSWORD,
    label: `${CANARY} of the link`,
    defaultPolicy: { version: 1, sections: { ids: [] }, findings: { ids: [`${CANARY}-1`] } },
    principals: [
      {
        principalValue: 'guest@example.test',
        label: `${CANARY} of the guest`,
        policy: { ...wholePolicy, findings: { ids: [`${CANARY}-2`] } },
      },
    ],
  });
  return { reportId, projectId: project.projectId, shareId, slug };
}

async function rowsOf(shareId: string) {
  const db = server.service.database.read;
  const share = await db.selectFrom('shares').selectAll().where('id', '=', shareId).executeTakeFirst();
  const named = await db.selectFrom('sharePrincipals').selectAll().where('shareId', '=', shareId).execute();
  return { share, named };
}

const opens = async (slug: string) =>
  codeOf(await owner.api.readShare({ params: { slug }, sharePassword: PASSWORD }));

describe('when a report ends', () => {
  const ends: Record<string, (ids: { reportId: string; projectId: string }) => Promise<unknown>> = {
    'by hand': async ({ reportId }) => bodyOf(await owner.api.deleteReport({ params: { id: reportId } })),
    'with its project': async ({ projectId }) =>
      bodyOf(await owner.api.deleteProject({ params: { id: projectId } })),
    'by the clock': async () => {
      clock.advance(21 * DAY_MS);
      await server.runJob('expired reports');
    },
  };

  test.each(Object.keys(ends))(
    '[D6] %s, its shares lose their policies and keep who may see that it ended',
    async (how) => {
      const link = await newLink();
      const before = await rowsOf(link.shareId);
      expect(JSON.stringify(before)).toContain(CANARY);
      await ends[how]!(link);
      const after = await rowsOf(link.shareId);
      expect(JSON.stringify(after)).not.toContain(CANARY);
      expect(after).toEqual({
        share: {
          ...before.share,
          label: null,
          defaultPolicy: null,
          policyDigest: null,
          createdBy: null,
          endedAt: clock.now(),
        },
        named: before.named.map((principal) => ({
          ...principal,
          label: null,
          policy: null,
          policyDigest: null,
        })),
      });
    },
  );

  test('[D6] by the clock, its shares show that immediately, before any job runs', async () => {
    owner = await server.signUp();
    const { slug } = await newLink();
    expect(await opens(slug)).toBe('ok');
    clock.advance(21 * DAY_MS);
    expect(await opens(slug)).toBe('REPORT_EXPIRED');
    await server.runJob('expired reports');
    expect(await opens(slug)).toBe('REPORT_EXPIRED');
  });

  describe.skipIf(postgresUrl !== undefined)('the files, on SQLite', () => {
    const file = () => join(server.dataDir, 'svc.db');
    const holding = (...texts: string[]) => filesHolding(server.dataDir, texts).map((path) => basename(path));
    const OLD = 'F-7654321';
    async function endedLink() {
      owner = await server.signUp();
      const { reportId, shareId } = await newLink();
      for (const ids of [[OLD], [`${CANARY}-3`]])
        bodyOf(
          await owner.api.changeShare({
            params: { shareId },
            body: { reportId, defaultPolicy: { version: 1, sections: { ids: [] }, findings: { ids } } },
          }),
        );
      expect(holding(OLD)).toEqual(['svc.db-wal']);
      bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
    }

    test('[T24] contain nothing that the shares showed, now or before a change', async () => {
      await endedLink();
      await server.runJob('expired reports');
      expect(readFileSync(file()).length).toBeGreaterThan(10_000);
      expect(holding(CANARY, OLD)).toEqual([]);
    });

    test(
      '[T24] are scrubbed later if a program is reading them, and no request waits for that',
      { tags: 'thorough' },
      async () => {
        await endedLink();
        const reader = new DatabaseSync(file(), { readOnly: true });
        reader.exec('BEGIN');
        reader.prepare('select count(*) from shares').get();
        const began = performance.now();
        await expect(server.runJob('expired reports')).rejects.toThrow(/another program is reading/);
        expect(performance.now() - began).toBeLessThan(4000);
        expect(holding(OLD)).not.toEqual([]);
        reader.close();
        await server.runJob('expired reports');
        expect(holding(CANARY, OLD)).toEqual([]);
      },
    );
  });
});

test('[D6] ninety days after a report is deleted, its shares are deleted, and no others', async () => {
  owner = await server.signUp();
  const [old, young, present] = [await newLink(), await newLink(), await newLink()];
  bodyOf(await owner.api.deleteReport({ params: { id: old.reportId } }));
  clock.advance(1);
  bodyOf(await owner.api.deleteReport({ params: { id: young.reportId } }));
  const left = async () => {
    const rows = await server.service.database.read
      .selectFrom('shares')
      .select('id')
      .where('id', 'in', [old.shareId, young.shareId, present.shareId])
      .execute();
    return rows.map(({ id }) => id).toSorted();
  };
  clock.advance(90 * DAY_MS - 2);
  await server.runJob('shares of ended reports');
  expect(await left()).toHaveLength(3);
  clock.advance(1);
  await server.runJob('shares of ended reports');
  expect(await left()).toEqual([young.shareId, present.shareId].toSorted());
  expect((await rowsOf(old.shareId)).named).toEqual([]);
  expect((await rowsOf(young.shareId)).named).toHaveLength(1);
});
