// Bundles the CLI into packages/cli/dist/svc.mjs: one executable file that needs nothing beside it.
// A command's code loads only when the command runs, although everything is in one file. So the bundle consists of
// chunks. Each chunk except the startup code becomes one comment line of the program, which the engine skips without
// parsing it. A short loader at the top (cli-loader.mjs) serves them from memory when they are imported: `svc --help`
// compiles a few kilobytes, and Node's own modules load only with the chunk that imports them.
//
// The native library of the keyring is one more chunk: it is written to the cache folder when it is first used
// (packages/cli/src/keystore/embedded-keyring.ts).
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync, constants, deflateRawSync } from 'node:zlib';
import { build, type BuildOptions, type BuildResult, type Metafile, type Plugin } from 'esbuild';
import { root, writeStamp } from './build-stamp.ts';
import { contentsOf, writeSbom } from './sbom.ts';

const outputFolder = path.join(root, 'packages/cli/dist');
const cliFolder = path.join(root, 'packages/cli');
const keyring = '@napi-rs/keyring';
/** The chunk of the bundler that the loader imports. */
const ENTRY = 'main.mjs';

// Files that are not sources, but decide what the bundle contains.
const alsoInputs = [
  'package-lock.json',
  'scripts/build-cli.ts',
  'scripts/build-stamp.ts',
  'scripts/sbom.ts',
  'scripts/cli-loader.mjs',
  'packages/cli/package.json',
  'packages/client/package.json',
  'packages/contract/package.json',
  'packages/report/package.json',
];

// A bundled CommonJS package may call require() for Node's own modules; an ES module has no require(). Imports would
// load each module completely at the start.
const requireForCommonJs = 'const require=(name)=>process.getBuiltinModule(name);';

export async function buildCli(): Promise<void> {
  const startedMs = Date.now();
  const { program, metafile } = await bundleCli({ plugins: [embeddedKeyring()] });
  fs.mkdirSync(outputFolder, { recursive: true });
  const file = path.join(outputFolder, 'svc.mjs');
  // One rename replaces the program, so a test that runs at the same time finds the old program or the new one.
  fs.writeFileSync(`${file}.new`, program, { mode: 0o755 });
  fs.renameSync(`${file}.new`, file);
  const { files, loaded } = contentsOf(metafile);
  const library = path.relative(root, keyringLibrary()).replaceAll(path.sep, '/');
  writeSbom('packages/cli', { files: [...files, library], loaded });
  writeStamp(outputFolder, Object.keys(metafile.inputs), alsoInputs, startedMs);
  console.error(`Built the CLI: ${Math.round(program.length / 1024)} KiB in ${Date.now() - startedMs} ms.`);
}

/** The program without a native library, for every platform: it loads the keyring's package from `node_modules`. */
export function bundleCliForNpm(): Promise<CliBundle> {
  return bundleCli({ external: [keyring] });
}

export interface CliBundle {
  readonly program: string;
  readonly metafile: Metafile;
}

