import { setImmediate as turn } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { topics } from '#platform/bus/topics';
import { codings, type Prepared } from '#prepared';
import { BudgetExceeded } from './rendering-budgets.ts';
import { createRenderingCache, type RenderingCache } from './rendering-cache.ts';
import type { Rendering } from './rendering.ts';

const MIB = 1024 * 1024;
const KEPT_BYTES_MAX = 64 * MIB;

/** The bus of one process, without transactions. */
function createHints() {
  const listeners = new Map<string, Set<() => void>>();
  return {
    subscribe(topic: string, listener: () => void) {
      const of = listeners.get(topic) ?? new Set();
      listeners.set(topic, of.add(listener));
      return () => {
        of.delete(listener);
        if (of.size === 0 && listeners.get(topic) === of) listeners.delete(topic);
      };
    },
    end: (reportId: string) => {
      for (const listener of listeners.get(topics.report(reportId)) ?? []) listener();
    },
    count: () => [...listeners.values()].reduce((sum, of) => sum + of.size, 0),
  };
}

let hints: ReturnType<typeof createHints>;
let cache: RenderingCache;
let made: string[];

beforeEach(() => {
  hints = createHints();
  cache = createRenderingCache(hints);
  made = [];
});

const renderingOf = (text: string): Rendering => ({
  bytes: new TextEncoder().encode(text),
  contentType: 'text/plain; charset=utf-8',
  fileName: 'report.txt',
});
const LONG = 'all of this is text of the report\n'.repeat(200);

async function find(reportId: string, key: string, text = `${LONG}${key}`): Promise<Prepared> {
  return cache.find(reportId, key, async () => {
    made.push(key);
    await turn();
    return renderingOf(text);
  });
}

const textIn = async (prepared: Prepared) => Buffer.from(await prepared.bytesIn('identity')).toString();

