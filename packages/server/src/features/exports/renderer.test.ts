import { reportBytesOfSize } from '@svc/testkit/report-body';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRenderer, type Renderer, type RendererOptions, type WantedRendering } from './renderer.ts';
import type { RenderingForm, RenderingTask } from './rendering.ts';

const MIB = 1024 * 1024;
const forms: readonly RenderingForm[] = ['data', 'json', 'markdown', 'html', 'sarif'];
/** Budgets that no test reaches, so that only the queues can be full. */
const UNBOUNDED = { ownerMs: 1e9, linkMs: 1e9, networkMs: 1e9 };
let renderer: Renderer;

beforeAll(() => {
  renderer = createRenderer({ reportBytesMax: 12 * MIB, budgets: UNBOUNDED });
});
afterAll(() => renderer.close());

function taskOf(form: RenderingForm, sizeBytes: number): RenderingTask {
  return {
    bytes: reportBytesOfSize('local-report', sizeBytes),
    overlays: {},
    projectionInput: { reportId: 'rep_1', projectedFor: { principalType: 'user' }, share: null },
    form,
    reportUrl: 'https://svc.test/reports/rep_1',
    newFindingIds: ['F-1'],
  };
}

function wanted(sizeBytes: number, form: RenderingForm, ownerId = 'usr_1'): WantedRendering {
  return { ownerId, shareId: null, network: null, sizeBytes, form };
}

test.each(forms)('[D11] [P4] %s has the same bytes from the main thread and from a worker', async (form) => {
  const [small, large] = [taskOf(form, 60_000), taskOf(form, 60_000)];
  const here = await renderer.render(wanted(0, form), async () => small);
  const elsewhere = await renderer.render(wanted(12 * MIB, form), async () => large);
  expect(Buffer.compare(here.bytes, elsewhere.bytes)).toBe(0);
  expect({ ...elsewhere, bytes: null }).toEqual({ ...here, bytes: null });
  // The bytes of the large task were transferred to the worker.
  expect([small.bytes.length > 50_000, large.bytes.length]).toEqual([true, 0]);
});

test(
  '[P4] the largest report is rendered for a page and in every export format within the memory of a worker',
  { tags: 'thorough' },
  async () => {
    for (const form of forms) {
      const task = taskOf(form, 12 * MIB);
      const { bytes } = await renderer.render(wanted(task.bytes.length, form), async () => task);
      expect(bytes.length).toBeGreaterThan(8 * MIB);
    }
  },
);

test('a worker that crashes fails its own task with 503, and a new worker renders the next', async () => {
  const broken = { ...taskOf('json', 200_000), bytes: new Uint8Array(200_000) };
  const all = [broken, taskOf('json', 200_000), broken, taskOf('json', 200_000)].map((task) =>
    renderer
      .render(wanted(200_000, 'json'), async () => ({ ...task, bytes: task.bytes.slice() }))
      .then(
        ({ bytes }) => (bytes.length > 150_000 ? 'made' : 'too little'),
        (error: unknown) => {
          const { code, status } = error as { code: string; status: number };
          return `${code} ${status}`;
        },
      ),
  );
  expect(await Promise.all(all)).toEqual(['INTERNAL 503', 'made', 'INTERNAL 503', 'made']);
});

test('a rendering that cannot begin fails, and frees its place in the queue', async () => {
  const failing = Array.from({ length: 30 }, (_, index) =>
    renderer.render(wanted(index % 2 === 0 ? 0 : 12 * MIB, 'json'), () => Promise.reject(new Error('gone'))),
  );
  const outcomes = await Promise.allSettled(failing);
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  const { bytes } = await renderer.render(wanted(0, 'json'), async () => taskOf('json', 5000));
  expect(bytes.length).toBeGreaterThan(1000);
});

interface RenderingOutcome {
  readonly message: string;
  readonly code?: string;
  readonly retryAfterMs?: number;
}

