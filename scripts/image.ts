// `npm run image`: the image of the service as dist/image/svc-server-<version>-<architecture>.tar, for the platform on
// which the command runs, with its bill of materials. Needs Debian or Ubuntu with mmdebstrap and buildah.
// Pulls no image.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from './build-stamp.ts';
import { writeArchive } from './image/archive.ts';
import { imageSbom } from './image/image-sbom.ts';
import { writeLibraries } from './image/libraries.ts';
import { serverBundles, writeServerPackage } from './pack/packages.ts';
import { SBOM_FILE, type Sbom } from './sbom.ts';

/** Each file and the image have this time, so that the same content gives the same image. */
const TIME_SECONDS = 1_767_225_600;
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

const output = path.join(root, 'dist/image');
const context = path.join(output, 'context');
const system = path.join(context, 'system');
const service = path.join(context, 'service');

const architecture = ARCHITECTURES[process.arch];
if (process.platform !== 'linux' || architecture === undefined)
  throw new Error('The image is for Linux on x64 and arm64, and is built there.');

fs.rmSync(output, { recursive: true, force: true });
process.umask(0o022);
fs.mkdirSync(context, { recursive: true });
const libraries = writeLibraries(system, TIME_SECONDS);
fs.cpSync(path.join(root, 'deploy/image/etc'), path.join(system, 'etc'), { recursive: true });
writeNode();
writeServerPackage(service);
copyArgon2();
fs.cpSync(path.join(root, 'deploy/image/opt/svc'), service, { recursive: true });
fs.mkdirSync(path.join(context, 'data'), { mode: 0o700 });

const { version } = readJson(path.join(service, 'package.json')) as { version: string };
const name = `svc-server-${version}-${architecture}`;
const sboms = serverBundles.map((bundle) => readJson(path.join(service, bundle, 'dist', SBOM_FILE)) as Sbom);
const sbom = imageSbom({ version, nodeVersion: process.versions.node, libraries, sboms });
fs.writeFileSync(path.join(output, `${name}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`);

const tag = `localhost/svc-server:${version}`;
const archive = path.join(output, `${name}.tar`);
const layout = path.join(output, 'layout');
const containerfile = path.join(root, 'deploy/Containerfile');
run('buildah', [
  'build',
  '--format=oci',
  '--isolation=chroot',
  // A layer for each COPY instruction: a new version shares Node and the libraries with the previous one.
  '--layers',
  `--timestamp=${TIME_SECONDS}`,
  `--build-arg=VERSION=${version}`,
  `--tag=${tag}`,
  `--file=${containerfile}`,
  context,
]);
run('buildah', ['push', '--quiet', tag, `oci:${layout}`]);
writeArchive({
  layout,
  file: archive,
  name: `svc-server:${version}`,
  containerfile: fs.readFileSync(containerfile, 'utf8'),
  timeSeconds: TIME_SECONDS,
});
fs.rmSync(layout, { recursive: true });
console.log(`${path.relative(root, archive)} (${Math.round(fs.statSync(archive).size / 1024 ** 2)} MiB)`);

/** Writes the version of Node that the project is tested with. */
function writeNode(): void {
  const target = path.join(system, 'usr/local/bin/node');
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.copyFileSync(fs.realpathSync(process.execPath), target);
  fs.chmodSync(target, 0o755);
  const license = path.join(system, 'usr/local/share/doc/node/LICENSE');
  fs.mkdirSync(path.dirname(license), { recursive: true });
  const installed = `node_modules/node/node_modules/node-linux-${process.arch}/LICENSE`;
  fs.copyFileSync(path.join(root, installed), license);
}

/** The service's only package with native code, in the version that is installed. */
function copyArgon2(): void {
  const argon2 = path.join(root, 'node_modules/@node-rs/argon2');
  const libc = `${process.arch}-gnu`;
  const native = path.dirname(
    createRequire(path.join(argon2, 'package.json')).resolve(`@node-rs/argon2-linux-${libc}/package.json`),
  );
  for (const source of [argon2, native]) {
    const target = path.join(service, 'node_modules/@node-rs', path.basename(source));
    fs.cpSync(source, target, { recursive: true });
  }
}

function run(program: string, words: readonly string[]): void {
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function readJson(file: string): unknown {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}
