/**
 * Colours that only this program can make.
 *
 * A title, a name or a message may come from anywhere, and a terminal obeys whatever sequence is in it. So each sequence
 * made here bears a mark of this process, the printer (safe-text.ts) lets through those that bear it, and everything
 * else that could steer a terminal is taken out. No caller has to remember to clean what it prints.
 *
 * The mark is further parameters of an ordinary colour sequence, so whatever measures or strips such sequences still
 * does.
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
/** Each gives its text in that colour, or as it is where there are none. */
export type Colours = Readonly<Record<Colour, (text: string) => string>>;

/**
 * Drawn once a process. Text that it prints was there before, or comes from those who never see it. Of four digits each,
 * since those who strip sequences look for no more.
 */
export const mark: string = Array.from({ length: 4 }, () => Math.floor(Math.random() * 10_000)).join(';');

export function createColours(enabled: boolean): Colours {
  const painted = Object.entries(codes).map(([name, [open, close]]) => {
    const [start, end] = [sequence(open), sequence(close)];
    // The end of a colour within another one begins the outer one anew.
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
  readonly refused: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: () => boolean;
}

/** https://no-color.org and https://force-color.org: set and not empty; a refusal wins. */
export function wantsColours({ refused, environment, isTerminal }: ColourWishes): boolean {
  if (refused || environment['NO_COLOR']) return false;
  const forced = environment['FORCE_COLOR'];
  if (forced) return forced !== '0' && forced !== 'false';
  return environment['TERM'] !== 'dumb' && isTerminal();
}
