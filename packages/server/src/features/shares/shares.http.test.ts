/** Shares as their owner creates, sees, changes and ends them. */
import type { CreateShareBody, Share, SharePolicy } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  createTeam,
  makeOwner,
  shareOf,
  wholePolicy,
  type Actor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const PASSWORD = 'a word for guests';
const ADMIN = 'admin@example.test';
const clock = createFakeClock();
let owner: SessionActor;
let reportId: string;

const server = sharedServer({ clock, generousPlans: true, config: { platformAdminEmail: ADMIN } });

beforeAll(async () => {
  owner = await server.signUp();
  reportId = await newReport(owner);
});

async function newReport(of: SessionActor, workspaceId?: string): Promise<string> {
  const device = await server.linkDevice(of);
  return (await createShell(device, await bindProject(of, workspaceId))).reportId;
}

const namedAs = (...values: string[]) =>
  values.map((principalValue) => ({ principalValue, policy: wholePolicy }));

const inAnHour = () => new Date(clock.now() + HOUR_MS).toISOString();

async function listed(of: string, by: Actor = owner): Promise<Share[]> {
  return bodyOf(await by.api.listShares({ params: { id: of } })).shares;
}

async function shareNamed(shareId: string, of: string): Promise<Share | undefined> {
  return (await listed(of)).find(({ id }) => id === shareId);
}

/** The code and the paths of what is invalid. */
async function rejectionOf(body: object, of = reportId): Promise<[string | undefined, unknown]> {
  const answer = await owner.api.createShare({ params: { id: of }, body: body as CreateShareBody });
  if (answer.ok) return [undefined, undefined];
  const issues = answer.error.details?.['issues'] as { path: string }[] | undefined;
  return [answer.error.code, issues?.map(({ path }) => path)];
}

