// Bundles the command line into packages/cli/dist/svc.mjs: one executable file that needs nothing beside it.
//
// A command loads its code when it runs, and one file must not take that back. So the bundle is made of chunks as if they
// were files, and each chunk becomes one comment line of the program, which the engine skips without reading it. A short
// loader at the top (cli-loader.mjs) serves them from memory when they are imported: `svc --help` compiles a few
// kilobytes, and Node's own modules load only with the chunk that imports them.
//
// The native library of the keyring is one more chunk: compressed, and written to the cache folder when it is first used
// (packages/cli/src/keystore/embedded-keyring.ts).
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type BuildResult, type Metafile, type Plugin } from 'esbuild';
import { root, writeStamp } from './build-stamp.ts';

const outputFolder = path.join(root, 'packages/cli/dist');
const cliFolder = path.join(root, 'packages/cli');
const keyring = '@napi-rs/keyring';

// Not sources, but they decide what the bundle contains.
const alsoInputs = [
  'package-lock.json',
  'scripts/build-cli.ts',
  'scripts/build-stamp.ts',
  'scripts/cli-loader.mjs',
  'packages/cli/package.json',
  'packages/client/package.json',
  'packages/contract/package.json',
  'packages/report/package.json',
];

// A bundled CommonJS package may call require() for Node's own modules; in an ES module there is none to call. Importing
// them would load all of each at once.
const requireForCommonJs = 'const require=(name)=>process.getBuiltinModule(name);';

export async function buildCli(): Promise<void> {
  const startedMs = Date.now();
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
    // Names of errors are shown, and are told apart by them.
    keepNames: true,
    charset: 'ascii',
    legalComments: 'none',
    banner: { js: requireForCommonJs },
    write: false,
    metafile: true,
    logLevel: 'warning',
    plugins: [embeddedKeyring()],
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  fs.mkdirSync(outputFolder, { recursive: true });
  const program = programOf(result);
  const file = path.join(outputFolder, 'svc.mjs');
  // Put in place whole: a test that runs beside this build finds the old program or the new one.
  fs.writeFileSync(`${file}.new`, program, { mode: 0o755 });
  fs.renameSync(`${file}.new`, file);
  writeStamp(outputFolder, result.metafile, alsoInputs, startedMs);
  console.error(
    `Built the command line: ${Math.round(program.length / 1024)} KiB in ${Date.now() - startedMs} ms.`,
  );
}

/** The loader, and then each chunk as a comment line: `//name "source as a JSON string"`. */
function programOf({ outputFiles = [], metafile }: BuildResult<{ metafile: true }>): string {
  const chunks = new Map(outputFiles.map(({ path: file, text }) => [path.basename(file), text]));
  const linesOf = (names: Iterable<string>) =>
    [...names].map((name) => `//${name} ${JSON.stringify(chunks.get(name))}\n`).join('');
  const start = importedAtStart(metafile, 'main.mjs');
  const rest = [...chunks.keys()].filter((name) => !start.has(name));
  const loader = fs
    .readFileSync(path.join(root, 'scripts/cli-loader.mjs'), 'utf8')
    .replaceAll(/^ *\/\/.*\n/gm, '');
  const length = loader.length + linesOf(start).length;
  return loader
    .replaceAll('START_BYTES', String(length).padEnd('START_BYTES'.length))
    .concat(linesOf(start), linesOf(rest));
}

/** A chunk and all that it imports statically, and what those import. */
function importedAtStart({ outputs }: Metafile, entry: string): ReadonlySet<string> {
  const imports = new Map(
    Object.entries(outputs).map(([file, output]) => [path.basename(file), output.imports]),
  );
  const found = new Set([entry]);
  // A set is iterated over what is added on the way, too.
  for (const name of found) {
    for (const { path: file, kind } of imports.get(name) ?? []) {
      if (kind === 'import-statement' && imports.has(path.basename(file))) found.add(path.basename(file));
    }
  }
  return found;
}

/** Puts the library of this machine's platform in place of the package that would look for it beside itself. */
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
  const loaded = Object.keys(require.cache).find((file) => file.endsWith('.node'));
  if (loaded === undefined) throw new Error(`${keyring} has no library for this platform.`);
  return loaded;
}

/** Nearly as small as it gets, in a tenth of the time. */
function compressed(library: Buffer): string {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
  return brotliCompressSync(library, { params }).toString('base64');
}
