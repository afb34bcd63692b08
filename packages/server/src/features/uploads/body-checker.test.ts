import { bytesOf, reportBody } from '@svc/testkit/report-body';
import { expect, test } from 'vitest';
import { shapeOf } from '#platform/json-shape';
import { bodyBounds } from './body-bounds.ts';
import { createBodyChecker } from './body-checker.ts';

const MIB = 1024 * 1024;
const findingKey = new Uint8Array(32);

function bodyOf(localReportId: string) {
  const bytes = bytesOf(JSON.stringify(reportBody({ localReportId })));
  return { bytes, shape: shapeOf(bytes, bodyBounds(bytes.length)), localReportId, findingKey };
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

test('a body whose check fails delays none of those behind it', async () => {
  const checker = createBodyChecker(MIB);
  const body = bodyOf('the-report');
  const outcomes = await Promise.all([checker.check({ ...body, bytes: bytesOf('{') }), checker.check(body)]);
  expect(outcomes.map(({ ok }) => ok)).toStrictEqual([false, true]);
  await checker.close();
});
