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

const flag = { type: 'boolean' };
const value = { type: 'string' };

/**
 * Subcommand, long options, argument that prints the version, exit codes for findings and wrong options, option for the
 * result.
 */
const tools = {
  semgrep: {
    words: ['scan'],
    options: {
      metrics: value,
      'disable-version-check': flag,
      quiet: flag,
      sarif: flag,
      output: value,
      config: { ...value, multiple: true },
    },
    version: '--version',
    found: 0,
    rejected: 2,
    resultOption: 'output',
  },
  gitleaks: {
    words: ['dir'],
    options: {
      'report-format': value,
      'report-path': value,
      redact: flag,
      'no-banner': flag,
      'no-color': flag,
      'log-level': value,
      'exit-code': value,
    },
    version: 'version',
    found: 1,
    rejected: 126,
    resultOption: 'report-path',
  },
  bandit: {
    words: [],
    options: { recursive: flag, quiet: flag, format: value, output: value, ini: value },
    version: '--version',
    found: 1,
    rejected: 2,
    resultOption: 'output',
  },
  eslint: {
    words: [],
    options: { format: value, 'output-file': value, 'no-error-on-unmatched-pattern': flag, 'no-color': flag },
    version: '--version',
    found: 1,
    rejected: 2,
    resultOption: 'output-file',
  },
  trivy: {
    words: ['filesystem'],
    options: {
      scanners: value,
      format: value,
      output: value,
      'exit-code': value,
      quiet: flag,
      'offline-scan': flag,
      ignorefile: value,
    },
    version: '--version',
    found: 0,
    rejected: 1,
    resultOption: 'output',
  },
  'osv-scanner': {
    words: ['scan', 'source'],
    options: {
      recursive: flag,
      format: value,
      'offline-vulnerabilities': flag,
      'download-offline-databases': flag,
      'no-resolve': flag,
      'no-call-analysis': value,
    },
    version: '--version',
    found: 1,
    rejected: 127,
    resultOption: '',
  },
};
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

const program = `
import fs from 'node:fs';
import net from 'node:net';
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
const args = process.argv.slice(2);
const { name, tool, behaviour, log } = JSON.parse(fs.readFileSync(import.meta.filename.replace(/mjs$/, 'json'), 'utf8'));
fs.appendFileSync(log, JSON.stringify({ name, arguments: args, folder: process.cwd(), environment: process.env }) + '\\n');
if (args[0] === tool.version) { console.log(name + ' version 1.2.3'); process.exit(0); }
let parsed;
try {
  parsed = parseArgs({ args, options: tool.options, allowPositionals: true, strict: true });
  for (const word of tool.words) if (parsed.positionals.shift() !== word) throw new Error('unknown command');
  if (parsed.positionals.length === 0) throw new Error('no target');
  for (const target of parsed.positionals) fs.statSync(target);
} catch (error) {
  console.error(String(error));
  process.exit(tool.rejected);
}
const file = parsed.values[tool.resultOption];
if (behaviour.complaint) console.error(behaviour.complaint);
const parent = process.ppid;
const wait = () => setInterval(() => { if (process.ppid !== parent) process.exit(); }, 1000);
const hang = () => { process.on('SIGTERM', () => {}); wait(); };
switch (behaviour.does ?? 'scan') {
  case 'wait':
    wait();
    break;
  case 'hang': {
    const script = 'process.on("SIGTERM", () => {}); require("node:net").connect(' + behaviour.port + ', "127.0.0.1"); setInterval(() => {}, 1000);';
    if (behaviour.port) {
      spawn(process.execPath, ['-e', script], { stdio: 'inherit' });
      net.connect(behaviour.port, '127.0.0.1');
    }
    hang();
    break;
  }
  case 'flood': {
    const more = () => { while (process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', more); };
    more();
    break;
  }
  case 'flood_file': {
    const handle = fs.openSync(file, 'w');
    setInterval(() => { fs.writeSync(handle, Buffer.alloc(16 * 1024 * 1024)); }, 20);
    break;
  }
  case 'die':
    process.kill(process.pid, 'SIGKILL');
    break;
  case 'nothing':
    process.exitCode = behaviour.exitCode ?? 0;
    break;
  default: {
    const found = 'exit-code' in parsed.values ? Number(parsed.values['exit-code']) : tool.found;
    if (file === undefined) process.stdout.write(behaviour.result);
    else fs.writeFileSync(file, behaviour.result);
    process.exitCode = behaviour.exitCode ?? found;
  }
}
`;

/** Installs a substitute into a folder of the search path. */
export function installFake(folder: string, name: FakeName, behaviour: Behaviour = {}): void {
  const file = path.join(folder, name);
  const log = path.join(folder, 'calls.jsonl');
  const settings = { name, tool: tools[name], behaviour: { result: sarif(name), ...behaviour }, log };
  fs.writeFileSync(`${file}.json`, JSON.stringify(settings));
  fs.writeFileSync(`${file}.mjs`, program);
  // A program whose name has no extension cannot be an ES module, so it loads one.
  const loader = `#!${process.execPath}\nimport(__filename + '.mjs');\n`;
  fs.writeFileSync(file, loader, { mode: 0o755 });
}

export function callsIn(folder: string): ScannerCall[] {
  const log = path.join(folder, 'calls.jsonl');
  if (!fs.existsSync(log)) return [];
  const lines = fs.readFileSync(log, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ScannerCall);
}
