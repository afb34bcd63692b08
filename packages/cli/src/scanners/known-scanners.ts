/**
 * The supported scanners. Each writes SARIF and uploads nothing. Only eslint runs code from the repository. The
 * repository's settings that are data (rules to skip, findings to ignore) apply. Options are in their long form, as in
 * the tools' current documentation.
 */
import path from 'node:path';
import type { Inventory } from './inventory.ts';
import { languageOf } from './languages.ts';
import { isVendored } from './list-files.ts';
import type { Scanner, ScannerPlace } from './scanner.ts';
import { MINUTE_MS } from '../time.ts';

const hasCode = ({ files }: Inventory) => files.some((file) => languageOf(file.path) !== undefined);

const semgrep: Scanner = {
  name: 'semgrep',
  phase: 'static_analysis',
  looksAt: 'code in the languages that it supports, with its default rules',
  isGeneral: true,
  needsNetwork: true,
  runsRepositoryCode: false,
  timeLimitMs: 20 * MINUTE_MS,
  versionArguments: ['--version'],
  needs: 'semgrep 1.0 or later',
  isWorthwhile: hasCode,
  command: ({ root, target, resultFile, has }) => ({
    arguments: [
      'scan',
      '--metrics=off',
      '--disable-version-check',
      '--quiet',
      '--sarif',
      '--output',
      resultFile,
      // With `auto`, semgrep would send data about the repository to its maker to choose rules.
      '--config',
      'p/default',
      ...['.semgrep.yml', '.semgrep.yaml'].flatMap((file) =>
        has(file) ? ['--config', path.join(root, file)] : [],
      ),
      target.place,
    ],
    folder: 'private',
  }),
  codesOfRun: [0, 1],
  resultIn: 'file',
  environment: (privateFolder) => ({
    SEMGREP_SEND_METRICS: 'off',
    SEMGREP_ENABLE_VERSION_CHECK: '0',
    // Runs without the user's login, under which results could be stored elsewhere.
    SEMGREP_SETTINGS_FILE: path.join(privateFolder, 'settings.yml'),
    SEMGREP_LOG_FILE: path.join(privateFolder, 'semgrep.log'),
    SEMGREP_VERSION_CACHE_PATH: path.join(privateFolder, 'version'),
  }),
};

const gitleaks: Scanner = {
  name: 'gitleaks',
  phase: 'secret_review',
  looksAt: 'the current files for secrets, with its own rules',
  isGeneral: true,
  needsNetwork: false,
  runsRepositoryCode: false,
  timeLimitMs: 10 * MINUTE_MS,
  versionArguments: ['version'],
  needs: 'gitleaks 8.19 or later',
  isWorthwhile: ({ fileCount }) => fileCount > 0,
  // Scans the files and not the history: git would run text conversions that the repository's own configuration names.
  command: ({ target, resultFile }) => ({
    arguments: [
      'dir',
      target.place,
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

/** Bandit would also walk through ignored virtual environments, so it is given the other paths. */
function pythonTargets({ root, target, inventory }: ScannerPlace): string[] {
  const python = inventory.files.filter((file) => file.bytes === undefined && isPython(file.path));
  const tops = new Set(
    python.map(
      (file) => path.relative(target.folder, path.join(root, file.path)).split(path.sep, 1)[0] ?? '',
    ),
  );
  return tops.size > PYTHON_TARGETS_MAX
    ? [target.place]
    : [...tops].map((top) => path.join(target.folder, top));
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
  needs: 'bandit[sarif] 1.7.8 or later',
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
/** The formatter is a separate package that the repository may have installed. */
export const ESLINT_FORMATTER = '@microsoft/eslint-formatter-sarif';

const eslint: Scanner = {
  name: 'eslint',
  phase: 'static_analysis',
  looksAt: 'JavaScript and TypeScript, with the security rules that the repository enables',
  isGeneral: false,
  needsNetwork: false,
  runsRepositoryCode: true,
  timeLimitMs: 15 * MINUTE_MS,
  versionArguments: ['--version'],
  needs: 'eslint 6.8 or later',
  isWorthwhile: ({ files, settings }) =>
    [...files.map((file) => file.path), ...settings].some((file) => ESLINT_CONFIGURATION.test(file)),
  command: ({ root, target, resultFile }) => ({
    arguments: [
      '--format',
      ESLINT_FORMATTER,
      '--output-file',
      resultFile,
      '--no-error-on-unmatched-pattern',
      '--no-color',
      path.relative(root, target.place) === '' ? '.' : `./${path.relative(root, target.place)}`,
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
  looksAt: 'dependencies for known vulnerabilities, and infrastructure configuration',
  isGeneral: true,
  needsNetwork: true,
  runsRepositoryCode: false,
  timeLimitMs: 20 * MINUTE_MS,
  versionArguments: ['--version'],
  needs: 'trivy 0.37 or later',
  isWorthwhile: ({ fileCount }) => fileCount > 0,
  // Runs outside the repository, because a `trivy.yaml` in the current folder may name a server to which it then sends
  // everything.
  command: ({ root, target, resultFile, has }) => ({
    arguments: [
      'filesystem',
      '--scanners',
      'vuln,misconfig',
      '--format',
      'sarif',
      '--output',
      resultFile,
      '--exit-code',
      '0',
      '--quiet',
      // The database is still updated; only queries about single packages are not sent.
      '--offline-scan',
      ...(has('.trivyignore') ? ['--ignorefile', path.join(root, '.trivyignore')] : []),
      target.folder,
    ],
    folder: 'private',
  }),
  codesOfRun: [0],
  resultIn: 'file',
  // Uses variables, because older versions reject unknown options.
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
  looksAt: 'the dependencies in lock files for known vulnerabilities',
  isGeneral: true,
  needsNetwork: true,
  runsRepositoryCode: false,
  timeLimitMs: 20 * MINUTE_MS,
  versionArguments: ['--version'],
  needs: 'osv-scanner 2.0 or later',
  isWorthwhile: ({ files }) => files.some((file) => isLockFile(file.path)),
  command: ({ target }) => ({
    arguments: [
      'scan',
      'source',
      '--recursive',
      '--format',
      'sarif',
      // Names of private packages stay here: the database is downloaded, and nothing is asked about a package.
      '--offline-vulnerabilities',
      '--download-offline-databases',
      '--no-resolve',
      // Call analysis would run the repository's own build.
      '--no-call-analysis=all',
      target.folder,
    ],
    folder: 'private',
  }),
  codesOfRun: [0, 1],
  codesOfNothing: [128],
  resultIn: 'output',
};

/** The scanners in the order in which they run within their phase. */
export const knownScanners: readonly Scanner[] = [gitleaks, semgrep, bandit, eslint, osvScanner, trivy];
