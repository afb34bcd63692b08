import { reportBytesOfSize } from '@svc/testkit/report-body';
import { expect, test } from 'vitest';
import { createRenderer } from './renderer.ts';
import type { RenderingForm, RenderingTask } from './rendering.ts';

const MIB = 1024 * 1024;
const forms: readonly RenderingForm[] = ['data', 'json', 'markdown', 'html', 'sarif'];
const UNBOUNDED = { ownerMs: 1e9, linkMs: 1e9, networkMs: 1e9 };

test(
  '[P4] the largest report is made in every form with the memory that a worker has',
  { timeout: 280_000 },
  async () => {
    const renderer = createRenderer({ reportBytesMax: 12 * MIB, budgets: UNBOUNDED });
    for (const form of forms) {
      const task: RenderingTask = {
        bytes: reportBytesOfSize('local-report', 12 * MIB),
        amendments: {},
        projecting: { reportId: 'rep_1', projectedFor: { principalType: 'user' }, sharing: null },
        form,
      };
      const { bytes } = await renderer.render(
        { ownerId: 'usr_1', shareId: null, network: null, sizeBytes: task.bytes.length, form },
        async () => task,
      );
      expect(bytes.length).toBeGreaterThan(8 * MIB);
    }
    await renderer.close();
  },
);
