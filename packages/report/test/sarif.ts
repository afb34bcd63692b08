/** Small SARIF logs with defaults, so that a test names only the relevant parts. */
import { importSarif, type SarifImportOptions } from '../src/sarif/import.ts';

export type Part = Record<string, unknown>;

export function log(...runs: Part[]): string {
  return JSON.stringify({ version: '2.1.0', runs });
}

export function run(results: readonly Part[], rules: readonly Part[] = [], more: Part = {}): Part {
  return { tool: { driver: { name: 'Scanner', rules } }, results, ...more };
}

/** A valid result at one location. */
export function result(more: Part = {}, file = 'src/a.ts', startLine = 7): Part {
  return {
    ruleId: 'no-eval',
    message: { text: 'Code is made of text that a stranger may have written.' },
    locations: [at({ uri: file }, { startLine })],
    ...more,
  };
}

export function at(artifactLocation: Part, region: Part = {}, more: Part = {}): Part {
  return { physicalLocation: { artifactLocation, region, ...more } };
}

export function imported(text: string | Uint8Array, options?: SarifImportOptions) {
  const { findings, ...rest } = importSarif(text, options);
  const [only] = findings;
  if (only === undefined) throw new Error('The log gave no finding.');
  return { ...rest, findings, only };
}

/** The finding of a log with only this result. */
export function findingOf(
  more: Part,
  rules: readonly Part[] = [],
  runParts: Part = {},
  options?: SarifImportOptions,
) {
  return imported(log(run([result(more)], rules, runParts)), options).only;
}
