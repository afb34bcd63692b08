/** The one way from the bytes of a report to those of an answer, held to telling nothing of what a policy leaves out. */
import { canaries, canariesIn, interferencePairs, type InterferencePair } from '@svc/report/interference';
import { inLane } from '@svc/testkit/lane';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { render, type RenderingForm, type RenderingTask } from './rendering.ts';

const numRuns = Number(process.env['SVC_INTERFERENCE_RUNS'] ?? inLane(40, 400));
const timeout = 30_000 + numRuns * 100;
const forms: readonly (Pick<RenderingTask, 'profile'> & { readonly form: RenderingForm })[] = [
  { form: 'data' },
  { form: 'firstScreen' },
  { form: 'json' },
  { form: 'html' },
  { form: 'markdown' },
  { form: 'sarif' },
  { form: 'sarif', profile: 'github' },
];

/** Each rendering as one text, its header values before its bytes. */
function renderedIn(pair: InterferencePair, report: InterferencePair['report']): Promise<string[]> {
  const { reportId, projectedFor } = pair.projectedFor;
  const { policy, projectNames } = pair.sharing;
  const sharing = { policy, projectNames, fingerprintKey: new Uint8Array(32).fill(7) };
  const projecting = { reportId, projectedFor, sharing };
  const written = new TextEncoder().encode(JSON.stringify(report));
  const each = forms.map(async (form) => {
    const { contentType, fileName, bytes } = await render({
      bytes: written,
      amendments: {},
      projecting,
      ...form,
    });
    return [contentType, fileName, Buffer.from(bytes).toString()].join('\n');
  });
  return Promise.all(each);
}

test(
  '[T15] reports that differ in what a policy leaves out are rendered to the same bytes',
  { timeout },
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
  '[T15] no fingerprint is told as it is, and nothing else that a policy leaves out',
  { timeout },
  async () => {
    await fc.assert(
      fc.asyncProperty(interferencePairs(), async (pair) => {
        const planted = canaries(pair.report, pair.policy);
        const told = (await renderedIn(pair, planted.report)).join('\n');
        expect(canariesIn(told, planted.canaries)).toEqual([]);
      }),
      { numRuns },
    );
  },
);
