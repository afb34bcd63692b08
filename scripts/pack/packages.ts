/**
 * The two packages that people install, each as a folder. They are platform-independent: packages with native code stay
 * dependencies, with exact versions, and everything else is in the bundles.
 */
import * as fs from 'node:fs';
import path from 'node:path';
import { bundleCliForNpm } from '../build-cli.ts';
import { root } from '../build-stamp.ts';
import { contentsOf, SBOM_FILE, sbomOf, type Sbom } from '../sbom.ts';
import { noticesOf } from './notices.ts';

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

interface PackageContent {
  readonly name: string;
  /** The workspace that has the version and the dependencies. */
  readonly workspace: string;
  readonly description: string;
  readonly readme: string;
  /** The file that runs, from the folder of the package. */
  readonly program: string;
  /** Packages that the bundle loads from `node_modules`. */
  readonly loaded: readonly string[];
  readonly sboms: readonly Sbom[];
}

const NODE_WANTED = '>=22.18';

/** What the package of the server contains. */
export const serverBundles = ['server', 'web', 'cli'];

/** The bundles of the server, the pages and the CLI must be built. */
export function writeServerPackage(folder: string): void {
  // The server finds the pages, and the CLI for download, by these paths from its own folder.
  for (const bundle of serverBundles) {
    const source = path.join(root, 'packages', bundle, 'dist');
    fs.cpSync(source, path.join(folder, bundle, 'dist'), { recursive: true, filter: isDelivered });
  }
  fs.copyFileSync(path.join(import.meta.dirname, 'svc-server.mjs'), path.join(folder, 'svc-server.mjs'));
  const sboms = serverBundles.map(
    (bundle) => JSON.parse(fs.readFileSync(path.join(folder, bundle, 'dist', SBOM_FILE), 'utf8')) as Sbom,
  );
  writeCommonFiles(folder, {
    name: 'svc-server',
    workspace: 'server',
    description: 'The service svc: keeps security reports and shares them safely',
    readme:
      '`svc-server` starts the service on http://localhost:8787, with its data in `./data`; `svc-server --help` lists its ' +
      'commands. Configuration is by environment variables: see docs/OPERATING.md in the repository of svc.',
    program: 'svc-server.mjs',
    loaded: ['@node-rs/argon2'],
    sboms,
  });
}

export async function writeCliPackage(folder: string): Promise<void> {
  const { program, metafile } = await bundleCliForNpm();
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'svc.mjs'), program);
  const sbom = sbomOf('packages/cli', contentsOf(metafile));
  fs.writeFileSync(path.join(folder, SBOM_FILE), `${JSON.stringify(sbom, null, 2)}\n`);
  writeCommonFiles(folder, {
    name: 'svc',
    workspace: 'cli',
    description: 'The CLI of svc: scans repositories, and shares their security reports',
    readme: '`svc --help` lists the commands. See docs/CLI.md in the repository of svc.',
    program: 'svc.mjs',
    loaded: ['@napi-rs/keyring'],
    sboms: [sbom],
  });
}

/** Leaves out source maps, and the stamp of the build, which has times. */
function isDelivered(file: string): boolean {
  return !file.endsWith('.map') && path.basename(file) !== '.inputs.json';
}

function writeCommonFiles(folder: string, content: PackageContent): void {
  const { name, workspace, description, readme, program, loaded, sboms } = content;
  const { version, license, dependencies } = JSON.parse(
    fs.readFileSync(path.join(root, 'packages', workspace, 'package.json'), 'utf8'),
  ) as Manifest;
  const manifest = {
    name,
    version,
    // The package is installed from its file, because the name may belong to someone else in a registry.
    private: true,
    description,
    license,
    type: 'module',
    bin: { [name]: program },
    engines: { node: NODE_WANTED },
    dependencies: Object.fromEntries(loaded.map((each) => [each, dependencies[each]])),
  };
  fs.chmodSync(path.join(folder, program), 0o755);
  fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  fs.writeFileSync(path.join(folder, 'README.md'), `# ${name}\n\n${description}.\n\n${readme}\n`);
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  fs.writeFileSync(path.join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesOf(sboms));
}
