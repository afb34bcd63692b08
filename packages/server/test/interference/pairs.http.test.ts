/**
 * Two reports that differ only in what a policy hides, each on its own service; both services draw the same ids, slugs
 * and keys. So every response through a share must be the same to the byte, with its status, its headers and its length
 * in every coding. Only the id of the request, the date and the headers of the connection are left out.
 */
import { createHash } from 'node:crypto';
import type { CreateShareBody } from '@svc/contract';
import { interferencePairs, type InterferencePair } from '@svc/report/interference';
import {
  finalizeWith,
  bodyOf,
  bytesOf,
  createFakeClock,
  createTeam,
  newLocalId,
  shareOf,
  startServer,
  type Actor,
  type DeviceActor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import fc from 'fast-check';
import { inLane } from '@svc/testkit/lane';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answersOf, type ProbedAnswer } from './probing.ts';

/** Each pair costs some sixty requests. */
const PAIRS = inLane(5, 30);
const START = '2026-05-06T07:08:09.000Z';

/** Repeatable randomness, one for each service: the same sequence whenever it begins with the same seed. */
function createRepeatable() {
  let [seed, drawn] = ['start', 0];
  return {
    begin(next: string) {
      [seed, drawn] = [next, 0];
    },
    bytes(count: number): Uint8Array {
      drawn += 1;
      return createHash('shake256', { outputLength: count }).update(`${seed} ${drawn}`).digest();
    },
  };
}

interface Side {
  readonly server: TestServer;
  readonly random: ReturnType<typeof createRepeatable>;
  readonly owner: SessionActor;
  readonly device: DeviceActor;
  readonly viewer: SessionActor;
  readonly viewersTeam: string;
  readonly ownersWorkspace: string;
}

let sides: readonly [Side, Side];

beforeAll(async () => {
  sides = [await startSide(), await startSide()];
});
afterAll(() => Promise.all(sides.map(({ server }) => server.close())));

async function startSide(): Promise<Side> {
  const random = createRepeatable();
  const server = await startServer({ clock: createFakeClock(START), random, generousPlans: true });
  const owner = await server.signUp({ email: 'owner@example.test', displayName: 'Olga' });
  const viewer = await server.signUp({ email: 'viewer@example.test', displayName: 'Vera' });
  const [personal] = bodyOf(await owner.api.listWorkspaces()).workspaces;
  return {
    server,
    random,
    owner,
    viewer,
    device: await server.linkDevice(owner),
    viewersTeam: await createTeam(viewer, []),
    ownersWorkspace: personal?.workspaceId ?? '',
  };
}

interface Shared {
  readonly report: InterferencePair['report'];
  readonly pair: InterferencePair;
  /** The name of the pair. */
  readonly name: string;
}

/** Syncs the report, shares it, and reads it in every way. */
async function answersFrom(side: Side, { report, pair, name }: Shared): Promise<ProbedAnswer[]> {
  const { random, owner, device, ownersWorkspace: workspaceId } = side;
  random.begin(`report of ${name}`);
  // The local id is hidden too, and unique in a workspace.
  const localReportId = newLocalId();
  const project = { workspaceId, name: pair.sharing.projectNames[0] ?? '', bindingPublicId: newLocalId() };
  const { projectId } = bodyOf(await owner.api.createProject({ body: project }));
  const body = {
    workspaceId,
    projectId,
    localReportId,
    effortRequested: 'auto',
    effortResolved: 'high',
  } as const;
  const { reportId } = bodyOf(await device.api.createReport({ body }));
  await finalizeWith(device, reportId, bytesOf(JSON.stringify({ ...report, localReportId })));
  random.begin(`link of ${name}`);
  const { slug } = await shareOf(owner, reportId, linkFor(side, pair));
  return answersOf(viewerOf(side, pair), slug);
}

/** The body that creates a share for the kind of viewer that the pair has. */
function linkFor(
  { viewer, viewersTeam }: Side,
  { policy, projectedFor }: InterferencePair,
): Partial<CreateShareBody> {
  const { principalType, label } = projectedFor.projectedFor;
  if (principalType === 'anonymous') return { defaultPolicy: policy };
  const principalValue = { user: viewer.user.userId, email: viewer.email, workspace: viewersTeam }[
    principalType
  ];
  const principals = [{ principalValue, policy, ...(label === undefined ? {} : { label }) }];
  return { mode: 'private', anonymousAllowed: false, defaultPolicy: { version: 1 }, principals };
}

function viewerOf({ server, viewer }: Side, { projectedFor }: InterferencePair): Actor {
  return projectedFor.projectedFor.principalType === 'anonymous' ? server.anonymous : viewer;
}

test(
  '[T15] [T19] responses through a share are the same bytes whether or not hidden findings exist',
  { tags: 'repeated' },
  async () => {
    let count = 0;
    const statuses = new Set<string>();
    await fc.assert(
      fc.asyncProperty(interferencePairs(), async (pair) => {
        count += 1;
        const [one, other] = await Promise.all([
          answersFrom(sides[0], { report: pair.report, pair, name: `${count}` }),
          answersFrom(sides[1], { report: pair.other, pair, name: `${count}` }),
        ]);
        expect(other).toEqual(one);
        for (const { status, headers } of one) statuses.add(`${status} ${typeof headers['content-length']}`);
      }),
      { numRuns: PAIRS, endOnFailure: true },
    );
    expect([...statuses]).toEqual(['200 string']);
  },
);
