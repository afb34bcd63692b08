/** Who talks to the server in a test: anyone, a signed-in browser, a linked device. */
import { createHash, randomBytes } from 'node:crypto';
import { createClient, type Client } from '@svc/client';
import type { User } from '@svc/contract';
import { APP_ORIGIN } from './origin.ts';

/** A client, and the raw calls beside it. */
export interface Actor {
  readonly api: Client;
  /** Any request, with the actor's credential. `path` begins with a slash, such as `/api/v1/session`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export interface SessionActor extends Actor {
  readonly user: User;
  readonly email: string;
  readonly password: string;
  readonly recoveryCode: string;
  /** As in a Cookie header: `svc_session=…`. */
  readonly cookie: string;
}

export interface DeviceActor extends Actor {
  readonly userId: string;
  readonly deviceId: string;
  readonly deviceToken: string;
}

export interface Actors {
  readonly anonymous: Actor;
  /** A new account, signed in. */
  signUp(given?: { email?: string; password?: string; displayName?: string }): Promise<SessionActor>;
  /** Begins another session of an account. Resolves to its cookie. */
  logIn(account: { readonly email: string; readonly password: string }): Promise<string>;
  /** The browser that a cookie belongs to. */
  withCookie(cookie: string): Actor;
  withDeviceToken(deviceToken: string): Actor;
  /** A device that was linked and approved in the way people do it. */
  linkDevice(
    owner: SessionActor,
    describe?: { deviceName?: string; clientVersion?: string },
  ): Promise<DeviceActor>;
  /** Begins to link a device; whoever calls approves and exchanges. */
  beginLink(describe?: {
    deviceName?: string;
    clientVersion?: string;
  }): Promise<{ publicRequestId: string; verifier: string }>;
}

export const PASSWORD = 'correct horse battery staple';

/** The cookie that an answer sets, as a Cookie header bears it. */
export function cookieOf(response: Response): string {
  const [cookie] = response.headers.getSetCookie();
  return cookie?.split(';')[0] ?? '';
}

let accounts = 0;

/** @param setupTokenFor what the address needs to sign up, when it is the administrator's. */
export function createActors(
  url: string,
  setupTokenFor: (email: string) => string | undefined = () => undefined,
): Actors {
  function actor(headers: Record<string, string>, deviceToken?: string): Actor {
    return {
      api: createClient({ baseUrl: url, headers, ...(deviceToken === undefined ? {} : { deviceToken }) }),
      fetch: (path, init = {}) =>
        fetch(url + path, {
          redirect: 'manual',
          ...init,
          headers: {
            ...headers,
            ...(deviceToken === undefined ? {} : { authorization: `Bearer ${deviceToken}` }),
            ...(init.headers as Record<string, string> | undefined),
          },
        }),
    };
  }
  const anonymous = actor({});
  const withCookie = (cookie: string) => actor({ cookie, origin: APP_ORIGIN });
  const withDeviceToken = (deviceToken: string) => actor({}, deviceToken);

  async function beginLink(describe: { deviceName?: string; clientVersion?: string } = {}) {
    const verifier = randomBytes(32).toString('base64url');
    const created = await anonymous.api.createDeviceLink({
      body: {
        verifierHash: createHash('sha256').update(verifier).digest('hex'),
        deviceName: describe.deviceName ?? 'laptop',
        clientVersion: describe.clientVersion ?? '1.0.0',
        osFamily: 'linux',
        arch: 'x64',
      },
    });
    if (!created.ok) throw new Error(`link refused: ${created.error.code}`);
    return { publicRequestId: created.body.publicRequestId, verifier };
  }

  function post(path: string, body: object): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    return anonymous.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  return {
    anonymous,
    withCookie,
    withDeviceToken,
    beginLink,

    async signUp(given = {}) {
      accounts += 1;
      const email = given.email ?? `person-${process.pid}-${accounts}@example.test`;
      const password = given.password ?? PASSWORD;
      const setupToken = setupTokenFor(email);
      const response = await post('/api/v1/auth/signup', {
        email,
        password,
        ...(given.displayName ? { displayName: given.displayName } : {}),
        ...(setupToken === undefined ? {} : { setupToken }),
      });
      if (response.status !== 201)
        throw new Error(`sign-up answered ${response.status}: ${await response.text()}`);
      const { user, recoveryCode } = (await response.json()) as { user: User; recoveryCode: string };
      const cookie = cookieOf(response);
      return { ...withCookie(cookie), user, email, password, recoveryCode, cookie };
    },

    async logIn({ email, password }) {
      const response = await post('/api/v1/auth/login', { email, password });
      if (response.status !== 200)
        throw new Error(`login answered ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
      return cookieOf(response);
    },

    async linkDevice(owner, describe) {
      const { publicRequestId, verifier } = await beginLink(describe);
      const approved = await owner.api.approveDeviceLink({ params: { id: publicRequestId } });
      if (!approved.ok) throw new Error(`approval refused: ${approved.error.code}`);
      const exchanged = await anonymous.api.exchangeDeviceLink({
        params: { id: publicRequestId },
        body: { verifier },
      });
      if (!exchanged.ok) throw new Error(`exchange refused: ${exchanged.error.code}`);
      const { deviceId, deviceToken, userId } = exchanged.body;
      return { ...withDeviceToken(deviceToken), userId, deviceId, deviceToken };
    },
  };
}
