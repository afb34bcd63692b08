/** What a device says of itself, as the person who approves gets to see it. */
import { createHash } from 'node:crypto';
import {
  APP_ORIGIN,
  bodyOf,
  codeOf,
  createFakeClock,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;

beforeAll(async () => {
  server = await startServer({ clock });
  owner = await server.signUp();
});
afterAll(() => server.close());

type Description = Record<'deviceName' | 'clientVersion' | 'osFamily' | 'arch', string>;
const plain: Description = { deviceName: 'laptop', clientVersion: '1.0.0', osFamily: 'linux', arch: 'x64' };

function begin(given: Partial<Description>, at: TestServer = server) {
  const body = { verifierHash: 'a'.repeat(64), ...plain, ...given };
  return at.anonymous.api.createDeviceLink({ body });
}

async function described(given: Partial<Description>) {
  const { publicRequestId } = bodyOf(await begin(given));
  return bodyOf(await owner.api.getDeviceLink({ params: { id: publicRequestId } }));
}

describe('the words of a device', () => {
  test.each([
    ['white space at the ends', '  my laptop\t\n', 'my laptop'],
    ['control characters', 'a\u0000b\u0007c\u001b[31md\u007fe\u009bf', 'abc[31mdef'],
    ['line breaks and separators', 'one\r\ntwo\u2028three\u2029four\u0085five', 'onetwothreefourfive'],
    ['bidirectional overrides', '\u202egnp.exe\u202c\u2066x\u2067y\u2068z\u2069', 'gnp.exexyz'],
    ['directional marks', 'a\u200eb\u200fc\u061cd\u202ae\u202bf\u202dg', 'abcdefg'],
    ['nothing but what is removed', '\u202e\u0000 \t', 'unknown'],
    ['nothing', '', 'unknown'],
    ['white space that is left after removing', '\u202e  a  \u202c', 'a'],
    ['letters of every script', 'Ноутбук 笔记本 لابتوب 💻', 'Ноутбук 笔记本 لابتوب 💻'],
    ['markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('[D4] %s are made safe in all four fields', async (_, given, kept) => {
    const all = { deviceName: given, clientVersion: given, osFamily: given, arch: given };
    const { deviceName, clientVersion, osFamily, arch } = await described(all);
    expect([deviceName, clientVersion, osFamily, arch]).toEqual([kept, kept, kept, kept]);
  });

  test('[D4] more than 80 characters are cut, between characters and not within', async () => {
    expect((await described({ deviceName: 'n'.repeat(80) })).deviceName).toBe('n'.repeat(80));
    expect((await described({ deviceName: 'n'.repeat(81) })).deviceName).toBe('n'.repeat(80));
    expect((await described({ deviceName: '💻'.repeat(100) })).deviceName).toBe('💻'.repeat(80));
    expect((await described({ deviceName: `${' '.repeat(20)}${'n'.repeat(79)} n` })).deviceName).toBe(
      'n'.repeat(79),
    );
  });

  test('[D4] 500 characters are taken, 501 are not', async () => {
    expect(codeOf(await begin({ deviceName: '💻'.repeat(500) }))).toBe('ok');
    expect(await begin({ arch: 'x'.repeat(501) })).toMatchObject({
      error: { code: 'VALIDATION_FAILED', details: { issues: [{ path: '/arch' }] } },
    });
  });

  test('[D4] all five fields are required', async () => {
    for (const left of ['verifierHash', ...Object.keys(plain)]) {
      const body: Record<string, string> = { verifierHash: 'a'.repeat(64), ...plain };
      delete body[left];
      const answer = await server.anonymous.fetch('/api/v1/device-links', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ error: { details: { issues: [{ path: `/${left}` }] } } });
    }
  });

  test('[D4] the device bears the words that were approved', async () => {
    const device = await server.linkDevice(owner, {
      deviceName: ' \u202enice name ',
      clientVersion: '3.2.1',
    });
    const { device: current } = bodyOf(await device.api.getCurrentDevice());
    expect(current).toMatchObject({
      deviceName: 'nice name',
      clientVersion: '3.2.1',
      osFamily: 'linux',
      arch: 'x64',
    });
  });

  test('[T7] the page bears them, their time and the match code, as data that nothing runs', async () => {
    const { publicRequestId } = bodyOf(
      await begin({ deviceName: '<img src=x onerror=alert(1)>', osFamily: '"\'&</script>' }),
    );
    clock.advance(3 * 60_000);
    const page = await (await owner.fetch(`/link/${publicRequestId}`)).text();
    expect(page).not.toContain('<img');
    expect(page.match(/<\/script>/g)).toHaveLength(2);
    const [, block = ''] = /<script type="application\/json" id="first-data">(.*)<\/script>/.exec(page) ?? [];
    const params = { id: publicRequestId };
    const link = bodyOf(await owner.api.getDeviceLink({ params }));
    expect(link).toMatchObject({ deviceName: '<img src=x onerror=alert(1)>', osFamily: '"\'&</script>' });
    expect(JSON.parse(block)).toContainEqual({ name: 'getDeviceLink', input: { params }, body: link });
  });
});

describe('the match code', () => {
  /** Written a second time, and slowly: the bits of the hash, five at a time. */
  function expectedCode(publicRequestId: string): string {
    const hash = createHash('sha256').update(publicRequestId).digest();
    const bits = [...hash].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    const letters = Array.from(
      { length: 8 },
      (_, index) => alphabet[Number.parseInt(bits.slice(index * 5, index * 5 + 5), 2)],
    );
    return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
  }

  test('[D4] is the first eight Crockford characters of the SHA-256 of the request id', async () => {
    for (let index = 0; index < 20; index += 1) {
      const { publicRequestId } = await server.beginLink();
      const link = bodyOf(await owner.api.getDeviceLink({ params: { id: publicRequestId } }));
      expect(link.matchCode).toBe(expectedCode(publicRequestId));
    }
  });
});

describe('client versions', () => {
  const tooOld = 'CLIENT_VERSION_TOO_OLD';
  const revoked = 'CLIENT_VERSION_REVOKED';

  test.each([
    ['1.4.0', 'ok'],
    ['v1.4.0', 'ok'],
    ['2.0.0-beta.1', 'ok'],
    ['1.4.0+build.7', 'ok'],
    [' 1.4.0 ', 'ok'],
    ['1.10.0', 'ok'],
    ['1.3.9', tooOld],
    ['1.4.0-rc.1', tooOld],
    ['0.99.99', tooOld],
    ['latest', tooOld],
    ['', tooOld],
    ['1.4', tooOld],
    ['1.5.0', revoked],
    ['1.5.0+other-build', revoked],
    ['1.0.0', revoked],
    ['1.5.0-rc.1', 'ok'],
  ])('[D6] with a least and two withdrawn versions, %j is answered with %s', async (clientVersion, code) => {
    expect(codeOf(await begin({ clientVersion }, await guarded()))).toBe(code);
  });

  test('[D6] refusals are 403 and say which version would do', async () => {
    const outcome = await begin({ clientVersion: '1.0.1' }, await guarded());
    expect(outcome).toMatchObject({ status: 403, error: { message: expect.stringContaining('1.4.0') } });
  });

  test('[D6] without a least version anything is let in, withdrawn ones apart', async () => {
    await using open = await startServer({
      clock,
      config: { clientVersions: { min: null, revoked: ['1.5.0'] } },
    });
    expect(codeOf(await begin({ clientVersion: 'nightly' }, open))).toBe('ok');
    expect(codeOf(await begin({ clientVersion: '0.0.1' }, open))).toBe('ok');
    expect(codeOf(await begin({ clientVersion: '1.5.0' }, open))).toBe(revoked);
  });

  let guardedServer: Promise<TestServer> | undefined;
  const guarded = () =>
    (guardedServer ??= startServer({
      clock,
      config: { clientVersions: { min: '1.4.0', revoked: ['1.5.0', '1.0.0'] } },
    }));
  afterAll(async () => (await guardedServer)?.close());
});

describe('the addresses that are given out', () => {
  test('[T6] they come from the configuration, whatever Host and forwarding headers say', async () => {
    const answer = await server.anonymous.fetch('/api/v1/device-links', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-host': 'evil.test',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.test',
      },
      body: JSON.stringify({ verifierHash: 'a'.repeat(64), ...plain }),
    });
    const text = await answer.text();
    expect(text).not.toContain('evil.test');
    expect(JSON.parse(text)).toMatchObject({ approvalUrl: expect.stringMatching(`^${APP_ORIGIN}/link/`) });
  });

  test('[D4] the API address of a credential is the origin of the API, without a path', async () => {
    const config = { appBaseUrl: 'https://app.example.test', apiBaseUrl: 'https://api.example.test' };
    await using split = await startServer({ clock, config });
    const person = await split.anonymous.fetch('/api/v1/auth/signup', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'split@example.test', password: 'correct horse battery' }),
    });
    const cookie = person.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { publicRequestId, verifier } = await split.beginLink();
    const approved = await split.anonymous.fetch(`/api/v1/device-links/${publicRequestId}/approve`, {
      method: 'POST',
      headers: { cookie, origin: config.appBaseUrl },
    });
    expect(approved.status).toBe(200);
    const params = { id: publicRequestId };
    const exchanged = bodyOf(await split.anonymous.api.exchangeDeviceLink({ params, body: { verifier } }));
    expect(exchanged.apiBaseUrl).toBe('https://api.example.test');
  });
});
