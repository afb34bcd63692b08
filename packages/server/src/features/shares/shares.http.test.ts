/** Links as their owner makes, sees, changes and ends them. */
import type { CreateShareBody, ErrorCode, Share, SharePolicy } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  shareOf,
  startServer,
  wholePolicy,
  type Actor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const ADMIN = 'admin@example.test';
const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;
let reportId: string;

beforeAll(async () => {
  server = await startServer({
    clock,
    generousPlans: true,
    config: { platformAdminEmail: ADMIN },
  });
  owner = await server.signUp();
  reportId = await newReport(owner);
});
afterAll(() => server.close());

async function newReport(of: SessionActor, workspaceId?: string): Promise<string> {
  const device = await server.linkDevice(of);
  return (await createShell(device, await bindProject(of, workspaceId))).reportId;
}

const inAnHour = () => new Date(clock.now() + HOUR_MS).toISOString();

async function listed(of: string, by: Actor = owner): Promise<Share[]> {
  return bodyOf(await by.api.listShares({ params: { id: of } })).shares;
}

async function shareNamed(shareId: string, of: string): Promise<Share | undefined> {
  return (await listed(of)).find(({ id }) => id === shareId);
}

/** The code and the places of what is wrong. */
async function refusalOf(body: object, of = reportId): Promise<[string | undefined, unknown]> {
  const answer = await owner.api.createShare({ params: { id: of }, body: body as CreateShareBody });
  if (answer.ok) return [undefined, undefined];
  const issues = answer.error.details?.['issues'] as { path: string }[] | undefined;
  return [answer.error.code, issues?.map(({ path }) => path)];
}

