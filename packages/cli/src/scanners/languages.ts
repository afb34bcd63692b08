/** Programming languages by file extension. */
import path from 'node:path';

const extensionsOf: Readonly<Record<string, string>> = {
  Assembly: 'asm s',
  C: 'c h',
  'C#': 'cs csx',
  'C++': 'cc cpp cxx hh hpp hxx',
  Clojure: 'clj cljc cljs',
  CSS: 'css less sass scss',
  Dart: 'dart',
  Elixir: 'ex exs',
  Elm: 'elm',
  Erlang: 'erl hrl',
  'F#': 'fs fsi fsx',
  Fortran: 'f90 f95 f03',
  Go: 'go',
  Groovy: 'gradle groovy',
  Haskell: 'hs lhs',
  HTML: 'htm html xhtml',
  Java: 'java',
  JavaScript: 'cjs js jsx mjs',
  JSON: 'json jsonc',
  Julia: 'jl',
  Kotlin: 'kt kts',
  Lua: 'lua',
  Markdown: 'md mdx',
  Nim: 'nim',
  'Objective-C': 'm mm',
  OCaml: 'ml mli',
  Perl: 'pl pm',
  PHP: 'php phtml',
  PowerShell: 'ps1 psm1',
  Python: 'py pyi pyw',
  R: 'r',
  Ruby: 'rake rb',
  Rust: 'rs',
  Scala: 'sc scala',
  Shell: 'bash ksh sh zsh',
  Solidity: 'sol',
  SQL: 'sql',
  Svelte: 'svelte',
  Swift: 'swift',
  Terraform: 'hcl tf tfvars',
  TOML: 'toml',
  TypeScript: 'cts mts ts tsx',
  'Visual Basic': 'vb vbs',
  Vue: 'vue',
  XML: 'xml xsd xsl',
  YAML: 'yaml yml',
  Zig: 'zig',
};
const languageOfExtension: ReadonlyMap<string, string> = new Map(
  Object.entries(extensionsOf).flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension) => [`.${extension}`, language] as const),
  ),
);
const languageOfName = new Map([
  ['Dockerfile', 'Dockerfile'],
  ['Containerfile', 'Dockerfile'],
  ['Makefile', 'Makefile'],
  ['Gemfile', 'Ruby'],
  ['Rakefile', 'Ruby'],
  ['Jenkinsfile', 'Groovy'],
]);

export function languageOf(file: string): string | undefined {
  const name = path.posix.basename(file);
  return languageOfName.get(name) ?? languageOfExtension.get(path.posix.extname(name).toLowerCase());
}

/** The languages of these files, the most frequent first. */
export function languagesOf(files: readonly string[], max: number): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const language = languageOf(file);
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([one, many], [other, more]) => more - many || one.localeCompare(other))
    .slice(0, max)
    .map(([language]) => language);
}
