/** How many findings an account decides about in an hour. */
import { HOUR_MS } from '@svc/contract/durations';
import { bindProject, codeOf, createFakeClock, findingBody, startServer, syncReport } from '@svc/testkit';
import { expect, test } from 'vitest';

test('[D31] an account decides about at most 20,000 findings an hour, and a rejected call counts nothing', async () => {
  const clock = createFakeClock();
  await using server = await startServer({ clock, throttled: true });
  const [owner, other] = [await server.signUp(), await server.signUp()];
  const reportOf = async (person: typeof owner) => {
    const findings = Array.from({ length: 1000 }, (_, index) => findingBody(index + 1));
    const device = await server.linkDevice(person);
    return (await syncReport(device, { project: await bindProject(person), body: { findings } })).reportId;
  };
  const ids = Array.from({ length: 1000 }, (_, index) => `F-${index + 1}`);
  const decide = (person: typeof owner, id: string, findingIds: string[], note: string) =>
    person.api.changeFindings({ params: { id }, body: { findingIds, status: 'false_positive', note } });
  const [own, foreign] = [await reportOf(owner), await reportOf(other)];
  for (let call = 1; call < 20; call += 1) expect(codeOf(await decide(owner, own, ids, 'same'))).toBe('ok');
  expect(codeOf(await decide(owner, foreign, ids, 'same'))).toBe('NOT_FOUND');
  expect(codeOf(await decide(owner, own, ids.slice(1), 'same'))).toBe('ok');
  const rejected = await decide(owner, own, ids.slice(0, 2), 'one too many');
  expect(rejected).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } });
  expect(codeOf(await decide(owner, own, ids.slice(0, 1), 'the last'))).toBe('ok');
  expect(codeOf(await decide(other, foreign, ids, 'same'))).toBe('ok');
  clock.advance(HOUR_MS);
  expect(codeOf(await decide(owner, own, ids, 'again'))).toBe('ok');
});
