/** The steps of a data flow among the evidence of an imported finding, which the import describes as numbered steps. */
import type { ProjectedEvidence } from '@svc/contract';

export interface FlowStep {
  readonly number: number;
  readonly item: ProjectedEvidence;
  /** What the tool says about the step; empty if nothing. */
  readonly text: string;
}

export interface Flow {
  /** `Flow 2 of 3`; empty for the only one. */
  readonly name: string;
  /** How many steps the tool gave; the import may have left some out. */
  readonly length: number;
  readonly steps: readonly FlowStep[];
}

const STEP = /^(?:(Flow \d+ of \d+), s|S)tep (\d+) of (\d+): ([^]*)$/;
const NOTHING = 'no further description';

/** The flows, and the other evidence in order. */
export function flowsIn(items: readonly ProjectedEvidence[]): {
  readonly flows: readonly Flow[];
  readonly others: readonly ProjectedEvidence[];
} {
  const flows = new Map<string, { name: string; length: number; steps: FlowStep[] }>();
  const others: ProjectedEvidence[] = [];
  for (const item of items) {
    const [, name = '', number, length, text = ''] = STEP.exec(item.description) ?? [];
    if (number === undefined || length === undefined) {
      others.push(item);
      continue;
    }
    const flow = flows.get(name) ?? { name, length: Number(length), steps: [] };
    flow.steps.push({ number: Number(number), item, text: text === NOTHING ? '' : text });
    flows.set(name, flow);
  }
  return { flows: [...flows.values()], others };
}

/** Whether the description only repeats what the summary says. */
export function isRepeated(description: string, summary: string): boolean {
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
  const shown = plain(description);
  return shown !== '' && plain(summary).includes(shown);
}
