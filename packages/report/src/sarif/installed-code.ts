/**
 * Folders of code that is installed and not written in a repository: packages, toolchains, the system. A path in one of
 * them is not a file of the checkout, even if a file of the checkout has a path with the same end.
 */

interface PathParts {
  readonly anchor: string;
  readonly segments: readonly string[];
}

/** Names of folders, wherever they are. */
const FOLDERS = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  '.npm',
  '.nvm',
  '.pnpm-store',
  '.yarn',
  '.deno',
  'site-packages',
  'dist-packages',
  '.venv',
  'venv',
  '.tox',
  '.nox',
  '.pyenv',
  '.conda',
  'miniconda3',
  'anaconda3',
  '.m2',
  '.gradle',
  '.ivy2',
  '.sbt',
  '.sdkman',
  '.konan',
  '.nuget',
  'globalpackagesfolder',
  '.cargo',
  '.rustup',
  '.bundle',
  '.gem',
  '.rbenv',
  '.rvm',
  '.composer',
  '.pub-cache',
  '.conan',
  '.conan2',
  'vendor',
  'pods',
  'carthage',
  'hostedtoolcache',
  'xcode.app',
  'program files',
  'program files (x86)',
  'programdata',
]);

/** Beginnings of absolute paths. */
const ROOTS: readonly RegExp[] = [
  /^usr\/(?:local\/)?(?:include|lib|lib32|lib64|libexec|share|go)\//,
  /^usr\/local\/(?:cargo|rustup|bundle|rvm|cellar)\//,
  /^(?:lib|lib32|lib64|rustc|snap|proc|sys)\//,
  /^(?:nix|gnu)\/store\//,
  /^opt\/(?:homebrew|local|conda|go|rust|ruby|python\d*)\//,
  /^(?:system\/library|library\/(?:developer|frameworks|java|python|ruby))\//,
];

/** Beginnings of paths on a drive. The folders of Go's own packages have no dot in their names. */
const WINDOWS_ROOTS = /^(?:windows|winnt|ruby\d[^/]*|python\d*|strawberry|msys64|cygwin64|go\/src\/[^./]+)\//;

/** Folders at any depth, recognized by a version or by the folders around them. */
const NESTED: readonly RegExp[] = [
  /(?:^|\/)go\/pkg\/mod\//,
  // A toolchain of Go, such as `sdk/go1.22.1`.
  /(?:^|\/)go\d+(?:\.\d+){1,2}\//,
  // The standard libraries of Python and Ruby.
  /(?:^|\/)lib\/(?:python\d|ruby\/)/,
];

/**
 * @param dropped the number of leading segments that are not in the path of the checkout's file; all if no file matches
 */
export function isInstalled({ anchor, segments }: PathParts, dropped = segments.length): boolean {
  if (dropped === 0) return false;
  const all = segments.map((segment) => segment.toLowerCase());
  const before = all.slice(0, dropped);
  if (before.some((segment, index) => FOLDERS.has(segment) || isGem(segment, before[index - 1]))) return true;
  if (NESTED.some((expression) => expression.test(`${before.join('/')}/`))) return true;
  const path = all.join('/');
  if (anchor === '/') return ROOTS.some((expression) => expression.test(path));
  return anchor !== '' && WINDOWS_ROOTS.test(path);
}

/** `gems/rails-7.1.0`: a repository of gems has folders without versions. */
function isGem(folder: string, parent: string | undefined): boolean {
  return parent === 'gems' && /-\d/.test(folder);
}
