// Checks what `npm ci` relies on: exact versions in the manifests, and a lock file that has a checksum but no download
// address for each package, so that it works with any registry.
import * as fs from 'node:fs';
import path from 'node:path';

interface Manifest {
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  overrides?: Record<string, unknown>;
}
interface Lock {
  packages: Record<string, { resolved?: string; integrity?: string; link?: boolean; inBundle?: boolean }>;
}

const root = path.join(import.meta.dirname, '..');
const complaints: string[] = [];

const rootManifest = readManifest('package.json');
for (const folder of ['.', ...(rootManifest.workspaces ?? [])]) {
  const file = path.posix.join(folder, 'package.json');
  const { dependencies, devDependencies, optionalDependencies, overrides } = readManifest(file);
  for (const [name, range] of Object.entries({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
    ...overrides,
  })) {
    const isExact = typeof range === 'string' && /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(range);
    if (!isExact) complaints.push(`${file}: ${name} has no exact version: ${JSON.stringify(range)}`);
  }
}

const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock;
for (const [place, { resolved, integrity, link, inBundle }] of Object.entries(lock.packages)) {
  if (!place.includes('node_modules/') || link === true || inBundle === true) continue;
  if (resolved !== undefined) complaints.push(`package-lock.json: ${place} has a download address`);
  if (integrity === undefined) complaints.push(`package-lock.json: ${place} has no checksum`);
}

for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length > 0 ? 1 : 0;

function readManifest(file: string): Manifest {
  return JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')) as Manifest;
}
