/**
 * The languages that code may be marked as. A text never sets one directly: some names make a page draw a diagram,
 * set a formula or offer a change to apply, so only the listed ones are passed on.
 */
const languages: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash', 'sh', 'shell', 'zsh', 'console'],
  c: ['c', 'h'],
  cpp: ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'c++'],
  csharp: ['csharp', 'cs', 'c#'],
  css: ['css', 'scss', 'less'],
  dart: ['dart'],
  diff: ['diff', 'patch'],
  dockerfile: ['dockerfile'],
  elixir: ['elixir', 'ex', 'exs'],
  go: ['go', 'golang'],
  graphql: ['graphql', 'gql'],
  groovy: ['groovy', 'gradle'],
  hcl: ['hcl', 'tf', 'tfvars', 'terraform'],
  html: ['html', 'htm', 'vue', 'svelte'],
  http: ['http'],
  ini: ['ini', 'cfg', 'conf', 'properties', 'env'],
  java: ['java'],
  javascript: ['javascript', 'js', 'mjs', 'cjs', 'jsx'],
  json: ['json', 'jsonc', 'json5', 'sarif'],
  kotlin: ['kotlin', 'kt', 'kts'],
  lua: ['lua'],
  makefile: ['makefile', 'mk'],
  perl: ['perl', 'pl', 'pm'],
  php: ['php'],
  powershell: ['powershell', 'ps1', 'psm1'],
  python: ['python', 'py', 'pyi', 'python3'],
  ruby: ['ruby', 'rb', 'erb', 'rake'],
  rust: ['rust', 'rs'],
  scala: ['scala', 'sc'],
  solidity: ['solidity', 'sol'],
  sql: ['sql'],
  swift: ['swift'],
  toml: ['toml'],
  typescript: ['typescript', 'ts', 'mts', 'cts', 'tsx'],
  xml: ['xml', 'xsd', 'xsl', 'svg', 'plist'],
  yaml: ['yaml', 'yml'],
};

const byWord = new Map(
  Object.entries(languages).flatMap(([language, words]) => words.map((word) => [word, language] as const)),
);

/** The language for the info string of a code block, such as `ts`; undefined if it isn't listed. */
export function languageNamed(word: string): string | undefined {
  return byWord.get(word.toLowerCase());
}

/** The language by the last part of a file's name; accepts a location in a file, such as `src/a.ts:12`. */
export function languageOfFile(path: string): string | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const [file = ''] = name.split(/[:#?\s]/, 1);
  return languageNamed(file.slice(file.lastIndexOf('.') + 1));
}
