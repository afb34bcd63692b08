/** Three replicas share every rate limit, wherever they count: no replica has a window of its own. */
import { codeOf, PASSWORD } from '@svc/testkit';
import {
  startReplicas,
  startSharedStores,
  storesMissing,
  type Replicas,
  type SharedStores,
} from '@svc/testkit/replicas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Between two answers that tell how long a window lasts. */
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
    beforeAll(async () => {
      replicas = await startReplicas(stores, { countsInRedis, throttled: true });
    });
    afterAll(() => replicas?.close());

    /** The statuses of calls by turns, and then the time to wait that each replica names. */
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

    test('[T4] ten wrong passwords of an account in fifteen minutes', async () => {
      const body = { email: 'someone@example.test', password: 'wrong horse battery' };
      const call = (index: number) => replicas.at(index).anonymous.post('/auth/login', body);
      const { statuses, waits } = await exhaust(10, call);
      expect(new Set(statuses)).toEqual(new Set([401]));
      expectOneWindow(waits, 15 * 60);
    });

    test('[T4] parallel sign-ups of one network: twenty in an hour', async () => {
      const tried = await Promise.all(
        Array.from({ length: 30 }, (__, at) =>
          replicas.anonymous.api.signUp({ body: { email: `person-${at}@example.test`, password: PASSWORD } }),
        ),
      );
      expect(tried.filter(({ ok }) => ok)).toHaveLength(20);
      expect(new Set(tried.filter(({ ok }) => !ok).map(codeOf))).toEqual(new Set(['RATE_LIMITED']));
    });
  });
});