describe('making a link', () => {
  test('[D10] the slug and its address are told once, and never again', async () => {
    const made = await shareOf(owner, reportId);
    expect(made.slug).toMatch(/^[0-9A-Za-z]{27}$/);
    expect(made.url).toBe(`${server.service.appBaseUrl}/s/${made.slug}`);
    const answer = await owner.fetch(`/api/v1/reports/${reportId}/shares`);
    expect(await answer.text()).not.toContain(made.slug);
  });

  test('[D10] it is listed with everything that was asked for, and with nothing secret', async () => {
    const policy: SharePolicy = {
      version: 1,
      findings: { mode: 'deny_listed', ids: ['F-2'], maxSeverity: 'high' },
    };
    const expiresAt = inAnHour();
    const id = await newReport(owner);
    const { shareId } = await shareOf(owner, id, {
      mode: 'workspace',
      defaultPolicy: policy,
      password: 'a word for guests',
      expiresAt,
      anonymousAllowed: true,
      label: '  For the auditors ',
      principals: [
        { principalValue: ' Vera@Example.test ', label: ' Vera ', policy: wholePolicy },
        { principalValue: owner.user.userId, policy },
      ],
    });
    expect(await listed(id)).toEqual([
      {
        id: shareId,
        reportId: id,
        label: 'For the auditors',
        mode: 'workspace',
        hasPassword: true,
        anonymousAllowed: true,
        expiresAt,
        revokedAt: null,
        createdAt: new Date(clock.now()).toISOString(),
        defaultPolicy: policy,
        principals: [
          { principalValue: 'vera@example.test', label: 'Vera', policy: wholePolicy },
          { principalValue: owner.user.userId, label: null, policy },
        ],
        viewCount: 0,
        lastViewedAt: null,
      },
    ]);
  });

  test('[D10] only a policy is needed; then it is private, without a password or an end', async () => {
    const id = await newReport(owner);
    bodyOf(await owner.api.createShare({ params: { id }, body: { defaultPolicy: { version: 1 } } }));
    expect(await listed(id)).toMatchObject([
      {
        label: null,
        mode: 'private',
        hasPassword: false,
        anonymousAllowed: false,
        expiresAt: null,
        principals: [],
      },
    ]);
  });

  test.each([
    [{ anonymousAllowed: true }, 'anyone_with_link'],
    [{ anonymousAllowed: false }, 'private'],
    [{ anonymousAllowed: true, mode: 'private' }, 'private'],
    [{ anonymousAllowed: true, mode: 'workspace' }, 'workspace'],
    [{ anonymousAllowed: false, mode: 'anyone_with_link' }, 'anyone_with_link'],
  ] as const)(
    '[D10] of %j the mode is %s, and what was said of anonymous viewers is kept',
    async (given, mode) => {
      const { shareId } = await shareOf(owner, reportId, given);
      expect(await shareNamed(shareId, reportId)).toMatchObject({
        mode,
        anonymousAllowed: given.anonymousAllowed,
      });
    },
  );

  test('[D10] an end that is not ahead is refused', async () => {
    for (const expiresAt of [clock.now(), clock.now() - 1, 0]) {
      const body = { defaultPolicy: wholePolicy, expiresAt: new Date(expiresAt).toISOString() };
      expect(await refusalOf(body)).toEqual(['VALIDATION_FAILED', ['/expiresAt']]);
    }
  });

  test('[D10] each principal that names nobody, or somebody again, is refused by its place', async () => {
    const principals = ['vera@example.test', 'nonsense', 'usr_0', 'VERA@example.test'].map(
      (principalValue) => ({
        principalValue,
        policy: wholePolicy,
      }),
    );
    expect(await refusalOf({ defaultPolicy: wholePolicy, principals })).toEqual([
      'VALIDATION_FAILED',
      [1, 2, 3].map((at) => `/principals/${at}/principalValue`),
    ]);
  });

  test('[D10] ids that name nothing are taken like others, so that nobody learns which do', async () => {
    const principals = ['usr_0123456789abcdefghjkmnpqrs', 'ws_0123456789abcdefghjkmnpqrs'].map(
      (principalValue) => ({ principalValue, policy: wholePolicy }),
    );
    const { shareId } = await shareOf(owner, reportId, { principals });
    expect((await shareNamed(shareId, reportId))?.principals).toHaveLength(2);
  });

  test('[D10] principals can be given back as they were listed', async () => {
    const { shareId } = await shareOf(owner, reportId, {
      principals: [{ principalValue: 'guest@example.test', policy: wholePolicy }],
    });
    const principals = (await shareNamed(shareId, reportId))?.principals ?? [];
    expect(principals).toMatchObject([{ label: null }]);
    const body = { reportId, principals };
    expect(bodyOf(await owner.api.changeShare({ params: { shareId }, body })).share.principals).toEqual(
      principals,
    );
  });

  test('[D10] two hundred principals are taken, and not one more', async () => {
    const principals = Array.from({ length: 201 }, (_, at) => ({
      principalValue: `guest-${at}@example.test`,
      policy: { version: 1 as const },
    }));
    const { shareId } = await shareOf(owner, reportId, { principals: principals.slice(1) });
    expect(
      (await shareNamed(shareId, reportId))?.principals.map(({ principalValue }) => principalValue),
    ).toEqual(principals.slice(1).map(({ principalValue }) => principalValue));
    expect((await refusalOf({ defaultPolicy: wholePolicy, principals }))[0]).toBe('VALIDATION_FAILED');
  });

  test.each([
    'short',
    ' with a space before',
    'with a space after ',
    'with a\u0000 in it',
    'with a\nline',
    'x'.repeat(257),
  ])('[D10] %j is no password for a link', async (password) => {
    expect(await refusalOf({ defaultPolicy: wholePolicy, password })).toEqual([
      'VALIDATION_FAILED',
      ['/password'],
    ]);
  });

  test('[T14] nothing that the service decides can be given along', async () => {
    const id = await newReport(owner);
    const { shareId } = await shareOf(owner, id);
    const before = await listed(id);
    const given = {
      id: 'shr_0123456789abcdefghjkmnpqrs',
      reportId: id,
      slug: 'a'.repeat(27),
      slugHash: 'a',
      passwordHash: 'a',
      hasPassword: false,
      revokedAt: null,
      createdAt: inAnHour(),
      viewCount: 9,
      ownerId: owner.user.userId,
      endedAt: 1,
    };
    for (const [name, value] of Object.entries(given)) {
      expect((await refusalOf({ defaultPolicy: wholePolicy, [name]: value }, id))[0]).toBe(
        'VALIDATION_FAILED',
      );
      if (name === 'reportId') continue;
      const change = { reportId: id, [name]: value };
      expect(codeOf(await owner.api.changeShare({ params: { shareId }, body: change }))).toBe(
        'VALIDATION_FAILED',
      );
    }
    expect(await listed(id)).toEqual(before);
  });
});

