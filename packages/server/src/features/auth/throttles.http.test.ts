import { atOnce, codeOf, cookieOf, createFakeClock, PASSWORD } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { afterEach, describe, expect, test } from 'vitest';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WRONG = 'not the password at all';
const NEW_PASSWORD = 'a newer secret than before';
const clock = createFakeClock();
// One trusted proxy, so that a test can choose its network address.
const server = sharedServer({ clock, throttled: true, config: { trustedProxyHops: 1 } });
// Ends every window before the next test begins.
afterEach(() => clock.advance(2 * HOUR_MS));

let networks = 0;
/** An address that no other test uses. */
function freshNetwork(): string {
  networks += 1;
  return `10.${networks >> 16}.${(networks >> 8) & 255}.${networks & 255}`;
}

interface Called {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

const postFrom = (network: string, path: string, body: unknown) =>
  server.anonymous.post(path, body, { 'x-forwarded-for': network });

async function post(path: string, body: unknown, network: string): Promise<Called> {
  const answer = await postFrom(network, path, body);
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
}

const logIn = (email: string, password: string, network = freshNetwork()) =>
  post('/auth/login', { email, password }, network);
const recover = (email: string, recoveryCode: string, network = freshNetwork()) =>
  post('/auth/recover', { email, recoveryCode, newPassword: NEW_PASSWORD }, network);

let accounts = 0;
async function makeAccount(): Promise<{ email: string; recoveryCode: string; cookie: string }> {
  accounts += 1;
  const email = `t${accounts}@throttled.test`;
  const answer = await postFrom(freshNetwork(), '/auth/signup', { email, password: PASSWORD });
  const { recoveryCode } = (await answer.json()) as { recoveryCode: string };
  return { email, recoveryCode, cookie: cookieOf(answer) };
}

/** Makes the calls one after the other, and returns the status of each response. */
async function times(count: number, call: (index: number) => Promise<Called>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await call(index)).status);
  return statuses;
}

const all = (status: number, count: number) => Array.from({ length: count }, () => status);
const WRONG_CODE = '00000-00000-00000-00000-00000';

