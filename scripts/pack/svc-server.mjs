#!/usr/bin/env node
// The program of the package `svc-server`. Its syntax is plain, so that old versions of Node get as far as the message
// below.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`svc-server needs Node 22.18 or later; this is Node ${process.versions.node}.`);
  console.error('Install a newer one from https://nodejs.org, and run svc-server again.');
  process.exit(1);
}
await import('./server/dist/main.mjs');
