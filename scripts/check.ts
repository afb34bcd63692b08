// `npm run check`: everything about the sources that can be known without running them. The parts run side by side;
// each prints one line, and one that fails prints what it found and how to mend it. Names as arguments run only those.
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

interface Part {
  name: string;
  /** A program of node_modules/.bin or a script, with its arguments. */
  command: readonly [program: string, ...args: string[]];
  mend: string;
}

const root = path.join(import.meta.dirname, '..');

// The longest first, so that the shorter ones fill the gaps.
const parts: readonly Part[] = [
  {
    name: 'lint',
    command: ['oxlint', '--type-aware', '--deny-warnings'],
    mend: '`npm run format` fixes some; import rules are in scripts/import-rules.ts',
  },
  {
    name: 'regexes',
    command: ['scripts/check-regexes.ts'],
    mend: 'rewrite the expression so that no part can match the same text in two ways',
  },
  {
    name: 'dead-code',
    command: ['knip', '--no-progress', '--treat-config-hints-as-errors'],
    mend: 'remove what nothing uses, or list what is used from outside in knip.jsonc',
  },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'], mend: 'see the messages' },
  {
    name: 'types-browser',
    command: ['tsc', '-p', 'tsconfig.browser.json'],
    mend: 'contract and client run in browsers: use nothing of Node there',
  },
  {
    name: 'types-web',
    command: ['tsc', '-p', 'packages/web/src/tsconfig.json'],
    mend: 'the pages run in browsers: see the messages',
  },
  {
    name: 'api-description',
    command: ['redocly', 'lint', '--format=stylish', 'packages/contract/schemas/openapi.json'],
    mend: 'change the contract, then `npm run generate`',
  },
  {
    name: 'generated',
    command: ['scripts/generate.ts', '--check'],
    mend: '`npm run generate`, and commit what it writes',
  },
  { name: 'format', command: ['oxfmt', '--check'], mend: '`npm run format`' },
  {
    name: 'dependencies',
    command: ['scripts/check-dependencies.ts'],
    mend: 'see the messages; `.npmrc` has the settings that `npm install` needs',
  },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(
    `No such part: ${unknown.join(', ')}. There are: ${parts.map(({ name }) => name).join(', ')}.`,
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
      console.log(
        `✗ ${part.name} (${seconds} s)\n${output.trimEnd()}\nTo mend ${part.name}: ${part.mend}.\n`,
      );
    }
  }
}

function run([program, ...args]: Part['command']): Promise<{ succeeded: boolean; output: string }> {
  const isScript = program.includes('/');
  const file = isScript ? process.execPath : path.join(root, 'node_modules/.bin', program);
  const env = {
    ...process.env,
    // The programs run on the Node that runs this, however it was started.
    PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
    // Nothing leaves the machine for a check, and nothing asks for an update.
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
