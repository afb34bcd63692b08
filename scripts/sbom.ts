// The software bill of materials of a bundle: a CycloneDX 1.6 document beside it that lists the packages whose code the
// bundle contains or loads. It depends on the bundle, the installed packages and the lock file alone, so building the
// same sources twice writes the same bytes.
import * as fs from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { root } from './build-stamp.ts';

export const SBOM_FILE = 'sbom.cdx.json';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface LockedPackage {
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

type LockedPackages = Readonly<Record<string, LockedPackage | undefined>>;

/** The packages whose code the bundler used, and those that the bundle loads from node_modules when it runs. */
export interface BundleContents {
  /** Paths from the root of the project. */
  readonly files: readonly string[];
  /** Names of packages, as imported. */
  readonly loaded: readonly string[];
}

/** The inputs that have code in an output; tree shaking leaves nothing of the others. */
export function contentsOf({ inputs, outputs }: Metafile): BundleContents {
  const files = Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  const external = Object.values(inputs).flatMap((input) =>
    input.imports.flatMap((each) => (each.external === true ? [each.path] : [])),
  );
  const isPackage = (name: string) => !isBuiltin(name) && !name.startsWith('.');
  return { files: [...new Set(files)], loaded: [...new Set(external.filter(isPackage))] };
}

/** @param folder the package of the project that is bundled; its `dist` folder gets the document. */
export function writeSbom(folder: string, contents: BundleContents): void {
  const file = path.join(root, folder, 'dist', SBOM_FILE);
  fs.writeFileSync(file, `${JSON.stringify(sbomOf(folder, contents), null, 2)}\n`);
}

/** The parts of a document from `sbomOf` that other scripts read. */
export interface Sbom {
  readonly components: readonly SbomComponent[];
}

export interface SbomComponent {
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

export function sbomOf(folder: string, { files, loaded }: BundleContents) {
  const { packages } = readJson('package-lock.json') as { packages: LockedPackages };
  const bundled = new Set(files.flatMap((file) => placeOf(file) ?? []));
  const beside = loaded.flatMap((name) => withNativeParts(packages, folder, name));
  const places = new Map([...bundled, ...beside].map((place) => [refOf(place), place]));
  const refs = [...places.keys()].toSorted();
  const components = refs.map((ref) => componentOf(packages, places.get(ref) ?? '', bundled));
  const edges = refs.map((ref) => ({
    ref,
    dependsOn: among(refs, dependenciesOf(packages, places.get(ref) ?? '')),
  }));
  const inner = new Set(edges.flatMap(({ dependsOn }) => dependsOn));
  const direct = [
    ...among(refs, declaredBy(packages, folder, files)),
    ...refs.filter((ref) => !inner.has(ref)),
  ];
  const { name, version, license } = readManifest(folder);
  const self = `${name}@${version}`;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { type: 'application', 'bom-ref': self, name, version, ...licenses(license) },
    },
    components,
    dependencies: [{ ref: self, dependsOn: [...new Set(direct)].toSorted() }, ...edges],
  };
}

function componentOf(packages: LockedPackages, place: string, bundled: ReadonlySet<string>) {
  const { name, version, license } = readManifest(place);
  const [, group, plainName = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  return {
    type: 'library',
    'bom-ref': refOf(place),
    ...(group === undefined ? {} : { group }),
    name: plainName,
    version,
    scope: 'required',
    ...hashes(packages[place]?.integrity),
    ...licenses(license),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    properties: [{ name: 'svc:included', value: bundled.has(place) ? 'bundled' : 'loaded' }],
  };
}

/** The checksum in the lock file is that of the package as the registry serves it. */
function hashes(integrity: string | undefined) {
  const [, digest] = /^sha512-(\S+)$/.exec(integrity ?? '') ?? [];
  if (digest === undefined) return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] };
}

function licenses(license: string | undefined) {
  if (license === undefined) return {};
  return { licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }] };
}

/** Where npm put the package that a file belongs to; undefined for a file of the project itself. */
function placeOf(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

/** The location of a package and, if it is native, of the package with its binary for this platform. */
function withNativeParts(packages: LockedPackages, from: string, name: string): string[] {
  const place = placeFrom(packages, from, name);
  if (place === undefined || !isInstalled(place)) return [];
  const native = Object.keys(packages[place]?.optionalDependencies ?? {});
  return [place, ...native.flatMap((each) => placeFrom(packages, place, each) ?? []).filter(isInstalled)];
}

function dependenciesOf(packages: LockedPackages, place: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = packages[place] ?? {};
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return names.flatMap((name) => placeFrom(packages, place, name) ?? []);
}

/** The dependencies declared by the project's packages in the bundle, and the tools that build the bundled package. */
function declaredBy(packages: LockedPackages, folder: string, files: readonly string[]): string[] {
  const own = files.filter((file) => placeOf(file) === undefined);
  const folders = new Set([folder, ...own.flatMap((file) => /^packages\/[^/]+/.exec(file)?.[0] ?? [])]);
  const tools = Object.keys(readManifest(folder).devDependencies ?? {});
  return [
    ...[...folders].flatMap((each) => dependenciesOf(packages, each)),
    ...tools.flatMap((name) => placeFrom(packages, folder, name) ?? []),
  ];
}

function among(refs: readonly string[], places: readonly string[]): string[] {
  const found = new Set(places.filter(isInstalled).map(refOf));
  return refs.filter((ref) => found.has(ref));
}

/** Searches like Node: in the folder itself, then in each folder above it. */
function placeFrom(packages: LockedPackages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = path.posix.dirname(folder)) {
    const place = folder === '.' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (folder === '.') return undefined;
  }
}

const manifests = new Map<string, Manifest>();

function readManifest(place: string): Manifest {
  const known = manifests.get(place) ?? (readJson(`${place}/package.json`) as Manifest);
  manifests.set(place, known);
  return known;
}

const isInstalled = (place: string) =>
  manifests.has(place) || fs.existsSync(path.join(root, place, 'package.json'));

function refOf(place: string): string {
  const { name, version } = readManifest(place);
  return `${name}@${version}`;
}

function readJson(file: string): unknown {
  return JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'));
}