describe('changing a link', () => {
  test('[D10] what is named changes, and everything else stays', async () => {
    const id = await newReport(owner);
    const { shareId } = await shareOf(owner, id, { label: 'First', password: 'a word for guests' });
    const change = async (body: object) =>
      bodyOf(await owner.api.changeShare({ params: { shareId }, body: { reportId: id, ...body } })).share;
    let expected = (await listed(id))[0]!;
    const expiresAt = inAnHour();
    const narrow: SharePolicy = { version: 1, sections: { ids: ['summary'] } };
    const principals = [{ principalValue: 'vera@example.test', label: null, policy: narrow }];
    const steps: [object, Partial<Share>][] = [
      [{}, {}],
      [{ mode: 'workspace' }, { mode: 'workspace' }],
      [{ anonymousAllowed: false }, { anonymousAllowed: false }],
      [{ anonymousAllowed: true }, { anonymousAllowed: true }],
      [{ mode: 'anyone_with_link' }, { mode: 'anyone_with_link' }],
      [{ password: null }, { hasPassword: false }],
      [{ password: 'another for guests' }, { hasPassword: true }],
      [{ expiresAt }, { expiresAt }],
      [{ expiresAt: null }, { expiresAt: null }],
      [{ label: ' Second ' }, { label: 'Second' }],
      [{ label: null }, { label: null }],
      [{ defaultPolicy: narrow }, { defaultPolicy: narrow }],
      [{ principals: [{ principalValue: 'vera@example.test', policy: narrow }] }, { principals }],
      [{ principals: [] }, { principals: [] }],
    ];
    for (const [body, changed] of steps) {
      expected = Object.assign({}, expected, changed);
      expect(await change(body)).toEqual(expected);
      expect(await listed(id)).toEqual([expected]);
    }
  });

  test('[D10] whether anonymous viewers are allowed never changes the mode', async () => {
    const { shareId } = await shareOf(owner, reportId, { mode: 'private', anonymousAllowed: false });
    for (const anonymousAllowed of [true, false]) {
      const body = { reportId, anonymousAllowed };
      const { share } = bodyOf(await owner.api.changeShare({ params: { shareId }, body }));
      expect(share).toMatchObject({ mode: 'private', anonymousAllowed });
    }
  });

  test('[D10] what could not be made can not be made of a link either', async () => {
    const { shareId } = await shareOf(owner, reportId);
    const before = await shareNamed(shareId, reportId);
    const bad: object[] = [
      { expiresAt: new Date(clock.now()).toISOString() },
      { principals: [{ principalValue: 'nonsense', policy: wholePolicy }] },
      { password: 'short' },
      { mode: null },
      { defaultPolicy: null },
      { anonymousAllowed: null },
    ];
    for (const body of bad) {
      const answer = await owner.api.changeShare({ params: { shareId }, body: { reportId, ...body } });
      expect(codeOf(answer)).toBe('VALIDATION_FAILED');
    }
    expect(await shareNamed(shareId, reportId)).toEqual(before);
  });

  test('[T14] nothing revives a link that was revoked or has expired, and nothing of it changes', async () => {
    const id = await newReport(owner);
    const revoked = await shareOf(owner, id);
    const expired = await shareOf(owner, id, { expiresAt: inAnHour() });
    bodyOf(await owner.api.revokeShare({ params: { shareId: revoked.shareId }, query: { reportId: id } }));
    clock.advance(HOUR_MS);
    const before = await listed(id);
    for (const { shareId } of [revoked, expired]) {
      for (const change of [
        { expiresAt: null },
        { expiresAt: inAnHour() },
        { mode: 'anyone_with_link' },
        {},
      ] as const) {
        const answer = await owner.api.changeShare({
          params: { shareId },
          body: { reportId: id, ...change },
        });
        expect(codeOf(answer)).toBe('SHARE_NOT_AVAILABLE');
      }
    }
    expect(await listed(id)).toEqual(before);
  });
});

describe('ending a link', () => {
  test('[D10] it is answered the same again, and the time stays that of the first', async () => {
    const id = await newReport(owner);
    const { shareId } = await shareOf(owner, id);
    const revoke = async () =>
      bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId: id } }));
    const revokedAt = new Date(clock.now()).toISOString();
    expect(await revoke()).toEqual({ shareId, revoked: true });
    clock.advance(1000);
    expect(await revoke()).toEqual({ shareId, revoked: true });
    expect(await listed(id)).toMatchObject([{ id: shareId, revokedAt }]);
  });

  test('[D10] one that has expired can be ended too', async () => {
    const { shareId } = await shareOf(owner, reportId, { expiresAt: inAnHour() });
    clock.advance(HOUR_MS);
    const answer = await owner.api.revokeShare({ params: { shareId }, query: { reportId } });
    expect(bodyOf(answer)).toEqual({ shareId, revoked: true });
  });
});

test('[D10] the list is oldest first, with those that have ended', async () => {
  const id = await newReport(owner);
  const made: string[] = [];
  for (const given of [{}, { expiresAt: inAnHour() }, {}]) {
    made.push((await shareOf(owner, id, given)).shareId);
    clock.advance(1);
  }
  bodyOf(await owner.api.revokeShare({ params: { shareId: made[0]! }, query: { reportId: id } }));
  clock.advance(HOUR_MS);
  expect((await listed(id)).map((share) => share.id)).toEqual(made);
});

