/** The gaps of a report from which findings were left out because of a limit. */
import type { Finding } from '@svc/contract';
import { countsByTool } from '@svc/report/making/areas-without';
import type { Incomplete } from './incomplete.ts';

/** A gap for each tool. */
export function incompleteWithout(
  leftOut: readonly Pick<Finding, 'tags'>[],
  { agent, reason }: { readonly agent: string; readonly reason: string },
): Incomplete[] {
  return [...countsByTool(leftOut, agent)].map(([tool, count]) => {
    const findings = count === 1 ? '1 finding' : `${count.toLocaleString('en')} findings`;
    return { tool, file: null, reason: 'partial', message: `${tool}: ${findings} left out, ${reason}.` };
  });
}