describe('logging in', () => {
  test('[D3] ten wrong passwords for an account lock it for 15 minutes, even for the right password', async () => {
    const { email } = await makeAccount();
    expect(await times(10, () => logIn(email, WRONG))).toEqual(all(401, 10));
    const rejected = await logIn(email, PASSWORD);
    expect(rejected).toMatchObject({ status: 429, retryAfter: '900' });
    expect(JSON.parse(rejected.text)).toMatchObject({ error: { code: 'RATE_LIMITED' } });
    clock.advance(5 * MINUTE_MS);
    expect(await logIn(email, PASSWORD)).toMatchObject({ status: 429, retryAfter: '600' });
    clock.advance(10 * MINUTE_MS - 1);
    expect(await logIn(email, PASSWORD)).toMatchObject({ status: 429, retryAfter: '1' });
    clock.advance(1);
    expect(await logIn(email, PASSWORD)).toMatchObject({ status: 200 });
  });

  test('[D3] a right password refunds its own attempt, and no other', async () => {
    const { email } = await makeAccount();
    const network = freshNetwork();
    expect(await times(9, () => logIn(email, WRONG, network))).toEqual(all(401, 9));
    expect(await times(60, () => logIn(email, PASSWORD, network))).toEqual(all(200, 60));
    expect(await logIn(email, WRONG, network)).toMatchObject({ status: 401 });
    expect(await logIn(email, PASSWORD, network)).toMatchObject({ status: 429 });
  });

  test('[T4] another spelling of an address counts against the same limit', async () => {
    const { email } = await makeAccount();
    const spellings = [email, email.toUpperCase(), ` ${email} `, `\t${email}`];
    expect(await times(10, (index) => logIn(spellings[index % 4] ?? '', WRONG))).toEqual(all(401, 10));
    expect(await logIn(email.toUpperCase(), PASSWORD)).toMatchObject({ status: 429 });
  });

  test('[T4] of parallel guesses at most ten are checked', async () => {
    const { email } = await makeAccount();
    const answers = await atOnce(40, () => logIn(email, WRONG));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  test('[D3] fifty wrong passwords from a network lock it for 15 minutes, and no other network', async () => {
    const { email } = await makeAccount();
    const network = freshNetwork();
    expect(await times(50, (index) => logIn(`nobody-${index}@throttled.test`, WRONG, network))).toEqual(
      all(401, 50),
    );
    expect(await logIn(email, PASSWORD, network)).toMatchObject({ status: 429, retryAfter: '900' });
    expect(await logIn(email, PASSWORD)).toMatchObject({ status: 200 });
    clock.advance(15 * MINUTE_MS);
    expect(await logIn(email, PASSWORD, network)).toMatchObject({ status: 200 });
  });

  test('[T4] attempts from a locked network do not count against the account', async () => {
    const { email } = await makeAccount();
    const network = freshNetwork();
    await times(50, (index) => logIn(`none-${index}@throttled.test`, WRONG, network));
    expect(await times(20, () => logIn(email, WRONG, network))).toEqual(all(429, 20));
    expect(await logIn(email, PASSWORD)).toMatchObject({ status: 200 });
  });

  test('[T4] a throttled response is the same for an existing account and an unknown one', async () => {
    const { email } = await makeAccount();
    const unknown = 'never-was@throttled.test';
    for (const address of [email, unknown]) await times(10, () => logIn(address, WRONG));
    const withoutId = ({ status, retryAfter, text }: Called) =>
      JSON.stringify([status, retryAfter, text.replace(/"requestId":"[^"]*"/, '')]);
    const answers = [await logIn(email, PASSWORD), await logIn(email, WRONG), await logIn(unknown, PASSWORD)];
    expect(new Set(answers.map(withoutId)).size).toBe(1);
    expect(answers[0]?.status).toBe(429);
  });
});

describe('confirming the password in an open session', () => {
  const confirm = (cookie: string, password: string) =>
    server.withCookie(cookie).api.replaceRecoveryCode({ body: { password } });
  async function confirmTimes(count: number, cookie: string): Promise<string[]> {
    const codes: string[] = [];
    for (let index = 0; index < count; index += 1) codes.push(codeOf(await confirm(cookie, WRONG)));
    return codes;
  }

  test('[D24] is locked by ten wrong passwords for 15 minutes, which leaves login and recovery open', async () => {
    const { email, recoveryCode, cookie } = await makeAccount();
    expect(await confirmTimes(10, cookie)).toEqual(Array.from({ length: 10 }, () => 'FORBIDDEN'));
    expect(await confirm(cookie, PASSWORD)).toMatchObject({
      status: 429,
      error: { code: 'RATE_LIMITED' },
      retryAfterMs: 900_000,
    });
    expect(await logIn(email, PASSWORD)).toMatchObject({ status: 200 });
    expect(await recover(email, recoveryCode)).toMatchObject({ status: 200 });
  });

  test('[D24] stays possible while login and recovery are locked for the account', async () => {
    const { email, cookie } = await makeAccount();
    await times(10, () => logIn(email, WRONG));
    await times(5, () => recover(email, WRONG_CODE));
    expect(await logIn(email, PASSWORD)).toMatchObject({ status: 429 });
    expect(codeOf(await confirm(cookie, PASSWORD))).toBe('ok');
  });

  test('[D24] has one limit for every session and every route of the account', async () => {
    const { email, cookie } = await makeAccount();
    const second = cookieOf(await postFrom(freshNetwork(), '/auth/login', { email, password: PASSWORD }));
    await confirmTimes(10, cookie);
    const { api } = server.withCookie(second);
    const body = { password: PASSWORD };
    expect(codeOf(await api.changePassword({ body: { ...body, newPassword: NEW_PASSWORD } }))).toBe(
      'RATE_LIMITED',
    );
    expect(codeOf(await api.confirmSession({ body }))).toBe('RATE_LIMITED');
  });
});

describe('recovering', () => {
  test('[D3] five wrong codes for an account lock it for an hour, even for the right code', async () => {
    const { email, recoveryCode } = await makeAccount();
    expect(await times(5, () => recover(email, WRONG_CODE))).toEqual(all(401, 5));
    expect(await recover(email, recoveryCode)).toMatchObject({ status: 429, retryAfter: '3600' });
    expect(await logIn(email, PASSWORD)).toMatchObject({ status: 200 });
    clock.advance(HOUR_MS);
    expect(await recover(email, recoveryCode)).toMatchObject({ status: 200 });
  });

  test('[D3] twenty wrong codes from a network lock it for an hour', async () => {
    const { email, recoveryCode } = await makeAccount();
    const network = freshNetwork();
    expect(
      await times(20, (index) => recover(`nobody-${index}@throttled.test`, WRONG_CODE, network)),
    ).toEqual(all(401, 20));
    expect(await recover(email, recoveryCode, network)).toMatchObject({ status: 429, retryAfter: '3600' });
    expect(await recover(email, recoveryCode)).toMatchObject({ status: 200 });
  });

  test('[D3] a right code refunds its attempt', async () => {
    const { email, recoveryCode } = await makeAccount();
    await times(4, () => recover(email, WRONG_CODE));
    let code = recoveryCode;
    for (let index = 0; index < 3; index += 1) {
      const recovered = await recover(email, code);
      expect(recovered.status).toBe(200);
      code = (JSON.parse(recovered.text) as { recoveryCode: string }).recoveryCode;
    }
    expect(await recover(email, WRONG_CODE)).toMatchObject({ status: 401 });
    expect(await recover(email, code)).toMatchObject({ status: 429 });
  });
});

describe('signing up and creating device links', () => {
  const verifierHash = 'a'.repeat(64);
  const link = { verifierHash, deviceName: 'laptop', clientVersion: '1.0.0', osFamily: 'linux', arch: 'x64' };

  test('[D3] a network can sign up twenty times an hour; a rejected sign-up counts if it passes the schema', async () => {
    const network = freshNetwork();
    const { email } = await makeAccount();
    const signUp = (body: object) => post('/auth/signup', body, network);
    expect(await times(10, () => signUp({ email: 'no address', password: PASSWORD }))).toEqual(all(422, 10));
    expect(await times(10, () => signUp({ email, password: PASSWORD }))).toEqual(all(409, 10));
    expect(await times(9, () => signUp({ email: 'weak@throttled.test', password: '1qaz2wsx3edc' }))).toEqual(
      all(422, 9),
    );
    expect(await signUp({ email: 'last@throttled.test', password: PASSWORD })).toMatchObject({ status: 201 });
    const one = { email: 'one-more@throttled.test', password: PASSWORD };
    expect(await signUp(one)).toMatchObject({ status: 429, retryAfter: '3600' });
    clock.advance(HOUR_MS);
    expect(await signUp(one)).toMatchObject({ status: 201 });
  });

  test('[D3] a network can create thirty device links in ten minutes', async () => {
    const network = freshNetwork();
    const begin = () => post('/device-links', link, network);
    expect(await times(30, begin)).toEqual(all(201, 30));
    expect(await begin()).toMatchObject({ status: 429, retryAfter: '600' });
    expect(await post('/device-links', link, freshNetwork())).toMatchObject({ status: 201 });
    clock.advance(10 * MINUTE_MS);
    expect(await begin()).toMatchObject({ status: 201 });
  });
});