/** Every command of an owner, by anybody and about any report. */
const commands: Record<string, (by: Actor, id: string, shareId: string) => Promise<{ ok: boolean }>> = {
  list: (by, id) => by.api.listShares({ params: { id } }),
  create: (by, id) => by.api.createShare({ params: { id }, body: { defaultPolicy: wholePolicy } }),
  'create with a password': (by, id) =>
    by.api.createShare({
      params: { id },
      body: { defaultPolicy: wholePolicy, password: 'a word for guests' },
    }),
  'widen the mode': (by, id, shareId) =>
    by.api.changeShare({ params: { shareId }, body: { reportId: id, mode: 'anyone_with_link' } }),
  'take the end away': (by, id, shareId) =>
    by.api.changeShare({ params: { shareId }, body: { reportId: id, expiresAt: null } }),
  'change the password': (by, id, shareId) =>
    by.api.changeShare({ params: { shareId }, body: { reportId: id, password: 'a word for guests' } }),
  revoke: (by, id, shareId) => by.api.revokeShare({ params: { shareId }, query: { reportId: id } }),
  preview: (by, id) =>
    by.api.previewProjection({ params: { id }, body: { policy: wholePolicy, principalType: 'user' } }),
};
/** Those that name a link. */
const aboutOne = ['widen the mode', 'take the end away', 'change the password', 'revoke'];

describe.each(Object.keys(commands))('who may %s', (name) => {
  const command = commands[name]!;

  /** A report in a team, a link to it, and the team's people. */
  async function setUp() {
    const boss = await server.signUp();
    const { workspaceId } = bodyOf(await boss.api.createWorkspace({ body: { name: 'Team' } }));
    const join = async (who: SessionActor) => {
      const { url } = bodyOf(await boss.api.createInvitation({ params: { id: workspaceId } }));
      bodyOf(await who.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } }));
    };
    const id = await newReport(boss, workspaceId);
    const { shareId } = await shareOf(boss, id, { mode: 'private', expiresAt: inAnHour() });
    return { boss, workspaceId, join, id, shareId };
  }

  test('[T14] its owner, and nobody else: a member is told so, a stranger finds no report', async () => {
    const { boss, join, id, shareId } = await setUp();
    const member = await server.signUp();
    await join(member);
    const stranger = await server.signUp();
    const before = await listed(id, boss);
    const answers = async (by: Actor) => codeOf(await command(by, id, shareId));
    expect(await answers(member)).toBe('FORBIDDEN' satisfies ErrorCode);
    expect(await answers(stranger)).toBe('NOT_FOUND');
    expect(await answers(server.anonymous)).toBe('UNAUTHENTICATED');
    expect(await listed(id, boss)).toEqual(before);
    expect(await answers(boss)).toBe('ok');
  });

  test('[D17] a platform administrator who is a member finds no report', async () => {
    const { join, id, shareId } = await setUp();
    const admin = await administrator();
    await join(admin);
    expect(codeOf(await command(admin, id, shareId))).toBe('NOT_FOUND');
  });

  test('[D5] whoever takes the report over, and its old owner no more', async () => {
    const { boss, workspaceId, join, id, shareId } = await setUp();
    const heir = await server.signUp();
    await join(heir);
    const role = {
      params: { id: workspaceId, userId: heir.user.userId },
      body: { role: 'owner', password: boss.password },
    } as const;
    bodyOf(await boss.api.changeMember(role));
    bodyOf(await boss.api.removeMember({ params: { id: workspaceId, userId: boss.user.userId } }));
    expect(codeOf(await command(boss, id, shareId))).toBe('NOT_FOUND');
    expect(codeOf(await command(heir, id, shareId))).toBe('ok');
  });

  test('[D6] once the report has expired, nobody', async () => {
    const { boss, id, shareId } = await setUp();
    bodyOf(await boss.api.deleteReport({ params: { id } }));
    expect(codeOf(await command(boss, id, shareId))).toBe('REPORT_EXPIRED');
  });
});

let adminActor: Promise<SessionActor> | undefined;
function administrator(): Promise<SessionActor> {
  adminActor ??= server.signUp({ email: ADMIN });
  return adminActor;
}

describe('[T3] a link and a report that do not belong together', () => {
  test.each(aboutOne)('are not found: %s', async (name) => {
    const command = commands[name]!;
    const [one, other] = [await newReport(owner), await newReport(owner)];
    const stranger = await server.signUp();
    const foreign = await newReport(stranger);
    const mine = await shareOf(owner, one, { mode: 'private', expiresAt: inAnHour() });
    const theirs = await shareOf(stranger, foreign, { mode: 'private', expiresAt: inAnHour() });
    const before = [await listed(one), await listed(foreign, stranger)];
    const pairs = [
      [other, mine.shareId],
      [one, theirs.shareId],
      [foreign, theirs.shareId],
      [foreign, mine.shareId],
      [one, 'shr_0123456789abcdefghjkmnpqrs'],
      [one, 'nonsense'],
      ['nonsense', mine.shareId],
      [one, one],
    ] as const;
    for (const [id, shareId] of pairs) expect(codeOf(await command(owner, id, shareId))).toBe('NOT_FOUND');
    expect([await listed(one), await listed(foreign, stranger)]).toEqual(before);
  });
});
