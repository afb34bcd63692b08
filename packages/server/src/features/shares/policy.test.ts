import { limits, shareModes } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decideAccess,
  defaultMode,
  isActive,
  type Access,
  type KeptPolicy,
  type ShareFacts,
  type PrincipalFacts,
  type ViewerFacts,
} from './policy.ts';

const NOW = Date.UTC(2026, 0, 2);
const DAY_MS = 86_400_000;
const byDefault = '{"version":1}';
const asUser = '{"version":1,"sections":{"ids":["summary"]}}';
const asAddress = '{"version":1,"sections":{"ids":["coverage"]}}';
const asMember = '{"version":1,"sections":{"ids":["limitations"]}}';

function link(change: Partial<ShareFacts> = {}): ShareFacts {
  return {
    mode: 'private',
    anonymousAllowed: false,
    defaultPolicy: byDefault,
    ownerId: 'usr_owner',
    expiresAt: null,
    revokedAt: null,
    reportExpiresAt: NOW + DAY_MS,
    reportExpiredAt: null,
    ...change,
  };
}

function viewer(change: Partial<ViewerFacts> = {}): ViewerFacts {
  return {
    userId: 'usr_viewer',
    displayName: 'Vera',
    isMember: false,
    isAdministrator: false,
    named: {},
    ...change,
  };
}

const named = (policy: string, label: string | null = null): PrincipalFacts => ({ label, policy });
const owner = viewer({ userId: 'usr_owner', displayName: 'Olga', isMember: true });

/** The principal, the policy, the owner's label and the greeting. */
type ExpectedAccess =
  | 'notAvailable'
  | 'signInNeeded'
  | [principalType: string, policy: KeptPolicy, label: string | null, viewerLabel: string];

function outcomeOf(access: Access): ExpectedAccess {
  if (access.outcome !== 'granted') return access.outcome;
  return [access.principalType, access.policy, access.label, access.viewerLabel];
}

const anyone = { mode: 'anyone_with_link' } as const;
const team = { mode: 'workspace' } as const;
const user = { user: named(asUser) };
const email = { email: named(asAddress) };
const workspace = { workspace: named(asMember) };

/** Vera's access as a named or other principal under a policy, with an optional label. */
const as = (principalType: string, policy: KeptPolicy, label: string | null = null): ExpectedAccess => [
  principalType,
  policy,
  label,
  label ?? 'Vera',
];
const asOwner: ExpectedAccess = ['user', byDefault, null, 'Olga'];
const administrator = { isAdministrator: true } as const;

const table: readonly [
  title: string,
  link: Partial<ShareFacts>,
  viewer: ViewerFacts | null,
  outcome: ExpectedAccess,
][] = [
  ['the owner gets the default policy', {}, owner, asOwner],
  ['the owner is the owner even if they are named', {}, { ...owner, named: user }, asOwner],
  ['an administrator who is the owner is the owner', {}, { ...owner, ...administrator }, asOwner],

  ['a private link is only for named viewers', {}, viewer(), 'notAvailable'],
  ['a private link is not for a member', {}, viewer({ isMember: true }), 'notAvailable'],
  ['a private link is for a named user', {}, viewer({ named: user }), as('user', asUser)],
  ['a private link is for a named address', {}, viewer({ named: email }), as('email', asAddress)],
  ['a private link is for a named workspace', {}, viewer({ named: workspace }), as('workspace', asMember)],
  [
    'a user comes before everything else',
    {},
    viewer({ named: { ...workspace, ...email, ...user } }),
    as('user', asUser),
  ],
  [
    'an address comes before a workspace',
    {},
    viewer({ named: { ...workspace, ...email } }),
    as('email', asAddress),
  ],
  [
    'the label of the principal is what the viewer is called',
    {},
    viewer({ named: { email: named(asAddress, 'Auditor') } }),
    as('email', asAddress, 'Auditor'),
  ],
  [
    'a named viewer gets their own policy in every mode',
    { ...anyone, anonymousAllowed: true },
    viewer({ named: email, isMember: true }),
    as('email', asAddress),
  ],
  [
    'a named workspace gives an administrator no access',
    {},
    viewer({ named: workspace, ...administrator }),
    'notAvailable',
  ],
  [
    'a named address gives an administrator access',
    {},
    viewer({ named: { ...workspace, ...email }, ...administrator }),
    as('email', asAddress),
  ],

  [
    'a link for the workspace is for its members',
    team,
    viewer({ isMember: true }),
    as('workspace', byDefault),
  ],
  ['a link for the workspace is for nobody outside', team, viewer(), 'notAvailable'],
  [
    'a link for the workspace is not for an administrator who is a member',
    team,
    viewer({ isMember: true, ...administrator }),
    'notAvailable',
  ],
  [
    'a link for the workspace is for a named viewer from outside',
    team,
    viewer({ named: workspace }),
    as('workspace', asMember),
  ],

  ['a link for anyone is for every account', anyone, viewer(), as('user', byDefault)],
  ['a link for anyone is for a member', anyone, viewer({ isMember: true }), as('user', byDefault)],
  [
    'a link for anyone is for an administrator',
    anyone,
    viewer({ ...administrator, named: workspace }),
    as('user', byDefault),
  ],

  ['a private link needs an account', {}, null, 'signInNeeded'],
  ['a link for the workspace needs an account', team, null, 'signInNeeded'],
  ['a link for anyone needs an account', anyone, null, 'signInNeeded'],
  [
    'a link for anyone needs no account if the owner allows that',
    { ...anyone, anonymousAllowed: true },
    null,
    ['anonymous', byDefault, null, 'Anonymous'],
  ],
  [
    'a private link needs an account even if the owner allows anonymous viewers',
    { anonymousAllowed: true },
    null,
    'signInNeeded',
  ],
  [
    'a link for the workspace needs an account even if the owner allows anonymous viewers',
    { ...team, anonymousAllowed: true },
    null,
    'signInNeeded',
  ],
];

