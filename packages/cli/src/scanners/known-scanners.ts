/**
 * The scanners that are run where they are installed. Each is asked for SARIF, and in the way that sends nothing away and
 * runs nothing of the repository; settings of the repository that are data (rules to skip, findings to ignore) hold.
 * Options are long and written as the tools' current documentation has them.
 */
import path from 'node:path';
import type { Inventory } from './inventory.ts';
import { languageOf } from './languages.ts';
import { isVendored } from './list-files.ts';
import type { Scanner, ScannerPlace } from './scanner.ts';

const MINUTE_MS = 60_000;

const hasCode = ({ files }: Inventory) => files.some((file) => languageOf(file.path) !== undefined);

const semgrep: Scanner = {
  name: 'semgrep',
  phase: 'static_analysis',
  looksAt: 'code in its languages, with its default rules',
  isGeneral: true,
  needsNetwork: true,
  runsRepositoryCode: false,
  timeLimitMs: 20 * MINUTE_MS,
  versionArguments: ['--version'],
  isWorthwhile: hasCode,
  command: ({ root, resultFile, has }) => ({
    arguments: [
      'scan',
      '--metrics=off',
      '--disable-version-check',
      '--quiet',
      '--sarif',
      '--output',
      resultFile,
      // `auto` would choose rules by what it tells the maker about the repository.
      '--config',
      'p/default',
      ...['.semgrep.yml', '.semgrep.yaml'].flatMap((file) =>
        has(file) ? ['--config', path.join(root, file)] : [],
      ),
      root,
    ],
    folder: 'private',
  }),
  codesOfRun: [0, 1],
  resultIn: 'file',
  environment: (privateFolder) => ({
    SEMGREP_SEND_METRICS: 'off',
    SEMGREP_ENABLE_VERSION_CHECK: '0',
    // Without the account that somebody logged in to, under which results could be kept elsewhere.
    SEMGREP_SETTINGS_FILE: path.join(privateFolder, 'settings.yml'),
    SEMGREP_LOG_FILE: path.join(privateFolder, 'semgrep.log'),
    SEMGREP_VERSION_CACHE_PATH: path.join(privateFolder, 'version'),
  }),
};

const gitleaks: Scanner = {
  name: 'gitleaks',
  phase: 'secret_review',
  looksAt: 'files as they are now, for secrets by its own rules',
  isGeneral: true,
  needsNetwork: false,
  runsRepositoryCode: false,
  timeLimitMs: 10 * MINUTE_MS,
  versionArguments: ['version'],
  isWorthwhile: ({ fileCount }) => fileCount > 0,
  // Not the history: git would run text conversions that the repository's own configuration names.
  command: ({ root, resultFile }) => ({
    arguments: [
      'dir',
      root,
      '--report-format',
      'sarif',
      '--report-path',
      resultFile,
      '--redact',
      '--no-banner',
      '--no-color',
      '--log-level',
      'error',
      '--exit-code',
      '0',
    ],
    folder: 'private',
  }),
  codesOfRun: [0],
  resultIn: 'file',
};

/** Bandit would walk through virtual environments, which are ignored: it is given what lies beside them. */
function pythonTargets({ root, inventory }: ScannerPlace): string[] {
  const python = inventory.files.filter((file) => file.bytes === undefined && isPython(file.path));
  const tops = new Set(python.map((file) => file.path.split('/', 1)[0] ?? ''));
  return tops.size > PYTHON_TARGETS_MAX ? [root] : [...tops].map((top) => path.join(root, top));
}
const PYTHON_TARGETS_MAX = 500;
const isPython = (file: string) => languageOf(file) === 'Python' && !isVendored(file);

const bandit: Scanner = {
  name: 'bandit',
  phase: 'static_analysis',
  looksAt: 'Python',
  isGeneral: false,
  needsNetwork: false,
  runsRepositoryCode: false,
  timeLimitMs: 15 * MINUTE_MS,
  versionArguments: ['--version'],
  isWorthwhile: ({ files }) => files.some((file) => isPython(file.path)),
  command: (place) => ({
    arguments: [
      '--recursive',
      '--quiet',
      '--format',
      'sarif',
      '--output',
      place.resultFile,
      ...(place.has('.bandit') ? ['--ini', path.join(place.root, '.bandit')] : []),
      ...pythonTargets(place),
    ],
    folder: 'private',
  }),
  codesOfRun: [0, 1],
  resultIn: 'file',
};

