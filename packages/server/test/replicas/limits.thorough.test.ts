/**
 * Three replicas share every rate limit, wherever it is counted: no replica has a window of its own, and no number of
 * parallel guesses of a share's password costs more than ten hashes.
 */
import { codeOf, createShell, PASSWORD, shareOf, type Actors, type SessionActor } from '@svc/testkit';
import { unlessShort } from '@svc/testkit/lane';
import {
  startReplicas,
  startSharedStores,
  storesMissing,
  type Replicas,
  type SharedStores,
} from '@svc/testkit/replicas';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const GUESSES = unlessShort(2000, 10_000);
const AT_ONCE = 500;
const RIGHT = 'Crème brûlée, 8 portions';
const LOCKED_SECONDS = 600;
/** A time to wait may be shorter than the window by this much. */
const SECONDS_APART_MAX = 10;

describe.skipIf(storesMissing())('rate limits of three replicas (install Ceph and Redis)', () => {
  let stores: SharedStores;
  beforeAll(async () => {
    stores = await startSharedStores();
  });
  afterAll(() => stores?.remove());

  describe.each([
    ['Redis', true],
    ['PostgreSQL', false],
  ])('that count in %s', (_, countsInRedis) => {
    let replicas: Replicas;
    let owner: SessionActor;
    let reportId: string;
    beforeAll(async () => {
      replicas = await startReplicas(stores, { countsInRedis, throttled: true });
      owner = await replicas.signUp();
      ({ reportId } = await createShell(await replicas.linkDevice(owner)));
    });
    afterAll(() => replicas?.close());

    const newLink = () => shareOf(owner, reportId, { password: RIGHT });

    const read = (slug: string, password: string, { anonymous }: Actors = replicas) =>
      anonymous.fetch(`/api/v1/shares/slug/${slug}/report`, {
        headers: { 'x-svc-share-password': Buffer.from(password).toString('latin1') },
      });

    async function codeOfRead(reading: Promise<Response>): Promise<string> {
      const answer = await reading;
      const body = (await answer.json()) as { error: { code: string } };
      return answer.ok ? 'ok' : body.error.code;
    }

    /** How often each code was returned to these reads. */
    async function tally(reads: readonly (() => Promise<Response>)[]): Promise<Record<string, number>> {
      const atOnce = pLimit(AT_ONCE);
      const codes = await Promise.all(reads.map((one) => atOnce(() => codeOfRead(one()))));
      return Object.fromEntries(
        [...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]),
      );
    }

    test(`[T17] of ${GUESSES} parallel wrong passwords at most ten are checked, and then every replica is locked`, async () => {
      const { slug } = await newLink();
      // Sent alone, so that it is checked on a busy machine too: if the counter's answer is late, a guess counts but is
      // not checked.
      expect(await codeOfRead(read(slug, 'the first wrong one'))).toBe('SHARE_PASSWORD_REQUIRED');
      const guesses = Array.from(
        { length: GUESSES },
        (__, at) => () => read(slug, `wrong one ${at}`, replicas.at(at % 3)),
      );
      const {
        SHARE_PASSWORD_REQUIRED: checked = 0,
        RATE_LIMITED: limited = 0,
        ...others
      } = await tally(guesses);
      expect(1 + checked).toBeLessThanOrEqual(10);
      const { INTERNAL: unavailable = 0, ...wrong } = others;
      expect(wrong).toEqual({});
      expect(checked + limited + unavailable).toBe(GUESSES);
      expect(limited).toBeGreaterThan(GUESSES / 2);
      for (const index of [0, 1, 2]) {
        const answer = await read(slug, RIGHT, replicas.at(index));
        expect(answer.status).toBe(429);
        const seconds = Number(answer.headers.get('retry-after'));
        expect(seconds).toBeGreaterThan(0);
        expect(seconds).toBeLessThanOrEqual(LOCKED_SECONDS);
      }
    });

    test('[T17] right passwords all pass, on every replica', async () => {
      const { slug } = await newLink();
      expect(await tally(Array.from({ length: 99 }, () => () => read(slug, RIGHT)))).toEqual({ ok: 99 });
      expect(await tally([0, 1, 2].map((index) => () => read(slug, RIGHT, replicas.at(index))))).toEqual({
        ok: 3,
      });
    });

    test('[T17] nine wrong passwords on one replica leave one guess on another', async () => {
      const { slug } = await newLink();
      for (let index = 0; index < 9; index += 1)
        expect(await codeOfRead(read(slug, `wrong ${index}`, replicas.at(0)))).toBe(
          'SHARE_PASSWORD_REQUIRED',
        );
      expect(await codeOfRead(read(slug, RIGHT, replicas.at(1)))).toBe('ok');
      expect(await codeOfRead(read(slug, 'wrong', replicas.at(2)))).toBe('SHARE_PASSWORD_REQUIRED');
      for (const index of [0, 1, 2])
        expect(await codeOfRead(read(slug, RIGHT, replicas.at(index)))).toBe('RATE_LIMITED');
    });

    /** The statuses of calls that go to the replicas in turn, and then the time to wait that each replica names. */
    async function exhaust(count: number, call: (index: number) => Promise<Response>) {
      const statuses: number[] = [];
      for (let index = 0; index < count; index += 1) statuses.push((await call(index % 3)).status);
      const waits: number[] = [];
      for (const index of [0, 1, 2]) {
        const answer = await call(index);
        expect(answer.status).toBe(429);
        waits.push(Number(answer.headers.get('retry-after')));
      }
      return { statuses, waits };
    }

    function expectOneWindow(waits: readonly number[], seconds: number): void {
      for (const wait of waits) {
        expect(wait).toBeLessThanOrEqual(seconds);
        expect(wait).toBeGreaterThan(seconds - SECONDS_APART_MAX);
      }
    }

    test('[T4] an account gets ten wrong passwords in fifteen minutes over all replicas', async () => {
      const body = { email: 'someone@example.test', password: 'wrong horse battery' };
      const call = (index: number) => replicas.at(index).anonymous.post('/auth/login', body);
      const { statuses, waits } = await exhaust(10, call);
      expect(new Set(statuses)).toEqual(new Set([401]));
      expectOneWindow(waits, 15 * 60);
    });

    test('[T4] a network gets twenty sign-ups in an hour over all replicas', async () => {
      const tried = await Promise.all(
        Array.from({ length: 30 }, (__, at) =>
          replicas.anonymous.api.signUp({ body: { email: `person-${at}@example.test`, password: PASSWORD } }),
        ),
      );
      // The first sign-up of this network was the owner's. On an overloaded machine a store may answer too late: such a
      // sign-up gets 503, whether or not it was counted.
      const ok = tried.filter((one) => one.ok);
      const unavailable = tried.filter((one) => !one.ok && one.status === 503);
      const others = tried.filter((one) => !one.ok && one.status !== 503);
      expect(new Set(others.map(codeOf))).toEqual(new Set(['RATE_LIMITED']));
      expect(ok.length).toBeLessThanOrEqual(19);
      expect(ok.length + unavailable.length).toBeGreaterThanOrEqual(19);
      for (const index of [0, 1, 2]) {
        const email = `one-more-${index}@example.test`;
        const answer = await replicas.at(index).anonymous.post('/auth/signup', { email, password: PASSWORD });
        expect(answer.status).toBe(429);
      }
    });
  });
});
