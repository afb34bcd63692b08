/** What a share says about itself: its message and sender, who may read them, and when they are deleted. */
import type { CreateShareBody, SharePolicy } from '@svc/contract';
import {
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  findingBody,
  reportBytes,
  shareOf,
  syncReport,
  upload,
  wholePolicy,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const MESSAGE = 'The two findings of last week are fixed.\nPlease read the rest.';
const ANONYMOUS: SharePolicy = { ...wholePolicy, anonymize: true };
const KEY = 'ghp_';
const clock = createFakeClock();
let owner: SessionActor;
let device: DeviceActor;
let reportId: string;

const server = sharedServer({ clock, generousPlans: true });

beforeAll(async () => {
  owner = await server.signUp();
  device = await server.linkDevice(owner);
  const findings = [findingBody(1), { ...findingBody(2), severity: 'low' }];
  ({ reportId } = await syncReport(device, {
    body: { project: { name: 'Paper Crane' }, findings },
  }));
});

const read = (slug: string, cover?: string) =>
  server.anonymous.api.readShare({ params: { slug }, query: cover === undefined ? {} : { cover } });
const coverOf = async (slug: string) => bodyOf(await read(slug, '1')).share;
const entryOf = async (shareId: string) =>
  bodyOf(await owner.api.listShares({ params: { id: reportId } })).shares.find(({ id }) => id === shareId);
const exported = async (slug: string, format: string) =>
  (await server.anonymous.fetch(`/api/v1/shares/slug/${slug}/export/${format}`)).text();

describe('the cover of a share', () => {
  test('[D25] is in the response only with cover=1', async () => {
    const expiresAt = new Date(clock.now() + HOUR_MS).toISOString();
    const { slug } = await shareOf(owner, reportId, { message: MESSAGE, showSender: true, expiresAt });
    expect(await coverOf(slug)).toEqual({
      message: MESSAGE,
      sender: owner.user.displayName,
      expiresAt,
    });
    for (const cover of [undefined, '0', 'true', '']) {
      const answer = bodyOf(await read(slug, cover));
      expect(Object.keys(answer).toSorted()).toEqual(['report', 'viewer']);
    }
  });

  test('[D25] has neither message nor sender unless they are set', async () => {
    const { slug } = await shareOf(owner, reportId, { message: ' \n ' });
    expect(await coverOf(slug)).toEqual({ message: null, sender: null, expiresAt: null });
  });

  test('[D25] is in the HTML export and in no other format', async () => {
    const { slug } = await shareOf(owner, reportId, { message: 'Kindly <b>yours</b>', showSender: true });
    const html = await exported(slug, 'html');
    expect(html).toContain('Kindly &lt;b&gt;yours&lt;/b&gt;');
    for (const format of ['json', 'markdown', 'sarif'])
      expect(await exported(slug, format)).not.toContain('Kindly');
  });

  test('[D25] names no sender under anonymize, and redacts names in the message', async () => {
    const { slug } = await shareOf(owner, reportId, {
      defaultPolicy: ANONYMOUS,
      message: 'About Paper Crane and paper-crane, not about paper.',
      showSender: true,
    });
    expect(await coverOf(slug)).toEqual({
      message: 'About [redacted] and [redacted], not about paper.',
      sender: null,
      expiresAt: null,
    });
    const html = await exported(slug, 'html');
    expect(html).toContain('About [redacted] and [redacted]');
    expect(html).not.toContain(owner.user.displayName);
  });

  test('[D25] is changed and removed by PATCH, and kept when the request does not name it', async () => {
    const { slug, shareId } = await shareOf(owner, reportId, { message: MESSAGE, showSender: true });
    const change = async (body: object) =>
      bodyOf(await owner.api.changeShare({ params: { shareId }, body: { reportId, ...body } })).share;
    expect(await change({ label: 'For Kim' })).toMatchObject({ message: MESSAGE, showSender: true });
    expect(await change({ message: 'Other words', showSender: false })).toMatchObject({
      message: 'Other words',
      showSender: false,
    });
    expect(await coverOf(slug)).toMatchObject({ message: 'Other words', sender: null });
    expect(await change({ message: null })).toMatchObject({ message: null });
    expect(await entryOf(shareId)).toMatchObject({ message: null, showSender: false });
  });

  test('[D25] rejects a secret in the message with its path, in all three calls', async () => {
    const { shareId } = await shareOf(owner, reportId);
    const message = `Use ${KEY}${'a1B2c3D4e5'.repeat(3)}F6g7h8 to read it`;
    const body = { defaultPolicy: wholePolicy, message };
    const answers = [
      await owner.api.createShare({ params: { id: reportId }, body }),
      await owner.api.changeShare({ params: { shareId }, body: { reportId, message } }),
      await owner.api.previewProjection({
        params: { id: reportId },
        body: { policy: wholePolicy, principalType: 'user', message },
      }),
    ];
    for (const answer of answers) {
      expect(codeOf(answer)).toBe('UNSAFE_PAYLOAD_REJECTED');
      expect(JSON.stringify(answer)).not.toContain(KEY);
      const details = answer.ok ? undefined : answer.error.details;
      expect(details).toEqual({
        issues: [{ path: '/message', message: 'contains a secret', rule: 'secret' }],
      });
    }
  });

  test('[D25] rejects a message of more than 1,000 characters, and counts code points', async () => {
    const make = (message: string) =>
      owner.api.createShare({ params: { id: reportId }, body: { defaultPolicy: wholePolicy, message } });
    expect(codeOf(await make('a'.repeat(1001)))).toBe('VALIDATION_FAILED');
    expect((await make('𝒳'.repeat(1000))).ok).toBe(true);
  });

  test('[D25] is stored sealed, and deleted with the report', async () => {
    const own = await syncReport(device);
    const { shareId } = await shareOf(owner, own.reportId, {
      message: 'Nobody reads this',
      showSender: true,
    });
    const rowNow = () =>
      server.service.database.read
        .selectFrom('shares')
        .select(['message', 'showSender', 'createdBy'])
        .where('id', '=', shareId)
        .executeTakeFirst();
    const { message } = (await rowNow()) ?? {};
    expect(Buffer.from(message ?? []).includes('Nobody')).toBe(false);
    bodyOf(await owner.api.deleteReport({ params: { id: own.reportId } }));
    expect(await rowNow()).toEqual({ message: null, showSender: 0, createdBy: null });
  });

  test('[D25] survives each new key of a live report, and is redacted by the names known so far', async () => {
    const shell = await createShell(device);
    const share = (body: Partial<CreateShareBody>) => shareOf(owner, shell.reportId, body);
    const open = await share({ message: 'Wait for Paper Crane' });
    const hidden = await share({ message: 'Wait for Paper Crane', defaultPolicy: ANONYMOUS });
    expect(await coverOf(open.slug)).toMatchObject({ message: 'Wait for Paper Crane' });
    expect(Object.keys(bodyOf(await read(open.slug)))).toEqual(['report', 'viewer']);

    const bytes = reportBytes({ localReportId: shell.localReportId, project: { name: 'Paper Crane' } });
    await upload(device, shell.reportId, bytes);
    expect(await coverOf(open.slug)).toMatchObject({ message: 'Wait for Paper Crane' });
    const uploadId = await upload(device, shell.reportId, bytes);
    bodyOf(await device.api.finalizeReport({ params: { id: shell.reportId }, body: { uploadId } }));
    expect(await coverOf(open.slug)).toMatchObject({ message: 'Wait for Paper Crane' });
    expect(await coverOf(hidden.slug)).toMatchObject({ message: 'Wait for [redacted]' });
  });

  test('[D25] has no message when no key opens the stored one', async () => {
    const { slug, shareId } = await shareOf(owner, reportId, { message: MESSAGE });
    await server.service.database.read
      .updateTable('shares')
      .set({ message: Buffer.alloc(64, 1) })
      .where('id', '=', shareId)
      .execute();
    const { slug: other } = await shareOf(owner, reportId);
    expect(await coverOf(slug)).toEqual(await coverOf(other));
  });

  test('[D25] is previewed with cover=1 as the share will show it', async () => {
    const preview = async (policy: SharePolicy, cover?: string) =>
      bodyOf(
        await owner.api.previewProjection({
          params: { id: reportId },
          query: cover === undefined ? {} : { cover },
          body: { policy, principalType: 'anonymous', message: 'About Paper Crane', showSender: true },
        }),
      );
    expect(Object.keys(await preview(wholePolicy))).toEqual(['report']);
    expect((await preview(wholePolicy, '1')).share).toEqual({
      message: 'About Paper Crane',
      sender: owner.user.displayName,
      expiresAt: null,
    });
    expect((await preview(ANONYMOUS, '1')).share).toMatchObject({
      message: 'About [redacted]',
      sender: null,
    });
  });
});

describe('the minimum severity of a policy', () => {
  test('[D25] leaves out less severe findings, adds the redaction notice, and is returned as given', async () => {
    const defaultPolicy: SharePolicy = {
      ...wholePolicy,
      findings: { mode: 'allow_all', minSeverity: 'high' },
    };
    const { slug, shareId } = await shareOf(owner, reportId, { defaultPolicy });
    const { report } = bodyOf(await read(slug));
    expect(report.findings?.map(({ severity }) => severity)).toEqual(['high']);
    expect(report.summary).toMatchObject({ findingCount: 1 });
    expect(report.redactionNotice).toBeDefined();
    expect((await entryOf(shareId))?.defaultPolicy).toStrictEqual(defaultPolicy);
  });

  test('[D25] above the maximum severity is invalid, in the default policy and in that of a principal', async () => {
    const policy: SharePolicy = {
      version: 1,
      findings: { mode: 'allow_all', minSeverity: 'high', maxSeverity: 'low' },
    };
    const create = (body: Partial<CreateShareBody>) =>
      owner.api.createShare({ params: { id: reportId }, body: { defaultPolicy: wholePolicy, ...body } });
    const equal = { version: 1, findings: { minSeverity: 'low', maxSeverity: 'low' } } as const;
    expect(codeOf(await create({ defaultPolicy: policy }))).toBe('VALIDATION_FAILED');
    expect(codeOf(await create({ principals: [{ principalValue: 'kim@auditors.example', policy }] }))).toBe(
      'VALIDATION_FAILED',
    );
    expect((await create({ defaultPolicy: equal })).ok).toBe(true);
  });
});
