/** Triage decisions about findings that a share leaves out change no byte of it, in any form. */
import { LAPSED_TAG, type SharePolicy } from '@svc/contract';
import { MINUTE_MS } from '@svc/contract/durations';
import {
  bodyOf,
  createFakeClock,
  findingBody,
  shareOf,
  syncReport,
  wholePolicy,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';
import { answersOf } from './probing.ts';

const clock = createFakeClock();
const server = sharedServer({ clock, generousPlans: true });
let owner: SessionActor;
let reportId: string;

const [SHOWN, HIDDEN] = ['F-1', 'F-2'];
const NOTE = 'Only the night shift knows this.';

beforeAll(async () => {
  owner = await server.signUp();
  const device = await server.linkDevice(owner);
  const findings = [findingBody(1), { ...findingBody(2), severity: 'low', title: 'The hidden one' }];
  ({ reportId } = await syncReport(device, { body: { findings } }));
});

const policies: Readonly<Record<string, SharePolicy>> = {
  'that is less severe than the share shows': {
    ...wholePolicy,
    findings: { mode: 'allow_all', minSeverity: 'medium' },
  },
  'that the share does not list': { ...wholePolicy, findings: { mode: 'allow_listed', ids: [SHOWN] } },
  'that the share excludes': {
    ...wholePolicy,
    findings: { mode: 'deny_listed', ids: [HIDDEN] },
  },
};

const until = () => new Date(clock.now() + 2 * MINUTE_MS).toISOString();
const decide = async (body: Parameters<SessionActor['api']['changeFindings']>[0]['body']) =>
  bodyOf(await owner.api.changeFindings({ params: { id: reportId }, body }));
const findingOf = async (id: string) => {
  const { report } = bodyOf(await owner.api.getReport({ params: { id: reportId } }));
  return report?.findings?.find((finding) => finding.id === id);
};

describe.each(Object.entries(policies))('[D19] [T19] about a finding %s', (_name, policy) => {
  let slug: string;
  beforeAll(async () => {
    ({ slug } = await shareOf(owner, reportId, { defaultPolicy: policy }));
  });

  test('a decision, its reason, note and end, its undoing and its lapse change no byte', async () => {
    const findingIds = [HIDDEN];
    const before = await answersOf(server.anonymous, slug);
    expect(new Set(before.map(({ status }) => status))).toEqual(new Set([200]));
    expect(before.filter(({ body }) => body.includes('The hidden one'))).toEqual([]);

    await decide({ findingIds, status: 'false_positive', reason: 'other', note: NOTE });
    expect(await answersOf(server.anonymous, slug)).toEqual(before);
    const { undoId } = await decide({ findingIds, status: 'accepted_risk', until: until(), note: NOTE });
    expect(await answersOf(server.anonymous, slug)).toEqual(before);
    bodyOf(await owner.api.undoDecisions({ params: { id: reportId }, body: { undoId } }));
    expect(await answersOf(server.anonymous, slug)).toEqual(before);
    await decide({ findingIds, status: 'accepted_risk', until: until() });
    clock.advance(2 * MINUTE_MS);
    expect(await answersOf(server.anonymous, slug), 'the first read after the end').toEqual(before);
    expect((await findingOf(HIDDEN))?.tags).toContain(LAPSED_TAG);
    expect(await answersOf(server.anonymous, slug), 'after the owner has read it').toEqual(before);
    await decide({ findingIds, status: 'fix_suggested' });
    await decide({ findingIds, status: 'accepted_risk' });
    await decide({ findingIds, status: 'open' });
    expect(await answersOf(server.anonymous, slug)).toEqual(before);
  });

  test('a decision about another finding is shown, without its note', async () => {
    await decide({ findingIds: [SHOWN], status: 'false_positive', note: NOTE });
    const after = await answersOf(server.anonymous, slug);
    expect(after.filter(({ body }) => body.includes('false_positive')).length).toBeGreaterThan(5);
    expect(after.filter(({ body }) => body.includes(NOTE))).toEqual([]);
    await decide({ findingIds: [SHOWN], status: 'open' });
  });
});
