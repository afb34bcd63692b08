/** The clients of a test: anonymous, a signed-in browser, a linked device. */
import { createHash, randomBytes } from 'node:crypto';
import { createClient, type Client } from '@svc/client';
import type { BodyOf, Endpoints, User } from '@svc/contract';
import { APP_ORIGIN } from './origin.ts';

/** A typed client, and raw calls. */
export interface Actor {
  readonly api: Client;
  /** Sends any request with the actor's credential. `path` starts with a slash, such as `/api/v1/session`. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends any JSON body with any headers. `path` is relative to the API, such as `/auth/login`. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export interface SessionActor extends Actor {
  readonly user: User;
  readonly email: string;
  readonly password: string;
  readonly recoveryCode: string;
  /** The value of the Cookie header: `svc_session=…`. */
  readonly cookie: string;
}

export interface DeviceActor extends Actor {
  readonly userId: string;
  readonly deviceId: string;
  readonly deviceToken: string;
}

export interface Actors {
  readonly anonymous: Actor;
  /** Creates an account and signs in. */
  signUp(given?: { email?: string; password?: string; displayName?: string }): Promise<SessionActor>;
  /** Starts another session of an account. Resolves to its cookie. */
  logIn(account: { readonly email: string; readonly password: string }): Promise<string>;
  /** A client with the given cookie. */
  withCookie(cookie: string): Actor;
  withDeviceToken(deviceToken: string): Actor;
  /** Links and approves a device as users do. */
  linkDevice(
    owner: SessionActor,
    describe?: { deviceName?: string; clientVersion?: string },
  ): Promise<DeviceActor>;
  /** Starts a device link; the caller approves and exchanges it. */
  beginLink(describe?: { deviceName?: string; clientVersion?: string }): Promise<DeviceLink>;
}

export interface DeviceLink {
  readonly publicRequestId: string;
  readonly verifier: string;
}

export const PASSWORD = 'correct horse battery staple';

/** The cookie that a response sets, as the value of a Cookie header. */
export function cookieOf(response: Response): string {
  const [cookie] = response.headers.getSetCookie();
  return cookie?.split(';')[0] ?? '';
}

/** Approves the device link as that user. */
export const approveLink = (
  by: Pick<Actor, 'api'>,
  { publicRequestId: id }: DeviceLink,
  body?: BodyOf<Endpoints['approveDeviceLink']>,
) => by.api.approveDeviceLink({ params: { id }, ...(body && { body }) });

/** Exchanges an approved device link for its credential, with the link's own verifier unless another is given. */
export const exchangeLink = (
  { anonymous }: Pick<Actors, 'anonymous'>,
  { publicRequestId: id, verifier }: DeviceLink,
  tried = verifier,
) => anonymous.api.exchangeDeviceLink({ params: { id }, body: { verifier: tried } });

let accounts = 0;

/** @param setupTokenFor returns the setup token if the email is the administrator's. */
export function createActors(
  url: string,
  setupTokenFor: (email: string) => string | undefined = () => undefined,
): Actors {
  function actor(headers: Record<string, string>, deviceToken?: string): Actor {
    const send = (path: string, init: RequestInit = {}) =>
      fetch(url + path, {
        redirect: 'manual',
        ...init,
        headers: {
          ...headers,
          ...(deviceToken === undefined ? {} : { authorization: `Bearer ${deviceToken}` }),
          ...(init.headers as Record<string, string> | undefined),
        },
      });
    return {
      api: createClient({ baseUrl: url, headers, ...(deviceToken === undefined ? {} : { deviceToken }) }),
      fetch: send,
      post: (path, body, others = {}) =>
        send(`/api/v1${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...others },
          body: JSON.stringify(body),
        }),
    };
  }
  const anonymous = actor({});
  const withCookie = (cookie: string) => actor({ cookie, origin: APP_ORIGIN });
  const withDeviceToken = (deviceToken: string) => actor({}, deviceToken);

  async function beginLink(
    describe: { deviceName?: string; clientVersion?: string } = {},
  ): Promise<DeviceLink> {
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
    if (!created.ok) throw new Error(`device link failed: ${created.error.code}`);
    return { publicRequestId: created.body.publicRequestId, verifier };
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
      const response = await anonymous.post('/auth/signup', {
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
      const response = await anonymous.post('/auth/login', { email, password });
      if (response.status !== 200)
        throw new Error(`login answered ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
      return cookieOf(response);
    },

    async linkDevice(owner, describe) {
      const link = await beginLink(describe);
      const approved = await approveLink(owner, link);
      if (!approved.ok) throw new Error(`approval failed: ${approved.error.code}`);
      const exchanged = await exchangeLink({ anonymous }, link);
      if (!exchanged.ok) throw new Error(`exchange failed: ${exchanged.error.code}`);
      const { deviceId, deviceToken, userId } = exchanged.body;
      return { ...withDeviceToken(deviceToken), userId, deviceId, deviceToken };
    },
  };
}
