/** Reading through shares over HTTP: the rules of access, in their order. */
import { randomBytes } from 'node:crypto';
import type { SharePolicy } from '@svc/contract';
import {
  finalizeWith,
  bindProject,
  bodyOf,
  createShell,
  createTeam,
  findingBody,
  reportBytes,
  shareOf,
  syncReport,
  wholePolicy,
  type Actor,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

const ADMIN = 'admin@example.test';
const PASSWORD = 'a word for guests';

const only = (...ids: ('metadata' | 'summary' | 'coverage' | 'limitations')[]): SharePolicy => ({
  version: 1,
  sections: { ids },
  findings: { mode: 'allow_all' },
});

let owner: SessionActor;
let ownersDevice: DeviceActor;
let member: SessionActor;
let admin: SessionActor;
let stranger: SessionActor;
let friend: SessionActor;
let workspaceId: string;
let friendsWorkspaceId: string;
let reportId: string;

const server = sharedServer({ generousPlans: true, config: { platformAdminEmail: ADMIN } });

beforeAll(async () => {
  owner = await server.signUp({ displayName: 'Olga' });
  member = await server.signUp({ displayName: 'Max' });
  admin = await server.signUp({ email: ADMIN, displayName: 'Ada' });
  stranger = await server.signUp({ displayName: 'Stella' });
  friend = await server.signUp({ displayName: 'Fritz' });
  workspaceId = await createTeam(owner, [member, admin]);
  friendsWorkspaceId = await createTeam(stranger, [friend, admin]);
  ownersDevice = await server.linkDevice(owner);
  const project = await bindProject(owner, workspaceId);
  ({ reportId } = await syncReport(ownersDevice, { project }));
});

/** The code of an error, or the principal, its label, the sections and the greeting. */
type Seen =
  | string
  | [principalType: string, label: string | undefined, sections: string, viewerLabel: string];

const marks = {
  metadata: 'scan',
  summary: 'summary',
  coverage: 'coverage',
  limitations: 'limitations',
} as const;

async function seen(by: Actor, slug: string, sharePassword?: string): Promise<Seen> {
  const answer = await by.api.readShare({
    params: { slug },
    ...(sharePassword === undefined ? {} : { sharePassword }),
  });
  if (!answer.ok) return answer.error.code;
  const { report, viewer } = answer.body;
  const sections = Object.entries(marks).filter(([, key]) => report[key] !== undefined);
  return [
    report.projectedFor.principalType,
    report.projectedFor.label,
    sections.map(([section]) => section).join(' '),
    viewer.label,
  ];
}

/** The outcome of an export, which has no greeting. */
async function exported(by: Actor, slug: string): Promise<unknown> {
  const answer = await by.fetch(`/api/v1/shares/slug/${slug}/export/json`);
  const body = (await answer.json()) as { error?: { code: string } };
  return body.error?.code ?? body;
}

const NOT_AVAILABLE = 'SHARE_NOT_AVAILABLE';
const all = 'metadata summary coverage limitations';

describe('the principal that applies to a viewer', () => {
  const people = () => ({ owner, member, admin, stranger, friend, anonymous: server.anonymous });
  type Who = keyof ReturnType<typeof people>;
  const byDefault = only('metadata');
  const nobodyElse = {
    member: NOT_AVAILABLE,
    admin: NOT_AVAILABLE,
    stranger: NOT_AVAILABLE,
    friend: NOT_AVAILABLE,
  };
  const asOwner: Seen = ['user', undefined, 'metadata', 'Olga'];

  const rows: [title: string, share: () => Parameters<typeof shareOf>[2], Record<Who, Seen>][] = [
    [
      'workspace',
      () => ({ mode: 'workspace', anonymousAllowed: true }),
      {
        ...nobodyElse,
        owner: asOwner,
        member: ['workspace', undefined, 'metadata', 'Max'],
        anonymous: 'UNAUTHENTICATED',
      },
    ],
    [
      'anyone_with_link, anonymous viewers too',
      () => ({ mode: 'anyone_with_link', anonymousAllowed: true }),
      {
        owner: asOwner,
        member: ['user', undefined, 'metadata', 'Max'],
        admin: ['user', undefined, 'metadata', 'Ada'],
        stranger: ['user', undefined, 'metadata', 'Stella'],
        friend: ['user', undefined, 'metadata', 'Fritz'],
        anonymous: ['anonymous', undefined, 'metadata', 'Anonymous'],
      },
    ],
    [
      'private, with a user, an address and a workspace',
      () => ({
        mode: 'private',
        anonymousAllowed: false,
        principals: [
          { principalValue: friendsWorkspaceId, label: 'Partners', policy: only('coverage') },
          { principalValue: stranger.user.userId, policy: only('summary') },
          { principalValue: member.email, label: 'Auditor', policy: only('limitations') },
          { principalValue: owner.user.userId, label: 'Nobody', policy: wholePolicy },
        ],
      }),
      {
        owner: asOwner,
        member: ['email', 'Auditor', 'limitations', 'Auditor'],
        admin: NOT_AVAILABLE,
        // The stranger is also named as a user, which takes precedence over the workspace.
        stranger: ['user', undefined, 'summary', 'Stella'],
        friend: ['workspace', 'Partners', 'coverage', 'Partners'],
        anonymous: 'UNAUTHENTICATED',
      },
    ],
    [
      'is the most specific of all that fit',
      () => ({
        mode: 'anyone_with_link',
        anonymousAllowed: true,
        principals: [
          { principalValue: friendsWorkspaceId, policy: only('coverage') },
          { principalValue: workspaceId, policy: only('summary') },
          { principalValue: friend.email, policy: only('limitations') },
          { principalValue: member.email, policy: only('limitations') },
          { principalValue: member.user.userId, policy: wholePolicy },
          { principalValue: admin.email, policy: only('coverage') },
        ],
      }),
      {
        owner: asOwner,
        member: ['user', undefined, all, 'Max'],
        admin: ['email', undefined, 'coverage', 'Ada'],
        stranger: ['workspace', undefined, 'coverage', 'Stella'],
        friend: ['email', undefined, 'limitations', 'Fritz'],
        anonymous: ['anonymous', undefined, 'metadata', 'Anonymous'],
      },
    ],
    [
      'is the first named one of several workspaces',
      () => ({
        mode: 'private',
        anonymousAllowed: false,
        principals: [
          { principalValue: workspaceId, policy: only('summary') },
          { principalValue: friendsWorkspaceId, policy: only('coverage') },
        ],
      }),
      {
        owner: asOwner,
        member: ['workspace', undefined, 'summary', 'Max'],
        admin: NOT_AVAILABLE,
        stranger: ['workspace', undefined, 'coverage', 'Stella'],
        friend: ['workspace', undefined, 'coverage', 'Fritz'],
        anonymous: 'UNAUTHENTICATED',
      },
    ],
  ];

  test.each(rows)('[D10] %s', async (_title, given, expected) => {
    const { slug } = await shareOf(owner, reportId, { defaultPolicy: byDefault, ...given() });
    const found: Partial<Record<Who, Seen>> = {};
    for (const [who, actor] of Object.entries(people())) found[who as Who] = await seen(actor, slug);
    expect(found).toEqual(expected);
    // Reads once more, now from the cached share of each viewer.
    for (const [who, actor] of Object.entries(people()))
      expect([who, await seen(actor, slug)]).toEqual([who, expected[who as Who]]);
  });

  test('[D10] an export shows each viewer what the page does, and denies the same viewers', async () => {
    const { slug } = await shareOf(owner, reportId, {
      mode: 'workspace',
      anonymousAllowed: false,
      defaultPolicy: byDefault,
      principals: [{ principalValue: friend.email, label: 'Auditor', policy: only('summary') }],
    });
    for (const actor of Object.values(people())) {
      const answer = await actor.api.readShare({ params: { slug } });
      expect(await exported(actor, slug)).toEqual(answer.ok ? answer.body.report : answer.error.code);
    }
  });

  test('[D10] the name of an account is shown to itself and to nobody else, whatever characters it has', async () => {
    const displayName = '"}</script>\u2603{"label":"Olga"';
    const viewer = await server.signUp({ displayName });
    const { slug } = await shareOf(owner, reportId);
    expect((await seen(viewer, slug)).at(-1)).toBe(displayName);
    expect((await seen(stranger, slug)).at(-1)).toBe('Stella');
  });
});

describe('the order of the checks', () => {
  const share = (given: object) => shareOf(owner, reportId, { password: PASSWORD, ...given });

  test('[D10] a viewer who is not signed in is asked for the password first, and then to sign in', async () => {
    const { slug } = await share({ mode: 'private' });
    expect([
      await seen(server.anonymous, slug),
      await seen(server.anonymous, slug, 'not the word for it'),
      await seen(server.anonymous, slug, PASSWORD),
    ]).toEqual(['SHARE_PASSWORD_REQUIRED', 'SHARE_PASSWORD_REQUIRED', 'UNAUTHENTICATED']);
  });

  test('[D10] the owner needs the password too', async () => {
    const { slug } = await share({});
    expect(await seen(owner, slug)).toBe('SHARE_PASSWORD_REQUIRED');
    expect(await seen(owner, slug, PASSWORD)).toEqual(['user', undefined, all, 'Olga']);
  });

  test('[D10] the end of the report is checked last', async () => {
    const shell = await createShell(ownersDevice);
    const { slug } = await shareOf(owner, shell.reportId, { mode: 'private', password: PASSWORD });
    bodyOf(await owner.api.deleteReport({ params: { id: shell.reportId } }));
    expect([
      await seen(stranger, slug, PASSWORD),
      await seen(server.anonymous, slug),
      await seen(server.anonymous, slug, PASSWORD),
      await seen(owner, slug),
      await seen(owner, slug, PASSWORD),
    ]).toEqual([
      NOT_AVAILABLE,
      'SHARE_PASSWORD_REQUIRED',
      'UNAUTHENTICATED',
      'SHARE_PASSWORD_REQUIRED',
      'REPORT_EXPIRED',
    ]);
  });

  test('[D10] an invalid session counts as no session', async () => {
    const open = await shareOf(owner, reportId);
    const closed = await shareOf(owner, reportId, { mode: 'private' });
    const left = await server.signUp();
    bodyOf(await left.api.logOut());
    const nobodies: Actor[] = [
      ownersDevice,
      left,
      server.withCookie('svc_session=nonsense'),
      server.withCookie(`svc_session=${'a'.repeat(43)}`),
    ];
    for (const nobody of nobodies) {
      expect(await seen(nobody, open.slug)).toEqual(['anonymous', undefined, all, 'Anonymous']);
      expect(await seen(nobody, closed.slug)).toBe('UNAUTHENTICATED');
    }
  });
});

describe('a report that is live', () => {
  test('[D10] shows only that it exists, and has no file', async () => {
    const shell = await createShell(ownersDevice);
    const principals = [{ principalValue: friend.email, label: 'Auditor', policy: wholePolicy }];
    const { slug } = await shareOf(owner, shell.reportId, { principals });
    const { report, viewer } = bodyOf(await friend.api.readShare({ params: { slug } }));
    expect(report).toEqual({
      id: shell.reportId,
      schemaVersion: '1.0.0',
      projectedFor: { principalType: 'email', label: 'Auditor' },
    });
    expect(viewer).toEqual({ label: 'Auditor' });
    expect(await exported(friend, slug)).toBe('CONFLICT');
    expect(await exported(server.anonymous, slug)).toBe('CONFLICT');
  });

  test('[D9] does not show what an anonymized projection would hide', async () => {
    const shell = await createShell(ownersDevice);
    const policy = { ...wholePolicy, anonymize: true };
    const principals = [{ principalValue: friend.email, label: 'Auditor', policy }];
    const { slug } = await shareOf(owner, shell.reportId, { principals });
    const { report } = bodyOf(await friend.api.readShare({ params: { slug } }));
    expect(report.projectedFor).toEqual({ principalType: 'email' });
  });

  test('[D10] shows its body as soon as it is final', async () => {
    const shell = await createShell(ownersDevice);
    const { reportId: id, localReportId } = shell;
    const { slug } = await shareOf(owner, id);
    expect(await seen(server.anonymous, slug)).toEqual(['anonymous', undefined, '', 'Anonymous']);
    await finalizeWith(ownersDevice, id, reportBytes({ localReportId }));
    expect(await seen(server.anonymous, slug)).toEqual(['anonymous', undefined, all, 'Anonymous']);
  });
});

describe('fingerprints', () => {
  const FINGERPRINT = randomBytes(32).toString('hex');

  async function fingerprintIn(slug: string): Promise<string | undefined> {
    const { report } = bodyOf(await server.anonymous.api.readShare({ params: { slug } }));
    return report.findings?.[0]?.fingerprint;
  }

  test('[D9] are those of the share: the same under all of its policies, and different in other shares', async () => {
    const findings = [{ ...findingBody(1), fingerprint: FINGERPRINT }];
    const made = await syncReport(ownersDevice, { body: { findings } });
    const one = await shareOf(owner, made.reportId);
    const other = await shareOf(owner, made.reportId);
    const first = await fingerprintIn(one.slug);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(first).not.toBe(FINGERPRINT);
    expect(await fingerprintIn(other.slug)).not.toBe(first);
    const defaultPolicy = { ...wholePolicy, sections: { ids: ['findings'] as 'findings'[] } };
    const change = { reportId: made.reportId, defaultPolicy };
    bodyOf(await owner.api.changeShare({ params: { shareId: one.shareId }, body: change }));
    expect(await fingerprintIn(one.slug)).toBe(first);
  });
});

test('[D11] an unknown format is rejected before the share is looked up', async () => {
  const { slug } = await shareOf(owner, reportId);
  for (const name of [slug, 'x'.repeat(27)]) {
    const answer = await server.anonymous.fetch(`/api/v1/shares/slug/${name}/export/pdf`);
    expect(await answer.json()).toMatchObject({ error: { code: 'VALIDATION_FAILED' } });
  }
});
