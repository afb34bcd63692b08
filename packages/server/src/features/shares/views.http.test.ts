/** How views of shares are counted. */
import {
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  shareOf,
  startServer,
  syncReport,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test, vi } from 'vitest';

const PASSWORD = 'a word for guests';
const clock = createFakeClock();
let owner: SessionActor;
let reportId: string;

const server = sharedServer({ clock, generousPlans: true });

beforeAll(async () => {
  owner = await server.signUp();
  ({ reportId } = await syncReport(await server.linkDevice(owner)));
});

const path = (slug: string) => `/api/v1/shares/slug/${slug}`;
const flush = () => server.runJob('views of shares');

async function view(slug: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1)
    bodyOf(await server.anonymous.api.readShare({ params: { slug } }));
}

async function viewsOf(shareId: string): Promise<[count: number, at: string | null]> {
  const { shares } = bodyOf(await owner.api.listShares({ params: { id: reportId } }));
  const share = shares.find(({ id }) => id === shareId);
  return [share?.viewCount ?? -1, share?.lastViewedAt ?? null];
}

async function written(shareId: string, of = server) {
  return of.service.database.read
    .selectFrom('shares')
    .select(['viewCount', 'lastViewedAt'])
    .where('id', '=', shareId)
    .executeTakeFirst();
}

const now = () => new Date(clock.now()).toISOString();

describe('views', () => {
  test('[D10] count each read, with the time of the last', async () => {
    const { shareId, slug } = await shareOf(owner, reportId);
    expect(await viewsOf(shareId)).toEqual([0, null]);
    await view(slug, 2);
    clock.advance(1000);
    await view(slug);
    expect(await viewsOf(shareId)).toEqual([3, now()]);
  });

  test('[D10] do not count a HEAD request, an export or a denial', async () => {
    const { shareId, slug } = await shareOf(owner, reportId, { password: PASSWORD });
    await server.anonymous.fetch(`${path(slug)}/report`, {
      method: 'HEAD',
      headers: { 'x-svc-share-password': PASSWORD },
    });
    await server.anonymous.fetch(`${path(slug)}/export/json?password=${encodeURIComponent(PASSWORD)}`);
    expect(codeOf(await server.anonymous.api.readShare({ params: { slug } }))).toBe(
      'SHARE_PASSWORD_REQUIRED',
    );
    await flush();
    expect(await viewsOf(shareId)).toEqual([0, null]);
  });

  test('[D10] are the same before and after they are written, and are written once', async () => {
    const { shareId, slug } = await shareOf(owner, reportId);
    await view(slug, 3);
    const at = now();
    expect(await written(shareId)).toEqual({ viewCount: 0, lastViewedAt: null });
    await flush();
    expect(await written(shareId)).toEqual({ viewCount: 3, lastViewedAt: clock.now() });
    await flush();
    expect(await viewsOf(shareId)).toEqual([3, at]);
    clock.advance(5000);
    await view(slug);
    expect(await viewsOf(shareId)).toEqual([4, now()]);
    await flush();
    expect(await viewsOf(shareId)).toEqual([4, now()]);
  });

  test('[D10] are written every five seconds, without a request', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    try {
      await using own = await startServer({ generousPlans: true, sweeps: true });
      const person = await own.signUp();
      const { reportId: id } = await syncReport(await own.linkDevice(person));
      const { shareId, slug } = await shareOf(person, id);
      bodyOf(await own.anonymous.api.readShare({ params: { slug } }));
      expect(await written(shareId, own)).toMatchObject({ viewCount: 0 });
      vi.advanceTimersByTime(5000);
      vi.useRealTimers();
      await expect.poll(() => written(shareId, own)).toMatchObject({ viewCount: 1 });
    } finally {
      vi.useRealTimers();
    }
  });

  test('[D10] are neither lost nor doubled while others are written', async () => {
    const { shareId, slug } = await shareOf(owner, reportId);
    const readers = Array.from({ length: 6 }, () => view(slug, 25));
    for (let round = 0; round < 10; round += 1) {
      await flush();
      await view(slug);
    }
    await Promise.all(readers);
    expect((await viewsOf(shareId))[0]).toBe(160);
    await flush();
    expect(await written(shareId)).toMatchObject({ viewCount: 160 });
  });

  test('[D10] keep the last time when the clock steps back', async () => {
    const { shareId, slug } = await shareOf(owner, reportId);
    const at = now();
    await view(slug);
    await flush();
    clock.advance(-60_000);
    await view(slug);
    expect(await viewsOf(shareId)).toEqual([2, at]);
    await flush();
    expect(await viewsOf(shareId)).toEqual([2, at]);
    clock.advance(60_000);
  });

  test('[D10] of a deleted share do not delay those of other shares', async () => {
    const { reportId: id } = await createShell(await server.linkDevice(owner));
    const gone = await shareOf(owner, id);
    const { shareId, slug } = await shareOf(owner, reportId);
    await view(gone.slug);
    await view(slug);
    await server.service.database.read.deleteFrom('shares').where('id', '=', gone.shareId).execute();
    await flush();
    expect(await written(shareId)).toMatchObject({ viewCount: 1 });
  });

  test('[D10] are written when the service stops', async () => {
    const { shareId, slug } = await shareOf(owner, reportId);
    await view(slug, 2);
    await server.service.app.close();
    expect(await written(shareId)).toMatchObject({ viewCount: 2 });
  });
});