const ESLINT_CONFIGURATION = /^(?:eslint\.config\.(?:[cm]?[jt]s)|\.eslintrc(?:\.(?:c?js|json|ya?ml))?)$/;
const ESLINT_SECURITY_RULE =
  /^(?:(?:security|no-secrets|no-unsanitized|@microsoft\/sdl|xss|scanjs-rules|security-node)\/|regexp\/no-super-linear-|no-(?:eval|implied-eval|new-func|script-url)$|react\/(?:no-danger|jsx-no-target-blank|jsx-no-script-url)|@typescript-eslint\/no-implied-eval$)/;
/** The formatter is a package of its own, which the repository has installed or not. */
export const ESLINT_FORMATTER = '@microsoft/eslint-formatter-sarif';

const eslint: Scanner = {
  name: 'eslint',
  phase: 'static_analysis',
  looksAt: 'JavaScript and TypeScript, with the security rules that the repository has chosen',
  isGeneral: false,
  needsNetwork: false,
  runsRepositoryCode: true,
  timeLimitMs: 15 * MINUTE_MS,
  versionArguments: ['--version'],
  isWorthwhile: ({ files }) => files.some((file) => ESLINT_CONFIGURATION.test(file.path)),
  command: ({ resultFile }) => ({
    arguments: [
      '--format',
      ESLINT_FORMATTER,
      '--output-file',
      resultFile,
      '--no-error-on-unmatched-pattern',
      '--no-color',
      '.',
    ],
    folder: 'repository',
  }),
  codesOfRun: [0, 1],
  resultIn: 'file',
  isSecurityRule: (ruleId) => ESLINT_SECURITY_RULE.test(ruleId),
};

const trivy: Scanner = {
  name: 'trivy',
  phase: 'dependency_review',
  looksAt: 'dependencies with known vulnerabilities and configuration of infrastructure',
  isGeneral: true,
  needsNetwork: true,
  runsRepositoryCode: false,
  timeLimitMs: 20 * MINUTE_MS,
  versionArguments: ['--version'],
  isWorthwhile: ({ fileCount }) => fileCount > 0,
  // Called elsewhere because a `trivy.yaml` where it is called may name a server that it then sends everything to.
  command: ({ root, resultFile, has }) => ({
    arguments: [
      'filesystem',
      '--scanners',
      'vuln,misconfig',
      '--format',
      'sarif',
      '--output',
      resultFile,
      // The database is still brought up to date; what is not sent are questions about single packages.
      '--exit-code',
      '0',
      '--quiet',
      '--offline-scan',
      ...(has('.trivyignore') ? ['--ignorefile', path.join(root, '.trivyignore')] : []),
      root,
    ],
    folder: 'private',
  }),
  codesOfRun: [0],
  resultIn: 'file',
  // As variables, because older versions refuse options that they do not know.
  environment: () => ({ TRIVY_DISABLE_TELEMETRY: 'true', TRIVY_SKIP_VERSION_CHECK: 'true' }),
};

const lockFiles: ReadonlySet<string> = new Set(
  (
    'package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock Cargo.lock Gemfile.lock gems.locked ' +
    'composer.lock go.mod poetry.lock Pipfile.lock pdm.lock uv.lock pylock.toml pom.xml gradle.lockfile ' +
    'buildscript-gradle.lockfile verification-metadata.xml packages.lock.json packages.config mix.lock ' +
    'pubspec.lock conan.lock renv.lock cabal.project.freeze stack.yaml.lock bom.json'
  ).split(' '),
);

function isLockFile(file: string): boolean {
  const name = path.posix.basename(file);
  return (
    lockFiles.has(name) ||
    (name.includes('requirements') && name.endsWith('.txt')) ||
    /\.(?:deps|spdx|cdx)\.json$/.test(name)
  );
}

const osvScanner: Scanner = {
  name: 'osv-scanner',
  phase: 'dependency_review',
  looksAt: 'dependencies in lock files with known vulnerabilities',
  isGeneral: true,
  needsNetwork: true,
  runsRepositoryCode: false,
  timeLimitMs: 20 * MINUTE_MS,
  versionArguments: ['--version'],
  isWorthwhile: ({ files }) => files.some((file) => isLockFile(file.path)),
  command: ({ root }) => ({
    arguments: [
      'scan',
      'source',
      '--recursive',
      '--format',
      'sarif',
      // Names of private packages stay here: the database comes to the packages, and nobody is asked about one.
      '--offline-vulnerabilities',
      '--download-offline-databases',
      '--no-resolve',
      // Would load the repository's own build.
      '--no-call-analysis=all',
      root,
    ],
    folder: 'private',
  }),
  codesOfRun: [0, 1],
  codesOfNothing: [128],
  resultIn: 'output',
};

/** In the order in which they run within their phase. */
export const knownScanners: readonly Scanner[] = [gitleaks, semgrep, bandit, eslint, osvScanner, trivy];
