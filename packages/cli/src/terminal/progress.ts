/**
 * The progress of a command. On a terminal it is one line that is drawn again. Elsewhere, and in CI, a log keeps every line,
 * so only the start and end of each step are printed, without counters and without repeats.
 */
import type { Colours } from './colours.ts';
import type { Output } from './output.ts';
import { printable, printableLine, safeLine } from './safe-text.ts';
import type { Progress } from './terminal.ts';

const DRAWN_EVERY_MS = 80;
const BAR_LENGTH = 24;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
export const ERASE_LINE = '\r\u001B[2K';

export const silentProgress: Progress = {
  update: () => undefined,
  succeed: () => undefined,
  fail: () => undefined,
};

export interface ProgressOptions {
  readonly label: string;
  readonly total?: number | undefined;
  /** A line on the stream can be erased and drawn again. */
  readonly isDrawn: boolean;
}

export function createProgress(
  stream: Output,
  colours: Colours,
  { label, total, isDrawn }: ProgressOptions,
): Progress {
  return isDrawn ? drawnProgress(stream, colours, label, total) : writtenProgress(stream, label, total);
}

function drawnProgress(stream: Output, colours: Colours, firstLabel: string, total?: number): Progress {
  let label = firstLabel;
  let done = 0;
  let frame = 0;

  const draw = () => {
    const head = total === undefined ? (FRAMES[frame++ % FRAMES.length] ?? '') : bar(done, total);
    const width = Math.max(20, (stream.columns ?? 80) - 1);
    const room = width - head.length - 1;
    stream.write(`${ERASE_LINE}${printable(`${colours.cyan(head)} ${cut(safeLine(label), room)}`)}`);
  };
  // Drawn by a timer and not at each update, of which there may be thousands in a second.
  const timer = setInterval(draw, DRAWN_EVERY_MS);
  timer.unref();
  draw();

  const end = (line: string) => {
    clearInterval(timer);
    stream.write(`${ERASE_LINE}${printableLine(line)}\n`);
  };
  return {
    update(newDone, newLabel) {
      done = newDone;
      label = newLabel ?? label;
    },
    succeed: (line) => end(`${colours.green('✓')} ${line}`),
    fail: (line) => end(`${colours.red('✗')} ${line}`),
  };
}

function writtenProgress(stream: Output, firstLabel: string, total?: number): Progress {
  const said = new Set<string>();
  const say = (line: string) => {
    if (said.has(line)) return;
    said.add(line);
    stream.write(`${printableLine(line)}\n`);
  };
  say(`${safeLine(firstLabel)} …`);
  return {
    update(_done, label) {
      // Without a total, only the label is shown, such as the scanner that runs.
      if (total === undefined && label !== undefined) say(`${safeLine(label)} …`);
    },
    succeed: (line) => say(`✓ ${line}`),
    fail: (line) => say(`✗ ${line}`),
  };
}

function bar(done: number, total: number): string {
  const part = total === 0 ? 1 : Math.min(1, Math.max(0, done / total));
  const filled = Math.round(part * BAR_LENGTH);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_LENGTH - filled)} ${String(Math.floor(part * 100)).padStart(3)}%`;
}

/** Cuts between user-perceived characters, so that no emoji is cut in half. */
function cut(text: string, length: number): string {
  const characters = [...new Intl.Segmenter().segment(text)];
  if (characters.length <= length) return text;
  return `${characters
    .slice(0, Math.max(0, length - 1))
    .map(({ segment }) => segment)
    .join('')}…`;
}
