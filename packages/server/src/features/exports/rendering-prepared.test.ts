/** What is rendered from a filtered report and from the whole report, held to the same bytes. */
import { findingStatuses, type SharePolicy } from '@svc/contract';
import type { Amendment, Amendments } from '@svc/report';
import { interferencePairs, type InterferencePair } from '@svc/report/interference';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { render, type RenderingForm, type RenderingTask } from './rendering.ts';

const numRuns = Number(process.env['SVC_INTERFERENCE_RUNS'] ?? 60);
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
const AT = '2026-04-01T00:00:00.000Z';

/** What earlier reports decided of a finding, and what people have decided since. */
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

function amendmentsOf(
  report: InterferencePair['report'],
  drawn: readonly (readonly [Amendment, NonNullable<Amendment['moves']>])[],
) {
  const before: Record<string, Amendment> = {};
  const since: Record<string, Amendment> = {};
  for (const [index, { id }] of report.findings.entries()) {
    const [amendment, moves] = drawn[index % drawn.length] ?? [{}, []];
    if (Object.keys(amendment).length > 0) before[id] = amendment;
    if (moves.length > 0) since[id] = { moves };
  }
  const ids = new Set([...Object.keys(before), ...Object.keys(since)]);
  const all = Object.fromEntries([...ids].map((id) => [id, { ...before[id], ...since[id] }]));
  return { before, since, all };
}

async function filtered(task: RenderingTask, policy: SharePolicy, before: Amendments): Promise<Uint8Array> {
  const sharing = { policy, projectNames: [], fingerprintKey: new Uint8Array(0) };
  const projecting = { ...task.projecting, sharing };
  return (await render({ ...task, projecting, form: 'filtered', amendments: before })).bytes;
}

test(
  '[T30] a share is the same bytes in every form, rendered from the prepared and from the whole report',
  { timeout },
  async () => {
    const drawn = fc.array(fc.tuple(followed, decided), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(interferencePairs(), drawn, async ({ report, policy, projectedFor, sharing }, of) => {
        const { before, since, all } = amendmentsOf(report, of);
        const projecting = {
          ...projectedFor,
          sharing: {
            policy,
            projectNames: sharing.projectNames,
            fingerprintKey: new Uint8Array(32).fill(7),
          },
        };
        const whole = {
          bytes: new TextEncoder().encode(JSON.stringify(report)),
          amendments: all,
          projecting,
          form: 'data',
        } as const;
        const prepared = {
          ...whole,
          bytes: await filtered(whole, policy, before),
          isFiltered: true,
          amendments: since,
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
