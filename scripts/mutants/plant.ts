// Plants many faults in one copy of the sources, each behind a switch, so that one build serves all of them. At most
// one is active in a run: the one whose number stands in the file `active` of the switch folder. While none is, each
// process records which faults it reaches, with the test file that runs at the time. A fault is then tried only against
// the test files that reach it. A browser has no files, so it gets the switch from its context and reports through its
// console.
import type { Fault } from './find-faults.ts';

export interface PlantedFault extends Fault {
  /** Counted from 1. */
  readonly number: number;
}

/** @param faults of this file, which do not overlap. */
export function plant(source: string, faults: readonly PlantedFault[], switchFolder: string): string {
  let planted = source;
  for (const fault of faults.toSorted((one, other) => other.start - one.start))
    planted = planted.slice(0, fault.start) + switched(fault) + planted.slice(fault.end);
  return `${planted}\n${switchFunction(switchFolder)}`;
}

function switched({ number, kind, original, replacement }: PlantedFault): string {
  if (kind === 'statement') return `{ if (!__fault(${number})) { ${original} } }`;
  if (kind !== 'arguments') return `(__fault(${number}) ? (${replacement}) : (${original}))`;
  return `...(__fault(${number}) ? [${replacement}] : [${original}])`;
}

/** Is appended to the source, which moves no line. A function declaration is hoisted, so any line can call it. */
function switchFunction(folder: string): string {
  const body = `
  const all = globalThis;
  if (!all.__faults) {
    const fs = all.process?.getBuiltinModule?.('node:fs');
    const read = (name) => { try { return fs.readFileSync(${JSON.stringify(folder)} + '/' + name, 'utf8'); } catch { return ''; } };
    all.__faults = fs
      ? { active: Number(read('active')), note: (n) => fs.appendFileSync(${JSON.stringify(folder)} + '/reached', n + ' ' + read('current') + '\\n'), seen: new Set() }
      : { active: all.__activeFault ?? 0, note: (n) => console.debug('fault ' + n), seen: new Set() };
  }
  const { active, note, seen } = all.__faults;
  if (active === 0 && !seen.has(number)) { seen.add(number); note(number); }
  return active === number;
`;
  return `// @ts-nocheck\nfunction __fault(number) {${body.replaceAll('\n', ' ')}}\n`;
}

/** Makes the copy's testkit pass the active fault to each page, and record which faults pages reach. */
export function watchBrowser(source: string, switchFolder: string): string {
  const launch = 'return chromium.launch({ executablePath: browserExecutable(), args: browserArguments });';
  if (!source.includes(launch))
    throw new Error('The testkit no longer launches its browser the way mutants expect.');
  return source.replace(
    launch,
    `const browser = await ${launch.slice('return '.length)}
  const fs = await import('node:fs');
  const read = (name: string) => { try { return fs.readFileSync(${JSON.stringify(switchFolder)} + '/' + name, 'utf8'); } catch { return ''; } };
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    await context.addInitScript('globalThis.__activeFault = ' + (Number(read('active')) || 0));
    context.on('console', (message) => {
      const number = /^fault (\\d+)$/.exec(message.text())?.[1];
      if (number !== undefined) fs.appendFileSync(${JSON.stringify(switchFolder)} + '/reached', number + ' ' + read('current') + '\\n');
    });
    return context;
  };
  return browser;`,
  );
}