async function bundleCli(keyringOptions: Pick<BuildOptions, 'plugins' | 'external'>): Promise<CliBundle> {
  const result = await build({
    absWorkingDir: root,
    entryPoints: { main: 'packages/cli/src/main.ts' },
    outdir: outputFolder,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    banner: { js: requireForCommonJs },
    write: false,
    metafile: true,
    logLevel: 'warning',
    ...keyringOptions,
    // The other build of this package requires its parts by names that the bundler cannot follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  return { program: await programOf(result), metafile: result.metafile };
}

/** The loader, the startup code, and each other chunk as a comment line: `//:name source, deflated, in base64`. */
async function programOf({ outputFiles = [], metafile }: BuildResult<{ metafile: true }>): Promise<string> {
  const chunks = new Map(outputFiles.map(({ path: file, text }) => [path.basename(file), text]));
  const start = await inOne(chunks, metafile);
  if (/^import\b/m.test(start))
    throw new Error('The startup code imports a module, which an old Node may not have.');
  const loader = fs
    .readFileSync(path.join(root, 'scripts/cli-loader.mjs'), 'utf8')
    .replaceAll(/^ *\/[/*].*\n/gm, '');
  const lines = [...chunks].map(
    ([name, source]) => `//:${name} ${deflateRawSync(source).toString('base64')}\n`,
  );
  const program = [loader, start.replaceAll(/\bimport\((?="\.\/)/g, '__load('), ...lines].join('');
  // eslint-disable-next-line no-control-regex
  if (/[^\u0000-\u007F]/.test(program))
    throw new Error('The program contains characters other than ASCII, so it would load slowly.');
  return program;
}

/**
 * Combines the entry and all of its static imports into one module, since each module that is loaded at the start costs
 * time. Other chunks can still import the combined ones by name; their exports come from the new module.
 */
async function inOne(chunks: Map<string, string>, metafile: Metafile): Promise<string> {
  const shared = [...importedAtStart(metafile)].filter((name) => name !== ENTRY);
  const exportsOf = new Map(
    Object.entries(metafile.outputs).map(([file, output]) => [path.basename(file), output.exports]),
  );
  const renamed = shared.flatMap((name, index) =>
    (exportsOf.get(name) ?? []).map((exported) => ({ name, exported, as: `shared${index}_${exported}` })),
  );
  const { outputFiles } = await build({
    stdin: {
      contents: [
        `import './${ENTRY}';`,
        ...renamed.map(({ name, exported, as }) => `export { ${exported} as ${as} } from './${name}';`),
      ].join('\n'),
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    // An old version of Node must be able to parse the program, so that the program can report that Node is too old.
    target: 'node14',
    supported: { 'dynamic-import': true },
    minify: true,
    charset: 'ascii',
    write: false,
    plugins: [fromMemory(chunks, new Set([ENTRY, ...shared]))],
  });
  chunks.delete(ENTRY);
  for (const shown of shared) {
    const own = renamed.filter(({ name }) => name === shown);
    const list = own.map(({ exported, as }) => `${as} as ${exported}`).join(',');
    chunks.set(shown, `export{${list}}from'./${ENTRY}';`);
  }
  return outputFiles[0]?.text ?? '';
}

function fromMemory(chunks: ReadonlyMap<string, string>, included: ReadonlySet<string>): Plugin {
  const sources = new Map(chunks);
  return {
    name: 'from-memory',
    setup(setup) {
      setup.onResolve({ filter: /^\.\// }, ({ path: specifier }) => {
        const name = path.basename(specifier);
        return included.has(name) ? { path: name, namespace: 'chunk' } : { path: specifier, external: true };
      });
      setup.onLoad({ filter: /./, namespace: 'chunk' }, ({ path: name }) => ({
        contents: sources.get(name) ?? '',
      }));
    },
  };
}

/** The entry and its static imports, direct and indirect. */
function importedAtStart({ outputs }: Metafile): ReadonlySet<string> {
  const imports = new Map(
    Object.entries(outputs).map(([file, output]) => [path.basename(file), output.imports]),
  );
  const found = new Set([ENTRY]);
  // The loop also visits names that are added to the set meanwhile.
  for (const name of found) {
    for (const { path: file, kind } of imports.get(name) ?? []) {
      if (kind === 'import-statement' && imports.has(path.basename(file))) found.add(path.basename(file));
    }
  }
  return found;
}

/** Replaces the package that searches for the keyring library beside itself with the library for this platform. */
function embeddedKeyring(): Plugin {
  const library = fs.readFileSync(keyringLibrary());
  const sha256 = createHash('sha256').update(library).digest('hex');
  return {
    name: 'embedded-keyring',
    setup(setup) {
      setup.onResolve({ filter: /^@napi-rs\/keyring(?:-library)?$/ }, ({ path: name }) => ({
        path: name,
        namespace: 'embedded',
      }));
      setup.onLoad({ filter: /^@napi-rs\/keyring$/, namespace: 'embedded' }, () => ({
        resolveDir: path.join(cliFolder, 'src/keystore'),
        contents: `import { loadEmbedded } from './embedded-keyring.ts';
          export const { AsyncEntry } = await loadEmbedded({
            platform: '${process.platform}-${process.arch}',
            sha256: '${sha256}',
            load: async () => (await import('${keyring}-library')).default,
          });`,
      }));
      setup.onLoad({ filter: /-library$/, namespace: 'embedded' }, () => ({
        contents: `export default '${compressed(library)}';`,
      }));
    },
  };
}

/** Where npm put the library for this platform. */
function keyringLibrary(): string {
  const require = createRequire(path.join(cliFolder, 'package.json'));
  const loader = require.resolve(keyring);
  require(loader);
  // An earlier build in this process may have loaded other libraries.
  const loaded = Object.keys(require.cache).find((file) => /[\\/]keyring[^\\/]*\.node$/.test(file));
  if (loaded === undefined) throw new Error(`${keyring} has no library for this platform.`);
  return loaded;
}

/** Compresses nearly to the minimum size, in a tenth of the time. */
function compressed(library: Buffer): string {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
  return brotliCompressSync(library, { params }).toString('base64');
}