describe('a crowd of renderings', () => {
  /**
   * Requests `count` renderings of one size, each of another owner by default. Each fails once its turn has come and
   * the test lets it go.
   */
  function crowd(count: number, sizeBytes: number, ownerOf = (index: number) => `usr_${index}`) {
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    const all = Array.from({ length: count }, async (_, index): Promise<RenderingOutcome> => {
      try {
        await renderer.render(wanted(sizeBytes, 'data', ownerOf(index)), async () => {
          begun += 1;
          await gate.promise;
          throw new Error('let go');
        });
        return { message: 'made' };
      } catch (error) {
        return error as RenderingOutcome;
      }
    });
    function letGo(): Promise<RenderingOutcome[]> {
      gate.resolve();
      return Promise.all(all);
    }
    return { begun: () => begun, letGo };
  }

  test.each([
    ['small', 1000, 8 + 512],
    ['large', 12 * MIB, 2 + 64],
  ] as const)(
    '[T23] of %s reports waits up to a limit, and every rendering beyond it is RATE_LIMITED',
    async (_, sizeBytes, room) => {
      const waiting = crowd(room + 10, sizeBytes);
      const outcomes = await waiting.letGo();
      expect(outcomes.filter(({ code }) => code === 'RATE_LIMITED')).toHaveLength(10);
      expect(outcomes.at(-1)).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 2000 });
      expect(outcomes.filter(({ message }) => message === 'let go')).toHaveLength(room);
    },
  );

  test('[P4] of large reports does not delay small ones', async () => {
    const large = crowd(50, 12 * MIB);
    const { bytes } = await renderer.render(wanted(1000, 'html'), async () => taskOf('html', 5000));
    expect(bytes.length).toBeGreaterThan(1000);
    expect(large.begun()).toBe(2);
    await large.letGo();
  });

  test.each([
    ['small', 1000, 8 + 256],
    ['large', 12 * MIB, 2 + 16],
  ] as const)('[T23] of %s reports of one owner leaves capacity for others', async (_, sizeBytes, room) => {
    const ofOne = crowd(room + 10, sizeBytes, () => 'usr_1');
    const ofAnother = crowd(1, sizeBytes, () => 'usr_2');
    const outcomes = await ofOne.letGo();
    expect(outcomes.filter(({ code }) => code === 'RATE_LIMITED')).toHaveLength(10);
    expect(await ofAnother.letGo()).toMatchObject([{ message: 'let go' }]);
  });

  test.each([
    ['small', 5000, 8],
    ['large', 400_000, 2],
  ] as const)(
    '[T23] of %s reports of one owner delays another owner only until the current ones end; then both take turns',
    async (_, sizeBytes, underWay) => {
      const made: string[] = [];
      const make = async (ownerId: string) => {
        const task = taskOf('json', sizeBytes);
        await renderer.render(wanted(sizeBytes, 'json', ownerId), async () => task);
        made.push(ownerId);
      };
      const ofOne = Array.from({ length: underWay + 14 }, () => make('usr_1'));
      const ofOthers = ['usr_2', 'usr_2', 'usr_3'].map(make);
      await Promise.all([...ofOne, ...ofOthers]);
      const one = Array.from({ length: underWay }, () => 'usr_1');
      // A new owner begins level with the last rendering of usr_1 that runs. So usr_2 and usr_3 come next, and then all
      // take turns.
      expect(made.slice(0, underWay + 5)).toEqual([...one, 'usr_2', 'usr_3', 'usr_1', 'usr_2', 'usr_1']);
      expect(made).toHaveLength(underWay + 14 + 3);
    },
  );
});

