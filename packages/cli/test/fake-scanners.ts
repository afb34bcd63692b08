/**
 * Substitutes for scanners that cannot be installed here, as programs of the same names. They accept the real options and
 * reject others with the real exit codes, write SARIF where the real ones do, and record how they were called.
 */
import * as fs from 'node:fs';
import path from 'node:path';

export interface Behaviour {
  /** The output of the scanner; a log with one result by default. */
  readonly result?: string;
  /** Replaces the real exit code. */
  readonly exitCode?: number;
  readonly complaint?: string;
  /** `wait` ends when asked to, `hang` does not; `die` is killed by a signal. */
  readonly does?: 'scan' | 'wait' | 'hang' | 'die' | 'flood' | 'flood_file' | 'nothing';
  /** A port. The program, and a grandchild that ignores requests to end, connect to it before they hang. */
  readonly port?: number;
}

export interface ScannerCall {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Subcommand, options without and with a value, argument that prints the version, exit codes for findings and wrong options,
 * option for the result.
 */
const tools = {
  semgrep: {
    words: ['scan'],
    flags: ['disable-version-check', 'quiet', 'sarif'],
    values: ['metrics', 'output', 'config'],
    version: '--version',
    found: 0,
    rejected: 2,
    resultOption: 'output',
  },
  gitleaks: {
    words: ['dir'],
    flags: ['redact', 'no-banner', 'no-color'],
    values: ['report-format', 'report-path', 'log-level', 'exit-code'],
    version: 'version',
    found: 1,
    rejected: 126,
    resultOption: 'report-path',
  },
  bandit: {
    words: [],
    flags: ['recursive', 'quiet'],
    values: ['format', 'output', 'ini'],
    version: '--version',
    found: 1,
    rejected: 2,
    resultOption: 'output',
  },
  eslint: {
    words: [],
    flags: ['no-error-on-unmatched-pattern', 'no-color'],
    values: ['format', 'output-file'],
    version: '--version',
    found: 1,
    rejected: 2,
    resultOption: 'output-file',
  },
  trivy: {
    words: ['filesystem'],
    flags: ['quiet', 'offline-scan'],
    values: ['scanners', 'format', 'output', 'exit-code', 'ignorefile'],
    version: '--version',
    found: 0,
    rejected: 1,
    resultOption: 'output',
  },
  'osv-scanner': {
    words: ['scan', 'source'],
    flags: ['recursive', 'offline-vulnerabilities', 'download-offline-databases', 'no-resolve'],
    values: ['format', 'no-call-analysis'],
    version: '--version',
    found: 1,
    rejected: 127,
    resultOption: 'none',
  },
} as const;
export type FakeName = keyof typeof tools;
export const fakeNames = Object.keys(tools) as FakeName[];

/** The smallest possible log. */
export function sarif(name: string, file = 'src/app.py', ruleId = 'a-rule'): string {
  const location = { physicalLocation: { artifactLocation: { uri: file }, region: { startLine: 3 } } };
  const result = {
    ruleId,
    level: 'warning',
    message: { text: `${name} found this.` },
    locations: [location],
  };
  return JSON.stringify({
    version: '2.1.0',
    runs: [{ tool: { driver: { name, rules: [{ id: ruleId }] } }, results: [result] }],
  });
}

/** Programs that run until they are ended. The port and the file of the result are their arguments. */
const lasting = {
  wait: '',
  hang: `
    const script = 'process.on("SIGTERM", () => {}); require("node:net").connect(' + port + ', "127.0.0.1"); setInterval(() => {}, 1000);';
    if (port) {
      require('node:child_process').spawn(process.execPath, ['-e', script], { stdio: 'inherit' });
      require('node:net').connect(port, '127.0.0.1');
    }
    process.on('SIGTERM', () => {});`,
  flood: `
    const more = () => { while (process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', more); };
    more();`,
  flood_file: `
    const handle = require('node:fs').openSync(file, 'w');
    setInterval(() => require('node:fs').writeSync(handle, Buffer.alloc(16 * 1024 * 1024)), 20);`,
};
const untilOrphaned = `
  const [, , port, file] = process.argv;
  const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) process.exit(); }, 1000);`;

/** Installs a substitute into a folder of the search path: a shell script, since Node takes twenty times as long to start. */
export function installFake(folder: string, name: FakeName, behaviour: Behaviour = {}): void {
  const { does = 'scan', result = sarif(name), exitCode, complaint, port = '' } = behaviour;
  const { words, flags, values, version, found, rejected, resultOption } = tools[name];
  const inFolder = (end: string) => quoted(path.join(folder, `${name}.${end}`));
  const anyOf = (options: readonly string[]) => options.map((option) => `--${option}`).join('|');
  const ends = {
    scan: `[ -z "$file" ] || exec > "$file"\n/bin/cat ${inFolder('result')}\nexit ${exitCode ?? '"$code"'}`,
    nothing: `exit ${exitCode ?? 0}`,
    die: 'kill -KILL $$',
  };
  const script = `#!/bin/sh
{ printf '%s\\0' "$#" "$PWD" "$@"; /usr/bin/env -0; } > ${inFolder('call-')}$$
if [ "$1" = ${version} ]; then echo '${name} version 1.2.3'; exit; fi
reject() { echo "$1" >&2; exit ${rejected}; }
for word in ${words.join(' ')}; do
  [ "$1" = "$word" ] || reject 'unknown command'
  shift
done
file= target= code=${found}
while [ $# -gt 0 ]; do
  option=\${1%%=*} value=\${1#*=}
  case $option in
    ${anyOf(values)}) if [ "$option" = "$1" ]; then value=$2; shift; fi ;;
    ${anyOf(flags)}) ;;
    -*) reject 'unknown option' ;;
    *) target=$1; [ -e "$1" ] || reject 'no such file' ;;
  esac
  case $option in ${anyOf([resultOption])}) file=$value ;; --exit-code) code=$value ;; esac
  shift
done
[ -n "$target" ] || reject 'no target'
printf %s ${quoted(complaint === undefined ? '' : `${complaint}\n`)} >&2
${isLasting(does) ? `exec '${process.execPath}' ${inFolder('cjs')} '${port}' "$file"` : ends[does]}
`;
  fs.writeFileSync(path.join(folder, `${name}.result`), result);
  if (isLasting(does)) fs.writeFileSync(path.join(folder, `${name}.cjs`), untilOrphaned + lasting[does]);
  fs.writeFileSync(path.join(folder, name), script, { mode: 0o755 });
}

const isLasting = (does: string): does is keyof typeof lasting => Object.hasOwn(lasting, does);
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The calls of all substitutes in the folder, oldest first. */
export function callsIn(folder: string): ScannerCall[] {
  const files = fs.readdirSync(folder).filter((file) => file.includes('.call-'));
  const records = files.map((file) => {
    const [name = '', pid] = file.split('.call-');
    const whole = path.join(folder, file);
    return { name, pid: Number(pid), at: fs.statSync(whole).mtimeMs, text: fs.readFileSync(whole, 'utf8') };
  });
  records.sort((one, other) => one.at - other.at || one.pid - other.pid);
  return records.map(({ name, text }) => {
    const [count, at = '', ...rest] = text.split('\0').slice(0, -1);
    const variables = rest.slice(Number(count)).map((line) => line.split(/=(.*)/s).slice(0, 2));
    const environment = Object.fromEntries(variables) as Record<string, string>;
    return { name, arguments: rest.slice(0, Number(count)), folder: at, environment };
  });
}