describe('finding', () => {
  test('[P12] a rendering is created once for all who wait for it or come later', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => find('rep_1', 'a')));
    await find('rep_1', 'a');
    expect(made).toEqual(['a']);
    expect(new Set(await Promise.all(all.map(textIn)))).toEqual(new Set([`${LONG}a`]));
    expect(all[0]).toMatchObject({ contentType: 'text/plain; charset=utf-8', fileName: 'report.txt' });
  });

  test('[T15] each key has its own rendering', async () => {
    expect(await textIn(await find('rep_1', 'a'))).not.toBe(await textIn(await find('rep_1', 'b')));
    expect(made).toEqual(['a', 'b']);
  });

  test('[T28] a budget that one request exceeded does not fail the requests that waited with it', async () => {
    const rejected = cache.find('rep_1', 'a', async () => {
      await turn();
      throw new BudgetExceeded('Too much.', 1000);
    });
    const joined = [find('rep_1', 'a'), find('rep_1', 'a')];
    await expect(rejected).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(await Promise.all((await Promise.all(joined)).map(textIn))).toEqual([`${LONG}a`, `${LONG}a`]);
    expect(made).toEqual(['a']);
  });

  test('a failure is not cached, and fails only those who waited for it', async () => {
    const failing = () =>
      cache.find('rep_1', 'a', async () => {
        made.push('failing');
        await turn();
        throw new Error('no');
      });
    const outcomes = await Promise.allSettled([failing(), failing(), find('rep_1', 'a')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await textIn(await find('rep_1', 'a'))).toBe(`${LONG}a`);
    expect(made).toEqual(['failing', 'a']);
  });

  test('a failure leaves neither bytes nor a listener behind', async () => {
    await expect(cache.find('rep_1', 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect([cache.keptBytes(), hints.count()]).toEqual([0, 0]);
  });
});

describe('codings', () => {
  test('[P1] each coding is created on the first request for it, and once', async () => {
    const prepared = await find('rep_1', 'a');
    expect(prepared.codings).toEqual(codings);
    const plainBytes = cache.keptBytes();
    const many = await Promise.all(
      Array.from({ length: 20 }, async () => (await find('rep_1', 'a')).bytesIn('br')),
    );
    expect(new Set(many).size).toBe(1);
    expect(brotliDecompressSync(many[0] as Uint8Array).toString()).toBe(`${LONG}a`);
    expect(cache.keptBytes()).toBeGreaterThan(plainBytes);
    expect(gunzipSync(await prepared.bytesIn('gzip')).toString()).toBe(`${LONG}a`);
    expect(await textIn(prepared)).toBe(`${LONG}a`);
    expect(made).toEqual(['a']);
  });

  test('short responses are cached without a coding, and occupy only their bytes', async () => {
    expect((await find('rep_1', 'a', 'x'.repeat(1023))).codings).toEqual(['identity']);
    const prepared = await find('rep_1', 'b', 'x'.repeat(1024));
    expect(prepared.codings).toEqual(codings);
    const coded = await prepared.bytesIn('gzip');
    expect(coded.buffer.byteLength).toBe(coded.length);
  });
});

describe('the end of a report', () => {
  test('[T24] removes all of its renderings in the same tick, and no others', async () => {
    for (const coding of codings) await (await find('rep_1', 'a')).bytesIn(coding);
    await find('rep_1', 'b');
    const before = cache.keptBytes();
    await find('rep_2', 'c');
    const ofTheOther = cache.keptBytes() - before;
    hints.end('rep_1');
    expect([cache.keptBytes(), hints.count()]).toEqual([ofTheOther, 1]);
    hints.end('rep_2');
    expect([cache.keptBytes(), hints.count()]).toEqual([0, 0]);
  });

  test('[T24] gives a rendering under way to those who wait, and does not cache it', async () => {
    const waiting = find('rep_1', 'a');
    hints.end('rep_1');
    expect(await textIn(await waiting)).toBe(`${LONG}a`);
    expect([cache.keptBytes(), hints.count()]).toEqual([0, 0]);
  });

  test('[T24] does not cache a response composed of parts either', async () => {
    const whole = cache.find('rep_1', 'whole', async () => {
      const part = await find('rep_1', 'part');
      hints.end('rep_1');
      return renderingOf(`before ${await textIn(part)} after`);
    });
    expect(await textIn(await whole)).toBe(`before ${LONG}part after`);
    expect([cache.keptBytes(), hints.count()]).toEqual([0, 0]);
  });

  test('an unnecessary hint costs only another rendering', async () => {
    await find('rep_1', 'a');
    hints.end('rep_1');
    await find('rep_1', 'a');
    await find('rep_1', 'a');
    expect(made).toEqual(['a', 'a']);
    expect(hints.count()).toBe(1);
  });
});

describe('memory', () => {
  const megabytes = (reportId: string, key: string, count: number) =>
    cache.find(reportId, key, async () => {
      made.push(key);
      return { bytes: new Uint8Array(count * MIB), contentType: 'x' };
    });

  test('[P4] the size is bounded: the least recently used goes first, and its listener too', async () => {
    for (let index = 0; index < 10; index += 1) {
      await megabytes(`rep_${index}`, `key ${index}`, 10);
      await megabytes('rep_0', 'key 0', 10);
      expect(cache.keptBytes()).toBeLessThanOrEqual(KEPT_BYTES_MAX);
    }
    expect(made.filter((key) => key === 'key 0')).toHaveLength(1);
    expect(hints.count()).toBe(6);
    await megabytes('rep_1', 'key 1', 10);
    expect(made.filter((key) => key === 'key 1')).toHaveLength(2);
  });

  test('[P4] an entry that is too large is returned, not cached, and evicts nothing', async () => {
    await megabytes('rep_1', 'small', 1);
    const prepared = await megabytes('rep_2', 'large', 33);
    expect((await prepared.bytesIn('identity')).length).toBe(33 * MIB);
    expect([cache.keptBytes() < 2 * MIB, hints.count()]).toEqual([true, 1]);
    // Without the entry, the cache would not notice the end of its report. So it caches no codings of it either.
    expect((await prepared.bytesIn('gzip')).length).toBeLessThan(MIB);
    expect([cache.keptBytes() < 2 * MIB, hints.count()]).toEqual([true, 1]);
  });

  test('small entries count with an overhead', async () => {
    for (let index = 0; index < 20; index += 1) await find('rep_1', `key ${index}`, 'x');
    expect(cache.keptBytes()).toBeGreaterThan(20 * 500);
  });

  test('closing removes everything', async () => {
    await find('rep_1', 'a');
    await find('rep_2', 'b');
    cache.close();
    expect([cache.keptBytes(), hints.count()]).toEqual([0, 0]);
  });
});

test('[T24] in any order of events, no reader gets another’s bytes, and nothing of an ended report stays', async () => {
  const reportId = fc.constantFrom('rep_1', 'rep_2', 'rep_3');
  const call = fc.oneof(
    fc.record({
      do: fc.constant('find' as const),
      reportId,
      form: fc.constantFrom('html', 'json'),
      coding: fc.constantFrom(...codings),
      /** The ticks that a rendering takes, and those that pass before the coding is requested. */
      makingTurns: fc.nat(3),
      codingTurns: fc.nat(3),
      fails: fc.boolean(),
    }),
    fc.record({ do: fc.constant('end' as const), reportId }),
    fc.record({ do: fc.constant('turn' as const) }),
  );
  const undone = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Uint8Array) => bytes };
  const turns = async (count: number) => {
    for (let index = 0; index < count; index += 1) await turn();
  };
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 40 }), async (calls) => {
      const own = createHints();
      const tested = createRenderingCache(own);
      const underWay: Promise<void>[] = [];
      const strange: string[] = [];
      for (const each of calls) {
        if (each.do === 'turn') await turn();
        else if (each.do === 'end') own.end(each.reportId);
        else {
          const { form, coding, makingTurns, codingTurns, fails } = each;
          const key = `${each.reportId} ${form}`;
          const read = async () => {
            const prepared = await tested.find(each.reportId, key, async () => {
              await turns(makingTurns);
              if (fails) throw new Error('this rendering fails');
              return renderingOf(LONG + key);
            });
            await turns(codingTurns);
            const got = Buffer.from(undone[coding](await prepared.bytesIn(coding))).toString();
            if (got !== LONG + key) strange.push(key);
          };
          underWay.push(
            read().catch((error: unknown) => {
              if ((error as Error).message !== 'this rendering fails') throw error;
            }),
          );
        }
      }
      // A report that ends while reads are under way leaves nothing in the cache once they are done.
      const ended = ['rep_1', 'rep_2'];
      for (const id of ended) own.end(id);
      await Promise.all(underWay);
      own.end('rep_3');
      expect([strange, tested.keptBytes(), own.count()]).toEqual([[], 0, 0]);
    }),
  );
});
