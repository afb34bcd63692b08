// Updates what a script needs before it runs: the dependencies; with `--build`, the bundles of the server, the pages
// and the CLI, which the service offers for download; with `--build=web`, for instance, only the named bundle.
//
// It runs before `start`, `test`, `dev` and the others, so it must cost next to nothing when nothing is stale: it
// computes one hash over the lock file and the manifests, and compares it with the stamp of the last install. It may be
// the first script to run in a fresh clone, on any version of Node. So it is plain JavaScript for Node 20, without
// dependencies. Concurrent scripts wait for each other through a lock file.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.prepared');
const lockFile = path.join(root, '.cache', 'prepare.lock');
const stampOf = (bundle) => path.join(root, 'packages', bundle, 'dist/.inputs.json');

const oldestNode = [22, 18];
const lockHeartbeatMs = 1000;
// A killed owner no longer touches its lock file; a slow one still does.
const lockAbandonedAfterMs = 10_000;
const lockPollMs = 250;

/** A failure that one line explains. Any other error is a bug and shows its stack. */
class PrepareError extends Error {}

const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
const readJsonIfThere = (file) => (fs.existsSync(file) ? readJson(file) : undefined);
const say = (line) => process.stderr.write(`${line}\n`);

// ---------------------------------------------------------------------------------------------- dependencies

const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** The manifests by their path in the lock file: '' is the root. */
function readManifests() {
  const rootManifest = readJson(path.join(root, 'package.json'));
  const manifests = { '': rootManifest };
  for (const folder of rootManifest.workspaces) {
    manifests[folder] = readJson(path.join(root, folder, 'package.json'));
  }
  return manifests;
}

