/**
 * Progress of a command on standard error: one line that is rewritten at a terminal, otherwise a line every few
 * seconds, so that a log stays short and a quick command prints nothing.
 */

/** @param done how many of `total` are done. */
export type Report = (step: string, done?: number, total?: number) => void;

export interface Progress {
  readonly report: Report;
  /** Removes the rewritten line. */
  end(): void;
}

export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const LINE_EVERY_MS = 5000;
const REWRITE_EVERY_MS = 100;
const CLEAR_LINE = '\r\u{1b}[2K';
const COLUMNS = 80;

export const noProgress: Progress = { report: () => undefined, end: () => undefined };

export function createProgress(output: ProgressOutput, nowMs: () => number = Date.now): Progress {
  const isTerminal = output.isTTY === true;
  const everyMs = isTerminal ? REWRITE_EVERY_MS : LINE_EVERY_MS;
  let shownMs = isTerminal ? -Infinity : nowMs();
  let shownStep = '';
  return {
    report(step, done, total) {
      const now = nowMs();
      const isNew = isTerminal && step !== shownStep;
      if (!isNew && now - shownMs < everyMs) return;
      shownMs = now;
      shownStep = step;
      const line = lineOf(step, done, total);
      output.write(
        isTerminal ? `${CLEAR_LINE}${line.slice(0, (output.columns ?? COLUMNS) - 1)}` : `${line}\n`,
      );
    },
    end() {
      if (isTerminal && shownMs !== -Infinity) output.write(CLEAR_LINE);
    },
  };
}

function lineOf(step: string, done?: number, total?: number): string {
  if (done === undefined) return `${step}…`;
  return total === undefined ? `${step}: ${done}` : `${step}: ${done} of ${total}`;
}
