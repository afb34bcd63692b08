/** The operator's tables that replace the default ones, as the service reads them at its start. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bodyOf, codeOf, startServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-operator-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function fileOf(content: unknown): Promise<string> {
  files += 1;
  const path = join(folder, `${files}.json`);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** The lines with which the start failed. A service that did start is closed. */
async function rejection(config: { plansPath?: string; throttlesPath?: string }): Promise<readonly string[]> {
  try {
    await (await startServer({ config })).close();
    return [];
  } catch (error) {
    return (error as { lines: readonly string[] }).lines;
  }
}

const limits = { daily: 1, weekly: 2, retentionDays: 3, activeShares: 4 };
const plans = { free: limits, pro: limits, team: limits, enterprise: limits };
const planned = (plan: keyof typeof plans, given: Readonly<Record<string, unknown>>) => ({
  ...plans,
  [plan]: { ...limits, ...given },
});

const WHAT_TO_DO =
  /; it must be a JSON file as docs\/OPERATING\.md describes it, or unset to use the built-in values\.$/;

describe('PLANS_PATH', () => {
  test('[D5] its table replaces the default one', async () => {
    const plansPath = await fileOf(planned('free', { daily: 7, weekly: 9, retentionDays: 11 }));
    await using server = await startServer({ config: { plansPath } });
    const person = await server.signUp();
    const replaced = { daily: { limit: 7 }, weekly: { limit: 9 }, retentionDays: 11 };
    expect(bodyOf(await person.api.getSyncQuota())).toMatchObject(replaced);
  });

  test('[D5] a limit of zero blocks immediately', async () => {
    const plansPath = await fileOf(planned('free', { daily: 0 }));
    await using server = await startServer({ config: { plansPath } });
    const person = await server.signUp();
    expect(bodyOf(await person.api.getSyncQuota())).toMatchObject({ eligible: false, blockedBy: 'daily' });
    const { quota } = server.service.app;
    const reserved = server.service.database.transaction((tx) =>
      quota.reserve(tx, { id: quota.newReservationId(), userId: person.user.userId, plan: 'free' }),
    );
    await expect(reserved).rejects.toMatchObject({ code: 'SYNC_DAILY_LIMIT_REACHED' });
  });

  test.each([
    ['that is not JSON', '{"free":', 'it is not JSON'],
    ['that is empty', '', 'it is not JSON'],
    ['that is not an object', [], 'its content'],
    ['without a plan', { ...plans, enterprise: undefined }, '/enterprise is required'],
    ['with a plan that is not known', { ...plans, gold: limits }, '/gold'],
    ['without one of the numbers', planned('pro', { weekly: undefined }), '/pro/weekly is required'],
    ['with a negative number', planned('pro', { daily: -1 }), '/pro/daily'],
    ['with a fraction', planned('team', { weekly: 1.5 }), '/team/weekly'],
    ['with a number as text', planned('team', { weekly: '10' }), '/team/weekly'],
    ['that keeps reports for zero days', planned('free', { retentionDays: 0 }), '/free/retentionDays'],
  ])('[D15] a file %s stops the start with one line', async (_, content, reason) => {
    const plansPath = await fileOf(content);
    const lines = await rejection({ plansPath });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^PLANS_PATH: [^\n]+$/);
    expect(lines[0]).toContain(JSON.stringify(plansPath));
    expect(lines[0]).toContain(reason);
    expect(lines[0]).toMatch(WHAT_TO_DO);
  });

  test('[D15] a missing file, and a folder, stop the start with one line', async () => {
    for (const plansPath of [join(folder, 'missing.json'), folder]) {
      const lines = await rejection({ plansPath });
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(
        /^PLANS_PATH: is .* (?:there is no such file \(ENOENT\)|it is a folder \(EISDIR\)); /,
      );
      expect(lines[0]).toMatch(WHAT_TO_DO);
    }
  });
});

describe('THROTTLES_PATH', () => {
  test('[D3] its limits replace the default ones, and absent ones stay', async () => {
    const throttlesPath = await fileOf({ loginAccount: { limit: 2, windowMs: 60_000 } });
    await using server = await startServer({ config: { throttlesPath } });
    const { email } = await server.signUp();
    const { api } = server.anonymous;
    const guess = () => api.logIn({ body: { email, password: 'not the password' } });
    const recovery = { email, recoveryCode: '00000', newPassword: 'a newer secret than before' };
    const recover = () => api.recover({ body: recovery });
    for (const [limit, call] of [
      [2, guess],
      [5, recover],
    ] as const) {
      for (let tried = 0; tried < limit; tried += 1) expect(codeOf(await call())).toBe('UNAUTHENTICATED');
      expect(codeOf(await call())).toBe('RATE_LIMITED');
    }
  });

  test.each([
    ['with a throttle that is not known', { loginPlanet: { limit: 1, windowMs: 1000 } }, '/loginPlanet'],
    ['with a budget of zero', { loginAccount: { limit: 0, windowMs: 1000 } }, '/loginAccount/limit'],
    ['with a window of 999 ms', { loginAccount: { limit: 1, windowMs: 999 } }, '/loginAccount/windowMs'],
    ['without a window', { signupNetwork: { limit: 1 } }, '/signupNetwork/windowMs is required'],
    ['with a rendering budget of zero', { rendering: { ownerMs: 0 } }, '/rendering/ownerMs'],
    ['with a rendering budget that is not known', { rendering: { planetMs: 1000 } }, '/rendering/planetMs'],
    ['that is not JSON', 'loginAccount: 5', 'it is not JSON'],
  ])('[D15] a file %s stops the start with one line', async (_, content, reason) => {
    const throttlesPath = await fileOf(content);
    const lines = await rejection({ throttlesPath });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^THROTTLES_PATH: [^\n]+$/);
    expect(lines[0]).toContain(reason);
    expect(lines[0]).toMatch(WHAT_TO_DO);
  });
});
