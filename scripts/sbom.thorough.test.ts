// The bill of materials of each bundle is checked against the CycloneDX schema, the lock file and the bundle itself.
import { globSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { contentsOf, SBOM_FILE, sbomOf } from './sbom.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

interface Document {
  readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly version: string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const root = path.join(import.meta.dirname, '..');
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const sbomText = (bundle: string) => textOf(`packages/${bundle}/dist/${SBOM_FILE}`);
const sbom = (bundle: string) => JSON.parse(sbomText(bundle)) as Document;
const nameOf = ({ group, name }: Component) => (group === undefined ? name : `${group}/${name}`);
const included = (components: readonly Component[], how: 'bundled' | 'loaded') =>
  components.filter(({ properties }) => properties.some(({ value }) => value === how)).map(nameOf);
const packageOf = (file: string) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

const { packages: locked } = JSON.parse(textOf('package-lock.json')) as {
  packages: Record<string, { version?: string; integrity?: string; license?: string }>;
};

describe.each(['server', 'web', 'cli'])('the bill of materials of the %s', (bundle) => {
  test('is valid CycloneDX 1.6', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    expect(await validator.validate(sbomText(bundle))).toBeNull();
  });

  test('gives the version, license and purl of each package, and its checksum from the lock file', () => {
    const { components } = sbom(bundle);
    expect(components.length).toBeGreaterThan(8);
    for (const component of components) {
      const name = nameOf(component);
      const places = Object.entries(locked).filter(([place]) => place.endsWith(`node_modules/${name}`));
      const integrity = places.find(([, { version }]) => version === component.version)?.[1].integrity;
      const [{ alg, content } = { alg: '', content: '' }] = component.hashes;
      expect([alg, `sha512-${Buffer.from(content, 'hex').toString('base64')}`]).toEqual([
        'SHA-512',
        integrity,
      ]);
      expect(component.purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${component.version}`);
      expect(component.licenses.map(({ license, expression }) => license?.id ?? expression)).toEqual([
        expect.stringMatching(/\w/),
      ]);
    }
  });

  test('names no download address, no path, no time and no random number', () => {
    const text = sbomText(bundle).replace('http://cyclonedx.org/schema/bom-1.6.schema.json', '');
    expect(text).not.toMatch(/https?:|file:|node_modules|timestamp|serialNumber/);
    for (const folder of [root, os.homedir(), os.tmpdir()]) expect(text).not.toContain(folder);
  });

  test('leads from the bundle to each package', () => {
    const { metadata, components, dependencies } = sbom(bundle);
    const reached = new Set([metadata.component['bom-ref']]);
    const next = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    for (const ref of reached) next.get(ref)?.forEach((each) => reached.add(each));
    expect(components.map((component) => component['bom-ref']).filter((ref) => !reached.has(ref))).toEqual(
      [],
    );
  });
});

test('the server’s bill lists the packages that the source maps name, and those that the server loads', () => {
  const maps = globSync('packages/server/dist/*.mjs.map', { cwd: root }).map(
    (file) => JSON.parse(textOf(file)) as { sources: string[] },
  );
  const mapped = new Set(maps.flatMap(({ sources }) => sources.flatMap((source) => packageOf(source) ?? [])));
  const { components } = sbom('server');
  expect(new Set(included(components, 'bundled'))).toEqual(mapped);
  expect(included(components, 'loaded').toSorted()).toEqual([
    '@node-rs/argon2',
    expect.stringMatching(/^@node-rs\/argon2-\w+/),
  ]);
});

test('the CLI’s bill lists the keyring library that is embedded in it', () => {
  expect(sbom('cli').components.map(nameOf)).toContainEqual(expect.stringMatching(/^@napi-rs\/keyring-\w+/));
});

test('the bill of the pages lists what the style sheet copies, and leaves out components that no page uses', () => {
  const names = sbom('web').components.map(nameOf);
  expect(names).toEqual(expect.arrayContaining(['preact', 'tailwindcss', '@radix-ui/colors']));
  expect(names).not.toContain('@radix-ui/react-accordion');
  expect(names).not.toContain('react-dom');
});

test('a package is listed when its code is in the bundle or is loaded, and not when it is only imported', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `import gt from 'semver/functions/gt.js'; import { Kysely } from 'kysely';
        import { hash } from '@node-rs/argon2'; import native from 'pg-native'; import 'node:fs';
        console.log(gt, hash, native);`,
      resolveDir: path.join(root, 'packages/server/src'),
    },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    external: ['@node-rs/argon2', 'pg-native'],
  });
  const contents = contentsOf(metafile);
  const { components } = sbomOf('packages/server', contents) as unknown as Document;
  expect(included(components, 'bundled')).toEqual(['semver']);
  expect(included(components, 'loaded')).toContain('@node-rs/argon2');
  expect(components.map(nameOf)).not.toContain('pg-native');
  expect(sbomOf('packages/server', contents)).toEqual(sbomOf('packages/server', contents));
});
