/**
 * Every response to a viewer is rendered by the code under test. Renderings reveal nothing that a policy hides, and are
 * the same for a filtered report as for the whole one.
 */
import { findingStatuses, type SharePolicy } from '@svc/contract';
import type { FindingOverlay, FindingOverlays } from '@svc/report';
import { canaries, canariesIn, interferencePairs, type InterferencePair } from '@svc/report/interference';
import { inLane } from '@svc/testkit/lane';
import { bytesOf } from '@svc/testkit/report-body';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { render, type RenderingForm, type RenderingTask } from './rendering.ts';

const numRuns = Number(process.env['SVC_INTERFERENCE_RUNS'] ?? inLane(60, 400));
const timeout = 30_000 + numRuns * 150;
const forms: readonly (Pick<RenderingTask, 'profile'> & { readonly form: RenderingForm })[] = [
  { form: 'data' },
  { form: 'firstScreen' },
  { form: 'json' },
  { form: 'html' },
  { form: 'markdown' },
  { form: 'sarif' },
  { form: 'sarif', profile: 'github' },
];

function projectionInputOf({ projectedFor, sharing: { policy, projectNames } }: InterferencePair) {
  return {
    ...projectedFor,
    share: { policy, projectNames, fingerprintKey: new Uint8Array(32).fill(7) },
  };
}

const COVER = {
  message: 'Please read F-1 of Acme Shop at https://shop.example.test first.',
  sender: 'Ada',
  expiresAt: '2026-03-04T05:06:07.000Z',
};

/** Each rendering as one text: its content type, its file name and its bytes. */
function renderedIn(pair: InterferencePair, report: InterferencePair['report']): Promise<string[]> {
  const task = {
    bytes: bytesOf(JSON.stringify(report)),
    overlays: {},
    projectionInput: projectionInputOf(pair),
    cover: COVER,
  };
  const each = forms.map(async (form) => {
    const { contentType, fileName, bytes } = await render({ ...task, ...form });
    return [contentType, fileName, Buffer.from(bytes).toString()].join('\n');
  });
  return Promise.all(each);
}

test(
  '[T15] reports that differ only in what a policy hides are rendered to the same bytes',
  { timeout, tags: 'repeated' },
  async () => {
    await fc.assert(
      fc.asyncProperty(interferencePairs(), async (pair) => {
        expect(await renderedIn(pair, pair.other)).toEqual(await renderedIn(pair, pair.report));
      }),
      { numRuns },
    );
  },
);

test(
  '[T15] no fingerprint is shown unkeyed, and nothing else that a policy hides is shown',
  { timeout, tags: 'repeated' },
  async () => {
    await fc.assert(
      fc.asyncProperty(interferencePairs(), async (pair) => {
        const planted = canaries(pair.report, pair.policy);
        const rendered = (await renderedIn(pair, planted.report)).join('\n');
        expect(canariesIn(rendered, planted.canaries)).toEqual([]);
      }),
      { numRuns },
    );
  },
);

const AT = '2026-04-01T00:00:00.000Z';

/** Overlays from earlier reports, and decisions made since. */
const followed = fc.record(
  {
    firstSeenAt: fc.constant(AT),
    carried: fc.constantFrom('accepted_risk' as const, 'false_positive' as const),
    reopenedAt: fc.constant(AT),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const decided = fc.array(
  fc.constantFrom(...findingStatuses).map((to) => ({ to, at: AT })),
  { maxLength: 4 },
);

function overlaysOf(
  report: InterferencePair['report'],
  drawn: readonly (readonly [FindingOverlay, NonNullable<FindingOverlay['moves']>])[],
) {
  const before: Record<string, FindingOverlay> = {};
  const since: Record<string, FindingOverlay> = {};
  for (const [index, { id }] of report.findings.entries()) {
    const [overlay, moves] = drawn[index % drawn.length] ?? [{}, []];
    if (Object.keys(overlay).length > 0) before[id] = overlay;
    if (moves.length > 0) since[id] = { moves };
  }
  const ids = new Set([...Object.keys(before), ...Object.keys(since)]);
  const all = Object.fromEntries([...ids].map((id) => [id, { ...before[id], ...since[id] }]));
  return { before, since, all };
}

async function filtered(
  task: RenderingTask,
  policy: SharePolicy,
  before: FindingOverlays,
): Promise<Uint8Array> {
  const share = { policy, projectNames: [], fingerprintKey: new Uint8Array(0) };
  const projectionInput = { ...task.projectionInput, share };
  return (await render({ ...task, projectionInput, form: 'filtered', overlays: before })).bytes;
}

test(
  '[T30] a share has the same bytes in every form, whether rendered from the prepared projection or the whole report',
  { timeout, tags: 'repeated' },
  async () => {
    const drawn = fc.array(fc.tuple(followed, decided), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(interferencePairs(), drawn, async (pair, of) => {
        const { before, since, all } = overlaysOf(pair.report, of);
        const bytes = bytesOf(JSON.stringify(pair.report));
        const projectionInput = projectionInputOf(pair);
        const whole = { bytes, overlays: all, projectionInput, form: 'data' } as const;
        const prepared = {
          ...whole,
          bytes: await filtered(whole, pair.policy, before),
          isFiltered: true,
          overlays: since,
        };
        for (const form of forms) {
          const [one, other] = [await render({ ...whole, ...form }), await render({ ...prepared, ...form })];
          expect([form, other.fileName, Buffer.from(other.bytes).toString()]).toEqual([
            form,
            one.fileName,
            Buffer.from(one.bytes).toString(),
          ]);
        }
      }),
      { numRuns },
    );
  },
);
