/**
 * Colours that only this program can create.
 *
 * A title, a name or a message may come from anywhere, and a terminal interprets any sequence in it. So each sequence
 * created here contains a mark of this process. The printer (safe-text.ts) keeps only marked sequences, and removes
 * everything else that could steer a terminal. Callers therefore need not clean what they print.
 *
 * The mark consists of additional parameters of an ordinary colour sequence, so code that measures or strips such
 * sequences still works.
 */

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  gray: [90, 39],
} as const;

export type Colour = keyof typeof codes;
/** Each returns its text in that colour, or unchanged without colours. */
export type Colours = Readonly<Record<Colour, (text: string) => string>>;

/**
 * Random in each process, so that printed text of others cannot contain it. Each number has at most four digits,
 * because code that strips sequences expects no more.
 */
export const mark: string = Array.from({ length: 4 }, () => Math.floor(Math.random() * 10_000)).join(';');

export function createColours(enabled: boolean): Colours {
  const painted = Object.entries(codes).map(([name, [open, close]]) => {
    const [start, end] = [sequence(open), sequence(close)];
    // The end of an inner colour restores the outer one.
    return [
      name,
      enabled ? (text: string) => start + text.replaceAll(end, end + start) + end : (text: string) => text,
    ];
  });
  return Object.fromEntries(painted) as Colours;
}

function sequence(code: number): string {
  return `\u001B[${code};${mark}m`;
}

export interface ColourWishes {
  /** `--no-color` was given. */
  readonly rejected: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: () => boolean;
}

/** https://no-color.org and https://force-color.org: set and not empty; NO_COLOR takes precedence. */
export function wantsColours({ rejected, environment, isTerminal }: ColourWishes): boolean {
  if (rejected || environment['NO_COLOR']) return false;
  const forced = environment['FORCE_COLOR'];
  if (forced) return forced !== '0' && forced !== 'false';
  return environment['TERM'] !== 'dumb' && isTerminal();
}
