import { bytesOf, reportBody } from '@svc/testkit/report-body';
import { expect, test } from 'vitest';
import { prepareSealing, unseal } from '#platform/sealing';
import { systemRandom } from '#platform/random';
import { createBodyChecker } from './body-checker.ts';

const MIB = 1024 * 1024;
const findingKey = new Uint8Array(32);
const context = ['a body'];
const key = systemRandom.bytes(32);

function bodyOf(localReportId: string) {
  const bytes = bytesOf(JSON.stringify(reportBody({ localReportId })));
  return { bytes, localReportId, findingKey, sealing: prepareSealing(key, context, systemRandom) };
}

test('[T11] small bodies that arrive together are checked one in each tick of the event loop', async () => {
  const checker = createBodyChecker(MIB);
  await checker.check(bodyOf('the-first'));
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);

  const turns = await Promise.all(
    Array.from({ length: 10 }, async (_, number) => {
      const { ok } = await checker.check(bodyOf(`report-${number}`));
      return ok ? turn : -1;
    }),
  );
  isOver = true;

  expect(new Set(turns).size).toBe(10);
  expect(turns).not.toContain(-1);
  await checker.close();
});

test('a body whose check fails does not delay the bodies behind it', async () => {
  const checker = createBodyChecker(MIB);
  const body = bodyOf('the-report');
  const outcomes = await Promise.all([checker.check({ ...body, bytes: bytesOf('{') }), checker.check(body)]);
  expect(outcomes.map(({ ok }) => ok)).toStrictEqual([false, true]);
  await checker.close();
});

test.each([
  ['on the main thread', 0],
  ['in a worker', 200_000],
])('[D6] a body that is checked %s is returned sealed', async (_, padding) => {
  const checker = createBodyChecker(MIB);
  const text = JSON.stringify(reportBody({ localReportId: 'the-report' })) + ' '.repeat(padding);
  const outcome = await checker.check({ ...bodyOf('the-report'), bytes: bytesOf(text) });
  await checker.close();
  if (!outcome.ok) throw new Error('The body was rejected.');
  expect(Buffer.from(unseal(key, context, Buffer.concat(outcome.sealed))).toString()).toBe(text);
});
