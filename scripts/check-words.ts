// Keeps the text of the product plain: no banned word in a comment, a string or a document.
// The words and what to say instead are in scripts/words/banned-words.ts.
import * as fs from 'node:fs';
import path from 'node:path';
import { exemptFiles } from './words/banned-words.ts';
import { findWords } from './words/find-words.ts';

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const generated = new Set(['docs/CLI-COMMANDS.md']);
const files = fs
  .globSync(['*.{md,ts}', 'docs/**/*.{md,mjs}', 'packages/**/*.{md,ts,tsx,mjs}', 'scripts/**/*.{ts,mjs}'], {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => !exemptFiles.includes(file) && !generated.has(file))
  .toSorted();

let count = 0;
for (const file of files) {
  const findings = findWords(file, fs.readFileSync(path.join(root, file), 'utf8'));
  count += findings.length;
  for (const { line, word, advice } of findings) console.error(`${file}:${line}: "${word}": say ${advice}`);
}
console.error(`${files.length} files, ${count} banned words.`);
process.exitCode = count > 0 ? 1 : 0;
