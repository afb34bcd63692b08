/**
 * Names a client's system and browser, so that a person can tell their own sessions apart. The result is always one of the
 * names below: nothing that a client sends is stored. Clients can lie here, so nothing may be decided by it.
 */

const UNKNOWN = 'unknown';

export interface ClientNames {
  readonly system: string;
  readonly browser: string;
}

type Names = readonly (readonly [name: string, ...marks: readonly string[]])[];

/** The first match counts: Android says Linux too, and ChromeOS says X11. */
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

/** The first match counts: nearly all of them also say Safari, and many Chrome. */
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
