/** The licenses of the packages whose code is in a bundle, as one text. */
import * as fs from 'node:fs';
import path from 'node:path';
import { root } from '../build-stamp.ts';
import type { Sbom } from '../sbom.ts';

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
}

const LICENSE_FILE = /^(?:(?:un)?licen[cs]e|copying|notice|copyright)/i;

/** @param sboms name the packages; those that are loaded from `node_modules` bring their own license files. */
export function noticesOf(sboms: readonly Sbom[]): string {
  const bundled = sboms
    .flatMap(({ components }) => components)
    .filter(({ properties }) => properties.some(({ value }) => value === 'bundled'));
  const names = new Map(
    bundled.map(({ group, name, version }) => [
      `${group === undefined ? name : `${group}/${name}`}@${version}`,
      group === undefined ? name : `${group}/${name}`,
    ]),
  );
  const notices = [...names]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([ref, name]) => noticeOf(ref, placeOf(ref, name)));
  return `This program contains code of the packages below.\n\n${notices.join('\n')}`;
}

function noticeOf(ref: string, place: string): string {
  const { license = 'unknown', author } = readManifest(place);
  const texts = fs
    .readdirSync(place)
    .filter((file) => LICENSE_FILE.test(file))
    .toSorted()
    .map((file) => fs.readFileSync(path.join(place, file), 'utf8').trim());
  const title = `${'='.repeat(80)}\n${ref}\nLicense: ${license}\n`;
  if (texts.length > 0) return `${title}\n${texts.join('\n\n')}\n`;
  const by = typeof author === 'string' ? author : author?.name;
  return `${title}The package has no license file.${by === undefined ? '' : ` Author: ${by}`}\n`;
}

/** npm puts a second version of a package inside the package that needs it. */
function placeOf(ref: string, name: string): string {
  const place = installedPlaces().find(
    (each) =>
      each.endsWith(`node_modules/${name}`) &&
      `${name}@${readManifest(path.join(root, each)).version}` === ref,
  );
  if (place === undefined) throw new Error(`${ref} is in a bundle, but is not installed.`);
  return path.join(root, place);
}

function installedPlaces(): string[] {
  const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, unknown>>;
  };
  return Object.keys(lock.packages).filter((place) => fs.existsSync(path.join(root, place, 'package.json')));
}

function readManifest(place: string): Manifest {
  return JSON.parse(fs.readFileSync(path.join(place, 'package.json'), 'utf8')) as Manifest;
}
