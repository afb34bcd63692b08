/** The preview that an owner gets of a viewer's projection. */
import { randomBytes } from 'node:crypto';
import type { PreviewBody, SharePolicy } from '@svc/contract';
import {
  bodyOf,
  codeOf,
  createShell,
  findingBody,
  shareOf,
  syncReport,
  wholePolicy,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

const policies: Record<string, SharePolicy> = {
  whole: wholePolicy,
  none: { version: 1 },
  'some of it': {
    version: 1,
    sections: { mode: 'deny_listed', ids: ['authorization'] },
    findings: { mode: 'allow_all', maxSeverity: 'high' },
    fields: { evidence: true, metadata: true },
  },
  'without names': { ...wholePolicy, anonymize: true },
};
let owner: SessionActor;
let guest: SessionActor;
let device: DeviceActor;
let reportId: string;

const server = sharedServer({ generousPlans: true });

beforeAll(async () => {
  owner = await server.signUp();
  guest = await server.signUp();
  device = await server.linkDevice(owner);
  const findings = [
    { ...findingBody(1), fingerprint: randomBytes(32).toString('hex') },
    { ...findingBody(2), severity: 'critical', fingerprint: randomBytes(32).toString('hex') },
  ];
  ({ reportId } = await syncReport(device, { body: { findings } }));
});

/** The text of a response's `report`. */
async function reportIn(answer: Response): Promise<string> {
  expect(answer.status).toBe(200);
  const text = await answer.text();
  return text.slice('{"report":'.length, text.includes(',"viewer":') ? text.indexOf(',"viewer":') : -1);
}

const preview = (body: PreviewBody, id = reportId) =>
  owner
    .fetch(`/api/v1/reports/${id}/projection-preview`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    .then(reportIn);

describe('a preview', () => {
  test.each(Object.keys(policies))(
    '[D16] of a share is what its viewers get, byte for byte: %s',
    async (name) => {
      const policy = policies[name]!;
      const { shareId, slug } = await shareOf(owner, reportId, {
        defaultPolicy: policy,
        principals: [{ principalValue: guest.email, label: 'Auditor', policy }],
      });
      const read = (by: Pick<SessionActor, 'fetch'>) =>
        by.fetch(`/api/v1/shares/slug/${slug}/report`).then(reportIn);
      expect(await preview({ policy, principalType: 'anonymous', shareId })).toBe(
        await read(server.anonymous),
      );
      expect(await preview({ policy, principalType: 'user', shareId })).toBe(await read(owner));
      expect(await preview({ policy, principalType: 'email', label: ' Auditor ', shareId })).toBe(
        await read(guest),
      );
    },
  );

  test('[D16] without a share has pseudonyms under a discarded key, and is otherwise the same', async () => {
    const { shareId } = await shareOf(owner, reportId);
    const of = async (given: Partial<PreviewBody>) =>
      JSON.parse(await preview({ policy: wholePolicy, principalType: 'user', ...given })) as {
        findings: { fingerprint: string }[];
      };
    const [one, other, linked] = [await of({}), await of({}), await of({ shareId })];
    const fingerprints = [one, other, linked].flatMap(({ findings }) =>
      findings.map(({ fingerprint }) => fingerprint),
    );
    expect(new Set(fingerprints).size).toBe(6);
    for (const report of [one, other, linked])
      for (const finding of report.findings) finding.fingerprint = '';
    expect([one, other]).toEqual([linked, linked]);
  });

  test('[D16] of a live report contains no more than its shares show', async () => {
    const { reportId: id } = await createShell(device);
    const { shareId } = await shareOf(owner, id);
    for (const given of [{}, { shareId }]) {
      expect(
        JSON.parse(
          await preview({ policy: wholePolicy, principalType: 'email', label: 'Auditor', ...given }, id),
        ),
      ).toEqual({
        id,
        schemaVersion: '1.0.0',
        projectedFor: { principalType: 'email', label: 'Auditor' },
      });
    }
  });

  test('[T3] of a share of another report is not found', async () => {
    const { shareId } = await shareOf(owner, (await createShell(device)).reportId);
    const body = { policy: wholePolicy, principalType: 'user' as const, shareId };
    expect(codeOf(await owner.api.previewProjection({ params: { id: reportId }, body }))).toBe('NOT_FOUND');
  });

  test('[D16] of a revoked share still uses its key', async () => {
    const { shareId, slug } = await shareOf(owner, reportId);
    const seen = await server.anonymous.fetch(`/api/v1/shares/slug/${slug}/report`).then(reportIn);
    bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId } }));
    expect(await preview({ policy: wholePolicy, principalType: 'anonymous', shareId })).toBe(seen);
  });

  test('[D16] does not count as a view', async () => {
    const { shareId } = await shareOf(owner, reportId);
    await preview({ policy: wholePolicy, principalType: 'anonymous', shareId });
    const { shares } = bodyOf(await owner.api.listShares({ params: { id: reportId } }));
    expect(shares.find(({ id }) => id === shareId)).toMatchObject({ viewCount: 0, lastViewedAt: null });
  });
});