describe('[D10] who may open a link', () => {
  test.each(table)('%s', (_title, facts, who, outcome) => {
    expect(outcomeOf(decideAccess(link(facts), who, NOW))).toEqual(outcome);
  });
});

describe('[D10] shares that are not available to anyone', () => {
  const gone: readonly [string, ShareFacts | null][] = [
    ['one that never existed', null],
    ['a revoked one', link({ ...anyone, anonymousAllowed: true, revokedAt: NOW - 1 })],
    ['one revoked by a clock that was ahead', link({ ...anyone, revokedAt: NOW + DAY_MS })],
    ['one that expires at this moment', link({ ...anyone, expiresAt: NOW })],
    ['an expired one', link({ ...anyone, expiresAt: NOW - DAY_MS })],
    [
      'one whose report was deleted 90 days ago',
      link({ ...anyone, reportExpiredAt: NOW - limits.share.tombstoneLifetimeMs }),
    ],
    [
      'one whose report expired 90 days ago, whether or not the sweeper has run',
      link({ ...anyone, reportExpiresAt: NOW - limits.share.tombstoneLifetimeMs }),
    ],
    [
      'one whose report expired 90 days ago and was swept late',
      link({
        ...anyone,
        reportExpiresAt: NOW - limits.share.tombstoneLifetimeMs,
        reportExpiredAt: NOW - 1,
      }),
    ],
  ];

  test.each(gone)('%s', (_title, facts) => {
    for (const who of [null, viewer(), viewer({ isMember: true, named: user }), owner])
      expect(decideAccess(facts, who, NOW)).toEqual({ outcome: 'notAvailable' });
  });

  test('a share of a report that has ended exists for another 90 days', () => {
    const ended = link({
      ...anyone,
      reportExpiredAt: NOW - limits.share.tombstoneLifetimeMs + 1,
      defaultPolicy: null,
    });
    expect(outcomeOf(decideAccess(ended, viewer(), NOW))).toEqual(['user', null, null, 'Vera']);
  });

  test('a share works until the exact millisecond', () => {
    expect(isActive({ revokedAt: null, expiresAt: NOW + 1 }, NOW)).toBe(true);
    expect(isActive({ revokedAt: null, expiresAt: NOW }, NOW)).toBe(false);
  });
});

describe('[D10] for any share and any viewer', () => {
  const facts = fc.record({
    mode: fc.constantFrom(...shareModes),
    anonymousAllowed: fc.boolean(),
    revokedAt: fc.option(fc.constantFrom(NOW - 1, NOW + 1)),
    expiresAt: fc.option(fc.constantFrom(NOW - 1, NOW + 1)),
  });
  const people = fc.record({
    isMember: fc.boolean(),
    isAdministrator: fc.boolean(),
    named: fc.record(
      {
        user: fc.constant(named(asUser)),
        email: fc.constant(named(asAddress)),
        workspace: fc.constant(named(asMember)),
      },
      { requiredKeys: [] },
    ),
  });

  test('a viewer without a session gets no more than any account, and never what a named principal gets', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const access = decideAccess(link(given), null, NOW);
        const ofAccount = decideAccess(link(given), viewer(), NOW);
        expect(access.outcome === 'granted' && ofAccount.outcome !== 'granted').toBe(false);
        expect(access.outcome === 'granted' ? access.policy : byDefault).toBe(byDefault);
      }),
    );
  });

  test('an administrator gets nothing from a membership', () => {
    fc.assert(
      fc.property(facts, people, (given, { named: names, ...person }) => {
        const { workspace: _, ...withoutWorkspace } = names;
        const plain = { ...person, isAdministrator: true };
        expect(decideAccess(link(given), viewer({ ...plain, named: names }), NOW)).toEqual(
          decideAccess(link(given), viewer({ ...plain, isMember: false, named: withoutWorkspace }), NOW),
        );
      }),
    );
  });

  test('nobody opens what is revoked or expired', () => {
    fc.assert(
      fc.property(facts, people, (given, person) => {
        const works = given.revokedAt === null && given.expiresAt !== NOW - 1;
        const outcomes = [viewer(person), owner, null].map(
          (who) => decideAccess(link(given), who, NOW).outcome,
        );
        expect(!works && outcomes.some((outcome) => outcome !== 'notAvailable')).toBe(false);
      }),
    );
  });
});

test('[D10] a share without a mode is private unless it allows anonymous viewers', () => {
  expect([defaultMode(false), defaultMode(true)]).toEqual(['private', 'anyone_with_link']);
});
