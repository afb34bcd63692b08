// `npm run check`: the static checks. They run in parallel. Each prints one line; one that fails also prints what it
// found and how to fix it. Names as arguments select checks.
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

interface Part {
  name: string;
  /** A program of node_modules/.bin or a script, with its arguments. */
  command: readonly [program: string, ...args: string[]];
  fix: string;
}

const root = path.join(import.meta.dirname, '..');

// The slowest first, so that the fast ones fill the gaps.
const parts: readonly Part[] = [
  {
    name: 'lint',
    command: ['oxlint', '--type-aware', '--deny-warnings'],
    fix: '`npm run format` fixes some; import rules are in scripts/import-rules.ts',
  },
  {
    name: 'regexes',
    command: ['scripts/check-regexes.ts'],
    fix: 'rewrite the expression so that no part can match the same text in two ways',
  },
  {
    name: 'dead-code',
    command: ['knip', '--no-progress', '--treat-config-hints-as-errors'],
    fix: 'remove what nothing uses, or list what is used from outside in knip.jsonc',
  },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'], fix: 'see the messages' },
  {
    name: 'types-browser',
    command: ['tsc', '-p', 'tsconfig.browser.json'],
    fix: 'contract and client run in browsers: use no Node API there',
  },
  {
    name: 'types-web',
    command: ['tsc', '-p', 'packages/web/src/tsconfig.json'],
    fix: 'the pages run in browsers: see the messages',
  },
  {
    name: 'api-description',
    command: ['redocly', 'lint', '--format=stylish', 'packages/contract/schemas/openapi.json'],
    fix: 'change the contract, then `npm run generate`',
  },
  {
    name: 'generated',
    command: ['scripts/generate.ts', '--check'],
    fix: '`npm run generate`, and commit what it writes',
  },
  {
    name: 'words',
    command: ['scripts/check-words.ts'],
    fix: 'say it in the words that the message suggests; docs/GLOSSARY.md has the terms',
  },
  { name: 'format', command: ['oxfmt', '--check'], fix: '`npm run format`' },
  {
    name: 'dependencies',
    command: ['scripts/check-dependencies.ts'],
    fix: 'see the messages; `.npmrc` has the settings that `npm install` needs',
  },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(
    `No check is named ${unknown.join(', ')}. Checks: ${parts.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

const queue = parts.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const total = queue.length;
const failed: string[] = [];
await Promise.all(Array.from({ length: os.availableParallelism() }, work));
console.log(failed.length === 0 ? `${total} checks passed.` : `Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function work() {
  for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
    const startedMs = performance.now();
    const { succeeded, output } = await run(part.command);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    if (succeeded) {
      console.log(`✓ ${part.name} (${seconds} s)`);
    } else {
      failed.push(part.name);
      console.log(`✗ ${part.name} (${seconds} s)\n${output.trimEnd()}\nTo fix ${part.name}: ${part.fix}.\n`);
    }
  }
}

function run([program, ...args]: Part['command']): Promise<{ succeeded: boolean; output: string }> {
  const isScript = program.includes('/');
  const file = isScript ? process.execPath : path.join(root, 'node_modules/.bin', program);
  const env = {
    ...process.env,
    // The programs run on the Node that runs this script.
    PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
    // No telemetry and no update requests.
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
  return new Promise((resolve) => {
    const child = spawn(file, isScript ? [program, ...args] : args, { cwd: root, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', (error) => resolve({ succeeded: false, output: error.message }));
    child.on('close', (code) => resolve({ succeeded: code === 0, output }));
  });
}