describe('creating a share', () => {
  test('[D10] returns the slug and its address once, and never again', async () => {
    const made = await shareOf(owner, reportId);
    expect(made.slug).toMatch(/^[0-9A-Za-z]{27}$/);
    expect(made.url).toBe(`${server.service.appBaseUrl}/s/${made.slug}`);
    const answer = await owner.fetch(`/api/v1/reports/${reportId}/shares`);
    expect(await answer.text()).not.toContain(made.slug);
  });

  test('[D10] lists the share with everything that was requested, and without secrets', async () => {
    const policy: SharePolicy = {
      version: 1,
      findings: { mode: 'deny_listed', ids: ['F-2'], maxSeverity: 'high' },
    };
    const expiresAt = inAnHour();
    const id = await newReport(owner);
    const { shareId } = await shareOf(owner, id, {
      mode: 'workspace',
      defaultPolicy: policy,
      password: PASSWORD,
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
        createdBy: { userId: owner.user.userId, displayName: owner.user.displayName },
        message: null,
        showSender: false,
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

  test('[D10] needs only a policy, and is then private, without a password or an expiry', async () => {
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
    '[D10] with %j sets the mode %s, and stores whether anonymous viewers are allowed',
    async (given, mode) => {
      const { shareId } = await shareOf(owner, reportId, given);
      expect(await shareNamed(shareId, reportId)).toMatchObject({
        mode,
        anonymousAllowed: given.anonymousAllowed,
      });
    },
  );

  test('[D10] rejects an expiry that is not in the future', async () => {
    for (const expiresAt of [clock.now(), clock.now() - 1, 0]) {
      const body = { defaultPolicy: wholePolicy, expiresAt: new Date(expiresAt).toISOString() };
      expect(await rejectionOf(body)).toEqual(['VALIDATION_FAILED', ['/expiresAt']]);
    }
  });

  test('[D10] rejects each invalid and each duplicate principal by its position', async () => {
    const principals = namedAs('vera@example.test', 'nonsense', 'usr_0', 'VERA@example.test');
    expect(await rejectionOf({ defaultPolicy: wholePolicy, principals })).toEqual([
      'VALIDATION_FAILED',
      [1, 2, 3].map((at) => `/principals/${at}/principalValue`),
    ]);
  });

  test('[D10] accepts ids that do not exist, so that it does not reveal which exist', async () => {
    const principals = namedAs('usr_0123456789abcdefghjkmnpqrs', 'ws_0123456789abcdefghjkmnpqrs');
    const { shareId } = await shareOf(owner, reportId, { principals });
    expect((await shareNamed(shareId, reportId))?.principals).toHaveLength(2);
  });

  test('[D10] accepts principals in the form in which they are listed', async () => {
    const { shareId } = await shareOf(owner, reportId, { principals: namedAs('guest@example.test') });
    const principals = (await shareNamed(shareId, reportId))?.principals ?? [];
    expect(principals).toMatchObject([{ label: null }]);
    const changed = await owner.api.changeShare({ params: { shareId }, body: { reportId, principals } });
    expect(bodyOf(changed).share.principals).toEqual(principals);
  });

  test('[D10] accepts two hundred principals, and not one more', async () => {
    const principals = Array.from({ length: 201 }, (_, at) => ({
      principalValue: `guest-${at}@example.test`,
      policy: { version: 1 as const },
    }));
    const { shareId } = await shareOf(owner, reportId, { principals: principals.slice(1) });
    const kept = (await shareNamed(shareId, reportId))?.principals;
    expect(kept).toMatchObject(principals.slice(1));
    expect((await rejectionOf({ defaultPolicy: wholePolicy, principals }))[0]).toBe('VALIDATION_FAILED');
  });

  test.each([' with a space before', 'with a space after ', 'with a\u0000 in it', 'with a\nline'])(
    '[D10] rejects the password %j',
    async (password) => {
      const rejection = await rejectionOf({ defaultPolicy: wholePolicy, password });
      expect(rejection).toEqual(['VALIDATION_FAILED', ['/password']]);
    },
  );
});

describe('changing a share', () => {
  test('[D10] changes the named fields, and nothing else', async () => {
    const id = await newReport(owner);
    const { shareId } = await shareOf(owner, id, { label: 'First', password: PASSWORD });
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

  test('[D10] does not change the mode when anonymous viewers become allowed or denied', async () => {
    const { shareId } = await shareOf(owner, reportId, { mode: 'private', anonymousAllowed: false });
    for (const anonymousAllowed of [true, false]) {
      const body = { reportId, anonymousAllowed };
      const { share } = bodyOf(await owner.api.changeShare({ params: { shareId }, body }));
      expect(share).toMatchObject({ mode: 'private', anonymousAllowed });
    }
  });

  test('[D10] rejects what a creation would reject', async () => {
    const { shareId } = await shareOf(owner, reportId);
    const before = await shareNamed(shareId, reportId);
    const expiresAt = new Date(clock.now()).toISOString();
    for (const body of [{ expiresAt }, { principals: namedAs('nonsense') }]) {
      const answer = await owner.api.changeShare({ params: { shareId }, body: { reportId, ...body } });
      expect(codeOf(answer)).toBe('VALIDATION_FAILED');
    }
    expect(await shareNamed(shareId, reportId)).toEqual(before);
  });

  test('[T14] revives no revoked or expired share, and changes nothing of it', async () => {
    const id = await newReport(owner);
    const revoked = await shareOf(owner, id);
    const expired = await shareOf(owner, id, { expiresAt: inAnHour() });
    bodyOf(await owner.api.revokeShare({ params: { shareId: revoked.shareId }, query: { reportId: id } }));
    clock.advance(HOUR_MS);
    const before = await listed(id);
    for (const { shareId } of [revoked, expired]) {
      const opened = { mode: 'anyone_with_link' } as const;
      for (const change of [{ expiresAt: null }, { expiresAt: inAnHour() }, opened, {}]) {
        const body = { reportId: id, ...change };
        expect(codeOf(await owner.api.changeShare({ params: { shareId }, body }))).toBe(
          'SHARE_NOT_AVAILABLE',
        );
      }
    }
    expect(await listed(id)).toEqual(before);
  });
});

describe('ending a share', () => {
  test('[D10] returns the same when repeated, with the time of the first revocation', async () => {
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

  test('[D10] also ends a share that has expired', async () => {
    const { shareId } = await shareOf(owner, reportId, { expiresAt: inAnHour() });
    clock.advance(HOUR_MS);
    const answer = await owner.api.revokeShare({ params: { shareId }, query: { reportId } });
    expect(bodyOf(answer)).toEqual({ shareId, revoked: true });
  });
});

test('[D10] an ended share stays in the list, which is oldest first', async () => {
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

/** Every command of an owner, by any actor and about any report. */
const commands: Record<string, (by: Actor, id: string, shareId: string) => Promise<{ ok: boolean }>> = {
  list: (by, id) => by.api.listShares({ params: { id } }),
  create: (by, id) => by.api.createShare({ params: { id }, body: { defaultPolicy: wholePolicy } }),
  'create with a password': (by, id) =>
    by.api.createShare({ params: { id }, body: { defaultPolicy: wholePolicy, password: PASSWORD } }),
  'widen the mode': (by, id, shareId) =>
    by.api.changeShare({ params: { shareId }, body: { reportId: id, mode: 'anyone_with_link' } }),
  'remove the expiry': (by, id, shareId) =>
    by.api.changeShare({ params: { shareId }, body: { reportId: id, expiresAt: null } }),
  'change the password': (by, id, shareId) =>
    by.api.changeShare({ params: { shareId }, body: { reportId: id, password: PASSWORD } }),
  revoke: (by, id, shareId) => by.api.revokeShare({ params: { shareId }, query: { reportId: id } }),
  preview: (by, id) =>
    by.api.previewProjection({ params: { id }, body: { policy: wholePolicy, principalType: 'user' } }),
};
/** The commands that name a share. */
const aboutOne = ['widen the mode', 'remove the expiry', 'change the password', 'revoke'];

describe.each(Object.keys(commands))('who may %s', (name) => {
  const command = commands[name]!;

  /** A report of a team's owner, and a share of it. */
  async function setUp(...others: SessionActor[]) {
    const boss = await server.signUp();
    const team = await createTeam(boss, others);
    const id = await newReport(boss, team);
    const { shareId } = await shareOf(boss, id, { mode: 'private', expiresAt: inAnHour() });
    const answerTo = async (by: Actor) => codeOf(await command(by, id, shareId));
    return { boss, team, id, answerTo };
  }

  test('[T14] its owner, and not a member, who gets FORBIDDEN', async () => {
    const member = await server.signUp();
    const { boss, id, answerTo } = await setUp(member);
    const before = await listed(id, boss);
    expect(await answerTo(member)).toBe('FORBIDDEN');
    expect(await listed(id, boss)).toEqual(before);
    expect(await answerTo(boss)).toBe('ok');
  });

  test('[D17] a platform administrator who is a member finds no report', async () => {
    const admin = await administrator();
    expect(await (await setUp(admin)).answerTo(admin)).toBe('NOT_FOUND');
  });

  test('[D5] the new owner of the report, and the old one no longer', async () => {
    const heir = await server.signUp();
    const { boss, team, answerTo } = await setUp(heir);
    await makeOwner(boss, team, heir);
    bodyOf(await boss.api.removeMember({ params: { id: team, userId: boss.user.userId } }));
    expect([await answerTo(boss), await answerTo(heir)]).toEqual(['NOT_FOUND', 'ok']);
  });

  test('[D6] nobody once the report is deleted', async () => {
    const { boss, id, answerTo } = await setUp();
    bodyOf(await boss.api.deleteReport({ params: { id } }));
    expect(await answerTo(boss)).toBe('REPORT_EXPIRED');
  });
});

let adminActor: Promise<SessionActor> | undefined;
function administrator(): Promise<SessionActor> {
  adminActor ??= server.signUp({ email: ADMIN });
  return adminActor;
}

describe('[T3] a share and a report that do not belong together', () => {
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
      [foreign, mine.shareId],
      [one, one],
    ] as const;
    for (const [id, shareId] of pairs) expect(codeOf(await command(owner, id, shareId))).toBe('NOT_FOUND');
    expect([await listed(one), await listed(foreign, stranger)]).toEqual(before);
  });
});
