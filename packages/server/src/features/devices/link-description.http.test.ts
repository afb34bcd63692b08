/** The description that a device sends, as the approving person sees it. */
import { createHash } from 'node:crypto';
import {
  APP_ORIGIN,
  bodyOf,
  codeOf,
  createFakeClock,
  exchangeLink,
  firstDataOf,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const clock = createFakeClock();
const server = sharedServer({ clock });
let owner: SessionActor;

beforeAll(async () => {
  owner = await server.signUp();
});

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

describe('the description of a device', () => {
  test.each([
    ['white space at the ends', '  my laptop\t\n', 'my laptop'],
    ['control characters', 'a\u0000b\u0007c\u001b[31md\u007fe\u009bf', 'abc[31mdef'],
    ['line breaks and separators', 'one\r\ntwo\u2028three\u2029four\u0085five', 'onetwothreefourfive'],
    ['bidirectional overrides', '\u202egnp.exe\u202c\u2066x\u2067y\u2068z\u2069', 'gnp.exexyz'],
    ['directional marks', 'a\u200eb\u200fc\u061cd\u202ae\u202bf\u202dg', 'abcdefg'],
    ['only characters that are removed', '\u202e\u0000 \t', 'unknown'],
    ['nothing', '', 'unknown'],
    ['white space that is left after removing', '\u202e  a  \u202c', 'a'],
    ['letters of every script', 'Ноутбук 笔记本 لابتوب 💻', 'Ноутбук 笔记本 لابتوب 💻'],
    ['markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('[D4] is made safe in all four fields: %s', async (_, given, kept) => {
    const all = { deviceName: given, clientVersion: given, osFamily: given, arch: given };
    const { deviceName, clientVersion, osFamily, arch } = await described(all);
    expect([deviceName, clientVersion, osFamily, arch]).toEqual([kept, kept, kept, kept]);
  });

  test('[D4] is cut after 80 characters, and never within a character', async () => {
    expect((await described({ deviceName: 'n'.repeat(80) })).deviceName).toBe('n'.repeat(80));
    expect((await described({ deviceName: 'n'.repeat(81) })).deviceName).toBe('n'.repeat(80));
    expect((await described({ deviceName: '💻'.repeat(100) })).deviceName).toBe('💻'.repeat(80));
    expect((await described({ deviceName: `${' '.repeat(20)}${'n'.repeat(79)} n` })).deviceName).toBe(
      'n'.repeat(79),
    );
  });

  test('[D4] the device has the description that was approved', async () => {
    const description = { deviceName: ' \u202enice name ', clientVersion: '3.2.1' };
    const { api } = await server.linkDevice(owner, description);
    const kept = { ...plain, deviceName: 'nice name', clientVersion: '3.2.1' };
    expect(bodyOf(await api.getCurrentDevice()).device).toMatchObject(kept);
  });

  test('[T7] the page contains the description, its time and the match code, as data that never runs', async () => {
    const { publicRequestId } = bodyOf(
      await begin({ deviceName: '<img src=x onerror=alert(1)>', osFamily: '"\'&</script>' }),
    );
    const plainLink = await server.beginLink();
    clock.advance(3 * 60_000);
    const { data, rest } = await firstDataOf(await owner.fetch(`/link/${publicRequestId}`));
    const withoutMarkup = await firstDataOf(await owner.fetch(`/link/${plainLink.publicRequestId}`));
    expect(rest).toBe(withoutMarkup.rest);
    const params = { id: publicRequestId };
    const link = bodyOf(await owner.api.getDeviceLink({ params }));
    expect(link).toMatchObject({ deviceName: '<img src=x onerror=alert(1)>', osFamily: '"\'&</script>' });
    expect(data).toContainEqual({ name: 'getDeviceLink', input: { params }, body: link });
  });
});

describe('the match code', () => {
  /** An independent, slow implementation: the bits of the hash, five at a time. */
  function expectedCode(publicRequestId: string): string {
    const hash = createHash('sha256').update(publicRequestId).digest();
    const bits = [...hash].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    const characters = Array.from(
      { length: 8 },
      (_, index) => alphabet[Number.parseInt(bits.slice(index * 5, index * 5 + 5), 2)],
    );
    return `${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}`;
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
  ])('[D6] with a minimum and two revoked versions, %j is answered with %s', async (clientVersion, code) => {
    expect(codeOf(await begin({ clientVersion }, await guarded()))).toBe(code);
  });

  test('[D6] a denial is 403 and names the required version', async () => {
    const outcome = await begin({ clientVersion: '1.0.1' }, await guarded());
    expect(outcome).toMatchObject({ status: 403, error: { message: expect.stringContaining('1.4.0') } });
  });

  test('[D6] without a minimum every version is accepted, except revoked ones', async () => {
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

describe('the addresses in the response', () => {
  test('[T6] come from the configuration, whatever Host and forwarding headers say', async () => {
    const body = { verifierHash: 'a'.repeat(64), ...plain };
    const answer = await server.anonymous.post('/device-links', body, {
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.test',
    });
    const text = await answer.text();
    expect(text).not.toContain('evil.test');
    expect(JSON.parse(text)).toMatchObject({ approvalUrl: expect.stringMatching(`^${APP_ORIGIN}/link/`) });
  });

  test('[D4] the API address of a credential is the origin of the API, without a path', async () => {
    const config = { appBaseUrl: 'https://app.example.test', apiBaseUrl: 'https://api.example.test' };
    await using split = await startServer({ clock, config });
    const { cookie } = await split.signUp();
    const link = await split.beginLink();
    const approval = `/device-links/${link.publicRequestId}/approve`;
    const approved = await split.anonymous.post(approval, {}, { cookie, origin: config.appBaseUrl });
    expect(approved.status).toBe(200);
    expect(bodyOf(await exchangeLink(split, link)).apiBaseUrl).toBe('https://api.example.test');
  });
});