describe('[T28] lanes', () => {
  /** Fills every export lane with renderings that run until they are released. */
  function busyExports() {
    const gate = Promise.withResolvers<void>();
    const sizes = [1000, 500_000, 12 * MIB];
    const all = sizes.flatMap((sizeBytes) =>
      Array.from({ length: 12 }, (_, index) =>
        renderer
          .render(wanted(sizeBytes, 'html', `usr_attacker_${index % 5}`), async () => {
            await gate.promise;
            throw new Error('let go');
          })
          .catch((error: unknown) => (error as Error).message),
      ),
    );
    return { letGo: () => (gate.resolve(), Promise.all(all)) };
  }

  test.each([
    ['small', 5000],
    ['medium', 200_000],
    ['large', 12 * MIB],
  ])('a page read of a %s report is answered while all exports are blocked', async (_, sizeBytes) => {
    const exports = busyExports();
    const { bytes } = await renderer.render(wanted(sizeBytes, 'data'), async () => taskOf('data', 5000));
    expect(bytes.length).toBeGreaterThan(1000);
    expect(new Set(await exports.letGo())).toEqual(new Set(['let go']));
  });

  test('an export of a medium report does not wait for a large one', async () => {
    const gate = Promise.withResolvers<void>();
    const large = Array.from({ length: 5 }, (_, index) =>
      renderer.render(wanted(12 * MIB, 'html', `usr_${index}`), async () => {
        await gate.promise;
        return taskOf('html', 5000);
      }),
    );
    const { bytes } = await renderer.render(wanted(200_000, 'html'), async () => taskOf('html', 5000));
    expect(bytes.length).toBeGreaterThan(1000);
    gate.resolve();
    await Promise.all(large);
  });

  test.each([
    ['small', 1000, 8 + 256],
    ['medium', 500_000, 2 + 16],
    ['large', 12 * MIB, 2 + 16],
  ] as const)(
    'an owner’s export of a %s report comes next, however many exports through share links wait',
    async (_, sizeBytes, room) => {
      const made: string[] = [];
      const gate = Promise.withResolvers<void>();
      const make = async (shareId: string | null) => {
        await renderer.render({ ...wanted(sizeBytes, 'json'), shareId }, async () => {
          await gate.promise;
          made.push(shareId ?? 'own');
          return taskOf('json', 1000);
        });
      };
      const throughLinks = Array.from({ length: room }, async (_none, index) => make(`shr_${index}`));
      await expect(make('shr_more')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
      const own = make(null);
      gate.resolve();
      await Promise.all([own, ...throughLinks]);
      expect(made.indexOf('own')).toBeLessThan(room / 4);
    },
  );

  test('page reads are within their budget while exports use up theirs', async () => {
    await using narrow = closing({ ownerMs: 1000, linkMs: 1000, networkMs: 1000 });
    const gate = Promise.withResolvers<void>();
    const task = async () => {
      await gate.promise;
      return taskOf('html', 5000);
    };
    const first = narrow.renderer.render(wanted(12 * MIB, 'html'), task);
    await expect(narrow.renderer.render(wanted(12 * MIB, 'html'), task)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    await narrow.renderer.render(wanted(5000, 'data'), async () => taskOf('data', 5000));
    gate.resolve();
    await first;
  });

  test.each([
    ['small', 5000],
    ['medium', 200_000],
  ])(
    'an export of a %s report that is too large is CONFLICT, and a page of that size works',
    async (_, sizeBytes) => {
      await using bounded = closing(UNBOUNDED, { exportBytesMax: 2000 });
      const renderAs = (form: RenderingForm) =>
        bounded.renderer.render(wanted(sizeBytes, form), async () => taskOf(form, 5000));
      for (const form of ['html', 'json', 'markdown', 'sarif'] as const)
        await expect(renderAs(form)).rejects.toMatchObject({ code: 'CONFLICT' });
      expect((await renderAs('data')).bytes.length).toBeGreaterThan(2000);
    },
  );

  test('an export that takes too much processor time is RATE_LIMITED, and a page that does returns 503', async () => {
    await using bounded = closing(UNBOUNDED, { workMsMax: 1 });
    const renderAs = (form: RenderingForm) =>
      bounded.renderer.render(wanted(12 * MIB, form), async () => taskOf(form, 2 * MIB));
    await expect(renderAs('html')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 60_000 });
    await expect(renderAs('data')).rejects.toMatchObject({ code: 'INTERNAL', status: 503 });
  });
});

function closing(budgets: RendererOptions['budgets'], bounds: Partial<RendererOptions> = {}) {
  const other = createRenderer({ reportBytesMax: 12 * MIB, budgets, ...bounds });
  return { renderer: other, [Symbol.asyncDispose]: () => other.close() };
}
