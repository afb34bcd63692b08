/**
 * Names a client's system and browser, so that people can recognize their own sessions. The result is always one of the
 * names below, and nothing that a client sends is stored. A client can send anything, so no decision may depend on it.
 */

const UNKNOWN = 'unknown';

export interface ClientNames {
  readonly system: string;
  readonly browser: string;
}

type Names = readonly (readonly [name: string, ...marks: readonly string[]])[];

/** The first match wins: user agents of Android also contain Linux, and those of ChromeOS contain X11. */
const SYSTEMS: Names = [
  ['iPadOS', 'iPad'],
  ['iOS', 'iPhone', 'iPod'],
  ['Android', 'Android'],
  ['ChromeOS', 'CrOS'],
  ['Windows', 'Windows'],
  ['macOS', 'Macintosh', 'Mac OS X'],
  ['FreeBSD', 'FreeBSD'],
  ['OpenBSD', 'OpenBSD'],
  ['Linux', 'Linux', 'X11'],
];

/** The first match wins: nearly all user agents also contain Safari, and many contain Chrome. */
const BROWSERS: Names = [
  ['Edge', 'Edg/', 'EdgA/', 'EdgiOS/'],
  ['Opera', 'OPR/', 'OPT/', 'OPX/'],
  ['Samsung Internet', 'SamsungBrowser/'],
  ['Vivaldi', 'Vivaldi/'],
  ['DuckDuckGo', 'DuckDuckGo/', 'Ddg/'],
  ['Firefox', 'Firefox/', 'FxiOS/'],
  ['Chrome', 'Chrome/', 'CriOS/', 'Chromium/'],
  ['Safari', 'Safari/'],
  ['curl', 'curl/'],
];

export function namesOf(userAgent: string): ClientNames {
  const find = (names: Names) =>
    names.find(([, ...marks]) => marks.some((mark) => userAgent.includes(mark)))?.[0] ?? UNKNOWN;
  return { system: find(SYSTEMS), browser: find(BROWSERS) };
}
