/**
 * The phases of a scan while they run: a bar if the number of files is known, else the running tool; then a line that stays.
 */
import type { ProgressPhase } from '@svc/contract';
import { phaseLabels } from '@svc/contract/progress-labels';
import type { ScanEvent } from '../scanners/index.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Progress, Terminal } from '../terminal/terminal.ts';

export interface PhaseBars {
  show(event: ScanEvent): void;
  /** The scan ended in the middle of a phase. */
  fail(): void;
}

/** These phases are too short for a line of their own. */
const quiet: ReadonlySet<ProgressPhase> = new Set(['preparing', 'deduplication']);

export function createPhaseBars(terminal: Terminal): PhaseBars {
  let bar: Progress | undefined;
  let tools: string[] = [];

  function show({ type, phase, safeCode, tool, done, total }: ScanEvent): void {
    if (quiet.has(phase)) return;
    const name = phaseLabels[phase];
    const named = tool === undefined ? name : `${name}: ${safeLine(tool)}`;
    if (type === 'tool_started' && tool !== undefined) tools.push(tool);
    if (type === 'tool_completed' && safeCode !== 'ok' && safeCode !== 'partial')
      tools = tools.map((each) => (each === tool ? `${each} failed` : each));
    // Only the built-in search knows the number of files, so its bar begins when it reports the first step.
    if (type === 'phase_progressed' && total !== undefined) {
      bar ??= terminal.progress(name, total);
      bar.update(done ?? 0);
    } else if (type === 'tool_started' && phase !== 'secret_review') {
      bar ??= terminal.progress(named);
      bar.update(0, named);
    } else if (type === 'phase_completed') {
      const by = tools.length === 0 ? '' : ` (${tools.map(safeLine).join(', ')})`;
      if (bar) bar.succeed(`${name}${by}`);
      else if (safeCode !== 'skipped') terminal.note(`${terminal.noteColours.green('✓')} ${name}${by}`);
      [bar, tools] = [undefined, []];
    }
  }

  return {
    show,
    fail() {
      bar?.fail('The scan was interrupted');
      bar = undefined;
    },
  };
}
