#!/usr/bin/env node
// What the package `svc-server` runs. Old Nodes must get as far as the sentence below: plain syntax.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`svc-server needs Node 22.18 or later; this is Node ${process.versions.node}.`);
  console.error('Install a newer one from https://nodejs.org, and run svc-server again.');
  process.exit(1);
}
await import('./server/dist/main.mjs');
