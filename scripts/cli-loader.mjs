#!/usr/bin/env node
// The top of packages/cli/dist/svc.mjs; scripts/build-cli.ts appends the program's chunks as comment lines, those of the
// start first. Old Nodes must get as far as the sentence below: plain syntax and no imports.
const [major, minor] = process.versions.node.split('.').map(Number);
const { registerHooks } = (process.getBuiltinModule && process.getBuiltinModule('node:module')) || {};
if (!registerHooks || major < 22 || (major === 22 && minor < 18)) {
  console.error(`svc needs Node 22.18 or later; this is Node ${process.versions.node}.`);
  process.exitCode = 1;
} else {
  const fs = process.getBuiltinModule('node:fs');
  const here = import.meta.url;
  const chunks = new Map();
  const add = (text) => {
    for (const line of text.split('\n//').slice(1)) {
      const end = line.indexOf(' ');
      chunks.set(`${here}/${line.slice(0, end)}`, line.slice(end));
    }
  };
  // The file is large and the start needs little of it: the rest is read when something of it is asked for.
  const file = fs.openSync(new URL(here), 'r');
  const start = Buffer.alloc(START_BYTES);
  fs.readSync(file, start, 0, START_BYTES, 0);
  add(start.latin1Slice());
  const find = (url) => {
    if (!chunks.has(url) && url.startsWith(`${here}/`)) add(fs.readFileSync(new URL(here), 'latin1'));
    return chunks.get(url);
  };
  registerHooks({
    resolve(specifier, context, next) {
      const url = specifier.startsWith('./') ? `${here}/${specifier.slice(2)}` : '';
      return find(url) ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
    },
    load(url, context, next) {
      const source = find(url);
      return source
        ? { format: 'module', source: JSON.parse(source), shortCircuit: true }
        : next(url, context);
    },
  });
  void import('./main.mjs');
}
