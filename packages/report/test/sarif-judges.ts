/**
 * Validates SARIF with the schema of OASIS, and with Microsoft's validator and GitHub's rules. Both are in one
 * platform-specific package; tests are skipped without it.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const require = createRequire(import.meta.url);
const program = programOf();

/** Why the validator is missing; undefined if it is installed. */
export const noValidator = program === undefined ? `${process.platform} has none` : undefined;

function programOf(): string | undefined {
  try {
    return require('@microsoft/sarif-multitool') as string;
  } catch {
    return undefined;
  }
}

/** The schema errors of a log; empty for a valid one. */
export function schemaErrors(): (log: string) => readonly string[] {
  const schema = JSON.parse(
    fs
      .readFileSync(path.join(path.dirname(program ?? ''), 'sarif-2.1.0.json'), 'utf8')
      .replace(/^\ufeff/, ''),
  ) as object;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  return (log) => {
    validate(JSON.parse(log));
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  };
}

export interface Complaint {
  readonly log: string;
  readonly level: string;
  readonly rule: string;
  readonly at: string;
}

interface Findings {
  readonly runs: readonly {
    readonly results: readonly {
      readonly ruleId: string;
      readonly level?: string;
      readonly message: { readonly arguments?: readonly string[]; readonly id?: string };
      readonly locations?: readonly {
        readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
      }[];
    }[];
    readonly invocations: readonly { readonly toolExecutionNotifications?: readonly unknown[] }[];
  }[];
}

/** Rules that use the network or concern optional parts that we leave out. Each is slower than all others together. */
const rulesOff = [
  'SARIF2002.ProvideMessageArguments',
  'SARIF2006.UrisShouldBeReachable',
  'SARIF2009.ConsiderConventionalIdentifierValues',
  'SARIF2010.ProvideCodeSnippets',
  'SARIF2011.ProvideContextRegion',
];

function settings(): string {
  const rules = rulesOff.map(
    (rule) =>
      `<Properties Key="${rule}.Options"><Property Key="RuleEnabled" Value="Disabled" Type="Driver.RuleEnabledState" /></Properties>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n<Properties>${rules.join('')}</Properties>\n`;
}

/**
 * Runs the validator once over all logs, since it takes a second to start and half a second for each file. For the
 * same reason one file has the runs of several logs.
 *
 * @param logs the logs, by the names that complaints have
 * @throws Error if the validator does not finish. It always exits with 0, so only its output shows a failure
 */
export function complaintsOf(logs: ReadonlyMap<string, string>): Complaint[] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'svc-sarif-'));
  try {
    const files = packed(logs);
    files.forEach(({ log }, index) => fs.writeFileSync(path.join(folder, `${index}.sarif`), log));
    const config = path.join(folder, 'settings.xml');
    const output = path.join(folder, 'complaints.json');
    fs.writeFileSync(config, settings());
    const rules = ['--rule-kind', 'Sarif;Ghas', '--level', 'Error;Warning', '--config', config];
    run(['validate', path.join(folder, '*.sarif'), ...rules, '--output', output, '--quiet']);
    return read(
      output,
      files.map(({ names }) => names),
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

interface Log {
  readonly runs: readonly unknown[];
}

/** The validator's time grows faster than the length of a file, and GitHub's rules allow few runs. */
const FILE_LENGTH_MAX = 250_000;
const RUNS_MAX = 15;

/** Combines the logs into a few files. `names` has the name of the log that each run of a file comes from. */
function packed(logs: ReadonlyMap<string, string>) {
  const bins: { names: string[]; runs: unknown[]; rest: object; length: number }[] = [];
  for (const [name, log] of logs) {
    const { runs, ...rest } = JSON.parse(log) as Log;
    const fits = ({ length, names }: { length: number; names: readonly string[] }) =>
      length + log.length <= FILE_LENGTH_MAX && names.length + runs.length <= RUNS_MAX;
    let bin = bins.find(fits);
    if (bin === undefined) {
      bin = { names: [], runs: [], rest, length: 0 };
      bins.push(bin);
    }
    bin.runs.push(...runs);
    bin.names.push(...runs.map(() => name));
    bin.length += log.length;
  }
  return bins.map(({ names, runs, rest }) => ({ names, log: JSON.stringify({ ...rest, runs }) }));
}

/** The validator takes fifteen seconds on two idle cores, and many times that on busy ones. */
export const VALIDATION_MAX_MS = 240_000;

function run(given: readonly string[]): void {
  if (program === undefined) throw new Error(`There is no validator: ${noValidator ?? ''}.`);
  // Without install scripts the package does not make the program executable.
  if (process.platform !== 'win32') fs.chmodSync(program, 0o755);
  const { status, error, stdout, stderr } = spawnSync(program, given, {
    encoding: 'utf8',
    timeout: VALIDATION_MAX_MS,
    env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' },
  });
  if (error !== undefined || status !== 0)
    throw new Error(`The validator did not run: ${error?.message ?? `${stdout}${stderr}`}`);
}

/** @param names the names of the logs in each file, one for each run */
function read(output: string, names: readonly (readonly string[])[]): Complaint[] {
  const [validation] = (JSON.parse(fs.readFileSync(output, 'utf8').replace(/^\ufeff/, '')) as Findings).runs;
  const trouble = validation?.invocations.flatMap(
    (invocation) => invocation.toolExecutionNotifications ?? [],
  );
  if (validation === undefined || (trouble ?? []).length > 0)
    throw new Error(`The validator had trouble: ${JSON.stringify(trouble)}`);
  return validation.results.map(({ ruleId, level = 'warning', message, locations = [] }) => {
    const file = path.basename(locations[0]?.physicalLocation.artifactLocation.uri ?? '', '.sarif');
    const at = message.arguments?.[0] ?? '';
    const [, index = '0'] = /^runs\[(\d+)\]/.exec(at) ?? [];
    const log = names[Number(file)]?.[Number(index)] ?? file;
    return { log, level, rule: `${ruleId} ${message.id ?? ''}`, at };
  });
}