/** Changes of scripts and descriptions need no new install. Changes that affect what gets installed do. */
function fingerprint(lockText, manifests) {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}\n`).update(lockText);
  for (const [folder, manifest] of Object.entries(manifests)) {
    const relevant = [
      'name',
      'version',
      'workspaces',
      'overrides',
      'allowScripts',
      'bin',
      ...dependencyFields,
    ];
    hash.update(JSON.stringify([folder, relevant.map((field) => manifest[field])]));
  }
  return hash.digest('hex');
}

/** Checks that everything in the lock file is installed, according to npm's own record. */
function installedMatchesLock(lock, manifests) {
  const installed = readJsonIfThere(path.join(modules, '.package-lock.json'));
  if (installed === undefined) return false;
  const same = (a, b) => JSON.stringify(a ?? {}) === JSON.stringify(b ?? {});
  const sorted = (map) =>
    Object.fromEntries(Object.entries(map ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  for (const [folder, manifest] of Object.entries(manifests)) {
    const locked = lock.packages[folder];
    if (locked === undefined) return false;
    if (!dependencyFields.every((field) => same(sorted(locked[field]), sorted(manifest[field]))))
      return false;
    // The programs of the project's own packages are linked beside those of its dependencies.
    if (!Object.keys(manifest.bin ?? {}).every((name) => fs.existsSync(path.join(modules, '.bin', name))))
      return false;
  }
  // npm does not install the optional packages of other platforms, nor packages that only those need.
  const mayBeAbsent = ({ optional, os, cpu, libc }) =>
    optional === true &&
    !(os?.includes(process.platform) && cpu?.includes(process.arch) && libc === undefined);
  const isThirdParty = ([place]) => place.includes('node_modules/');
  for (const [place, locked] of Object.entries(lock.packages).filter(isThirdParty)) {
    const found = installed.packages[place];
    if (found === undefined && mayBeAbsent(locked)) continue;
    if (found === undefined || found.version !== locked.version || found.integrity !== locked.integrity)
      return false;
  }
  return Object.entries(installed.packages)
    .filter(isThirdParty)
    .every(([place]) => place in lock.packages);
}

function dependenciesAreCurrent() {
  const lockText = fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const manifests = readManifests();
  const wanted = fingerprint(lockText, manifests);
  const found = fs.existsSync(stampFile) ? fs.readFileSync(stampFile, 'utf8') : undefined;
  if (found === wanted) return true;
  // A different stamp may only mean that npm was run by hand, so what is installed decides.
  if (!installedMatchesLock(JSON.parse(lockText), manifests)) return false;
  if (pinnedNode() === undefined) return false;
  fs.writeFileSync(stampFile, wanted);
  return true;
}

/** Where npm put the Node that the project pins; undefined when its install script was not allowed to run. */
function pinnedNode() {
  const file = path.join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return fs.existsSync(file) ? file : undefined;
}

function requireUsableNode() {
  if (pinnedNode() !== undefined) return;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw new PrepareError(
    `This machine has Node ${process.versions.node}, ${oldestNode.join('.')} is needed, and npm did not install the ` +
      'pinned one: allow install scripts (npm config get ignore-scripts) and run `npm ci`.',
  );
}

/** The environment of a plain `npm ci` in a shell, even if an npm command started this process. */
function plainEnvironment() {
  const env = { ...process.env };
  for (const name of Object.keys(env)) {
    // These variables come from flags of the outer command (`npm start --omit=dev`, `npm test -w …`) and would be
    // inherited.
    if (
      /^npm_config_(omit|only|production|also|workspaces?|global|location|dry_run|package_lock(_only)?)$/i.test(
        name,
      )
    ) {
      delete env[name];
    }
  }
  delete env.NODE_ENV;
  const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  env[pathName] = (env[pathName] ?? '')
    .split(path.delimiter)
    .filter((folder) => !path.resolve(folder).startsWith(modules))
    .join(path.delimiter);
  return env;
}

/** Runs npm on the machine's own Node, because `npm ci` is about to delete the folder with the pinned one. */
function npmCommand() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  const cliIsNpm = cli !== undefined && /npm-cli\.c?js$/.test(cli) && fs.existsSync(cli);
  const nodeIsOutside = node !== undefined && !path.resolve(node).startsWith(modules + path.sep);
  if (cliIsNpm && nodeIsOutside) return { file: node, args: [cli], shell: false };
  return { file: 'npm', args: [], shell: process.platform === 'win32' };
}

const knownFailures = [
  [
    /can only install packages when your package\.json|EUSAGE/,
    'package.json and package-lock.json disagree: run `npm install` and commit both.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|EHOSTUNREACH/,
    'the package registry cannot be reached: check the network and try again.',
  ],
  [/EINTEGRITY/, 'a downloaded package differs from what package-lock.json expects: do not use it.'],
  [/ENOSPC/, 'the disk is full.'],
  [/EACCES|EPERM|EROFS/, 'this user may not write to the project folder or to the npm cache.'],
];

async function installDependencies() {
  say('Installing dependencies …');
  const npm = npmCommand();
  // Shows errors only. The machine's own Node may be older than the packages require, because they never run on it.
  const args = [
    ...npm.args,
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    // Without a network npm would wait more than a minute before it reports that.
    '--fetch-retry-maxtimeout=10000',
  ];
  const { code, errorText } = await run(npm.file, args, {
    env: plainEnvironment(),
    shell: npm.shell,
    watchErrors: true,
  });
  if (code !== 0) {
    const reason = knownFailures.find(([sign]) => sign.test(errorText))?.[1] ?? 'npm says why above.';
    throw new PrepareError(`Installing dependencies failed: ${reason}`);
  }
  fs.writeFileSync(
    stampFile,
    fingerprint(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'), readManifests()),
  );
}

// ---------------------------------------------------------------------------------------------------- bundle

/** The build writes a list of the files that it read. The bundle is current while none of them has changed. */
function isCurrentBundle(bundle) {
  const stamp = readJsonIfThere(stampOf(bundle));
  if (stamp === undefined) return false;
  return stamp.every(([file, modifiedMs, sizeBytes]) => {
    const now = fs.statSync(path.join(root, file), { throwIfNoEntry: false });
    return now !== undefined && now.mtimeMs === modifiedMs && now.size === sizeBytes;
  });
}

async function buildBundle(bundle) {
  const script = path.join(root, 'scripts', 'build.ts');
  const { code } = await run(pinnedNode() ?? process.execPath, [script, bundle], { env: process.env });
  if (code !== 0) throw new PrepareError(`Building the ${bundle} failed: the message is above.`);
}

// --------------------------------------------------------------------------------------- programs and the lock

/** Runs a program to its end with its output shown; signals that reach this process reach it too. */
function run(file, args, { env, shell = false, watchErrors = false }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: root,
      env,
      shell,
      stdio: ['ignore', 'inherit', watchErrors ? 'pipe' : 'inherit'],
    });
    let errorText = '';
    child.stderr?.on('data', (chunk) => {
      process.stderr.write(chunk);
      errorText += chunk;
    });
    const forward = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
    child.on('error', (error) => reject(new PrepareError(`${file} could not be started: ${error.message}`)));
    child.on('close', (code, signal) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, forward);
      if (signal !== null) reject(new PrepareError(`Interrupted by ${signal}.`));
      else resolve({ code, errorText });
    });
  });
}

/** True when this process now owns the lock, false when another one does. */
function tryLock(token) {
  fs.mkdirSync(path.dirname(lockFile), { recursive: true });
  try {
    fs.writeFileSync(lockFile, token, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Removes a lock whose owner stopped touching it. Of two processes that try, only one finds the file to rename. */
function removeAbandonedLock() {
  const isAbandoned = (stat) => stat !== undefined && Date.now() - stat.mtimeMs >= lockAbandonedAfterMs;
  if (!isAbandoned(fs.statSync(lockFile, { throwIfNoEntry: false }))) return;
  const aside = `${lockFile}.${process.pid}`;
  try {
    fs.renameSync(lockFile, aside);
    // Another process may have taken the lock before the rename. It then gets its lock back.
    if (!isAbandoned(fs.statSync(aside))) fs.linkSync(aside, lockFile);
    fs.rmSync(aside);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
}

async function withLock(work) {
  const token = `${process.pid}`;
  for (let waited = false; !tryLock(token); waited = true) {
    if (!waited) say('Another command is installing or building; waiting for it …');
    await new Promise((resolve) => setTimeout(resolve, lockPollMs));
    removeAbandonedLock();
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    fs.utimesSync(lockFile, now, now);
  }, lockHeartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    fs.rmSync(lockFile, { force: true });
  }
}

async function main() {
  const bundles = process.argv.flatMap((word) =>
    word === '--build'
      ? ['server', 'web', 'cli']
      : word.startsWith('--build=')
        ? [word.slice('--build='.length)]
        : [],
  );
  const isCurrent = () => dependenciesAreCurrent() && bundles.every(isCurrentBundle);
  if (isCurrent()) return requireUsableNode();
  await withLock(async () => {
    if (!dependenciesAreCurrent()) await installDependencies();
    requireUsableNode();
    const built = await Promise.allSettled(bundles.filter((name) => !isCurrentBundle(name)).map(buildBundle));
    const failed = built.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
  });
}

try {
  await main();
} catch (error) {
  if (!(error instanceof PrepareError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
