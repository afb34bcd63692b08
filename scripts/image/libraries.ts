/** The libraries of Debian that Node needs, with their licenses and the records by which scanners find them. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';

const SUITE = 'trixie';
/** The last package names the release, for scanners. */
const PACKAGES = ['libc6', 'libgcc-s1', 'libstdc++6', 'base-files'];

/** Packages that are installed as dependencies of the others. None of their files is kept. */
const UNUSED = ['mawk'];

const KEPT = [
  './lib',
  './lib64',
  './usr/lib64*',
  './usr/lib/*.so*',
  './usr/lib/os-release',
  './etc/os-release',
  './etc/debian_version',
  './usr/share/doc/*/copyright',
  './usr/share/common-licenses/*',
];
const DROPPED = ['./usr/lib/*/gconv/*', ...UNUSED.map((name) => `./usr/share/doc/${name}/*`)];

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
}

/** Writes the libraries into a folder that becomes the root of the image. Needs mmdebstrap. */
export function writeLibraries(folder: string, timeSeconds: number): DebianPackage[] {
  const archive = `${folder}.tar`;
  const records = '/var/lib/dpkg/status.d';
  const fields = 'Package Version Architecture Source Maintainer Homepage';
  const record = [
    `mkdir -p "$1${records}"`,
    `for file in "$1"/var/cache/apt/archives/*.deb; do`,
    `dpkg-deb --field "$file" ${fields} > "$1${records}/$(dpkg-deb --field "$file" Package)"; done`,
  ].join('\n');
  execFileSync(
    'mmdebstrap',
    [
      '--quiet',
      '--variant=extract',
      `--include=${PACKAGES.join(',')}`,
      `--extract-hook=${record}`,
      SUITE,
      archive,
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: String(timeSeconds) },
    },
  );
  fs.mkdirSync(folder, { recursive: true });
  const kept = [...KEPT, `.${records}/*`];
  execFileSync('tar', [
    '--extract',
    `--file=${archive}`,
    `--directory=${folder}`,
    '--no-same-owner',
    '--wildcards',
    ...[...DROPPED, ...UNUSED.map((name) => `.${records}/${name}`)].map((each) => `--exclude=${each}`),
    ...kept,
  ]);
  fs.rmSync(archive);
  return fs
    .readdirSync(path.join(folder, records))
    .toSorted()
    .map((name) => readRecord(fs.readFileSync(path.join(folder, records, name), 'utf8')));
}

function readRecord(text: string): DebianPackage {
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1] ?? '';
  return { name: field('Package'), version: field('Version'), architecture: field('Architecture') };
}
