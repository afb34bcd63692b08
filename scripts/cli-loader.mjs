#!/usr/bin/env node
// The top of packages/cli/dist/svc.mjs. scripts/build-cli.ts appends the startup code, whose imports of other chunks
// become calls of __load, and those chunks as comment lines. The syntax is plain, so that old versions of Node get as
// far as the message below.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18) || (major === 23 && minor < 5)) {
  console.error(`svc needs Node 22.18 or later; this is Node ${process.versions.node}.`);
  console.error('Install a newer one from https://nodejs.org, and run svc again.');
  process.exit(1);
}

let isServing = false;

function __load(name) {
  if (!isServing) serveChunks();
  return import(`${import.meta.url}/${name.slice(2)}`);
}

/** Serves the comment lines as if they were files in a folder with the name of this file. */
function serveChunks() {
  const here = import.meta.url;
  const text = process.getBuiltinModule('node:fs').readFileSync(new URL(here), 'latin1');
  const chunks = new Map();
  for (const line of text.slice(text.indexOf('\n//:')).split('\n//:').slice(1)) {
    const end = line.indexOf(' ');
    chunks.set(`${here}/${line.slice(0, end)}`, line.slice(end + 1));
  }
  process.getBuiltinModule('node:module').registerHooks({
    resolve(specifier, context, next) {
      const isInside = context.parentURL !== undefined && context.parentURL.startsWith(`${here}/`);
      const url = isInside && specifier.startsWith('./') ? `${here}/${specifier.slice(2)}` : specifier;
      if (url === `${here}/main.mjs`) return { url: here, format: 'module', shortCircuit: true };
      return chunks.has(url) ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
    },
    load(url, context, next) {
      const source = chunks.get(url);
      if (source === undefined) return next(url, context);
      const { inflateRawSync } = process.getBuiltinModule('node:zlib');
      return { format: 'module', source: inflateRawSync(Buffer.from(source, 'base64')), shortCircuit: true };
    },
  });
  isServing = true;
}
