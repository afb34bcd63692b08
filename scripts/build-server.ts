// Bundles the server into packages/server/dist/main.mjs, the program that `npm start` runs.
//
// Node can run the sources directly, but reading one file starts the service several times faster than reading six
// hundred. Optional parts, such as the PostgreSQL client, are imported dynamically and become separate chunks, so the
// default start never reads them.
import * as fs from 'node:fs';
import path from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { root, writeStamp } from './build-stamp.ts';
import { contentsOf, writeSbom } from './sbom.ts';

const outputFolder = path.join(root, 'packages/server/dist');

// Files that are not sources, but decide what the bundle contains: the import maps, the dependencies and this script.
const alsoInputs = [
  'package-lock.json',
  'scripts/build-server.ts',
  'scripts/build-stamp.ts',
  'scripts/sbom.ts',
  'packages/server/package.json',
  'packages/contract/package.json',
  'packages/report/package.json',
];

// A bundled CommonJS package may call require() for Node's own modules; an ES module has no require().
const requireForCommonJs = `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);`;

// Each group is bundled apart from the other. What entry points of one group share is cut into files by who needs it, so
// commands beside the service would have it read sixty small files at each start.
const groups: Readonly<Record<string, string>>[] = [
  {
    main: 'packages/server/src/main.ts',
    // A worker is started from a file of its own, beside the one that starts it.
    'body-worker': 'packages/server/src/features/uploads/body-worker.ts',
    'password-strength-worker': 'packages/server/src/platform/password-strength-worker.ts',
    'rendering-worker': 'packages/server/src/features/exports/rendering-worker.ts',
  },
  { commands: 'packages/server/src/commands/frame/program.ts' },
];

export async function buildServer(): Promise<void> {
  const startedMs = Date.now();
  const metafiles = await Promise.all(groups.map(bundle));
  const metafile: Metafile = {
    inputs: Object.fromEntries(metafiles.flatMap(({ inputs }) => Object.entries(inputs))),
    outputs: Object.fromEntries(metafiles.flatMap(({ outputs }) => Object.entries(outputs))),
  };

  removeFilesOfEarlierBuilds(metafile);
  writeSbom('packages/server', contentsOf(metafile));
  writeStamp(outputFolder, Object.keys(metafile.inputs), alsoInputs, startedMs);

  const programs = Object.entries(metafile.outputs).filter(([file]) => file.endsWith('.mjs'));
  const sizeBytes = programs.reduce((sum, [, { bytes }]) => sum + bytes, 0);
  console.error(`Built the server: ${Math.round(sizeBytes / 1024)} KiB in ${Date.now() - startedMs} ms.`);
}

async function bundle(entryPoints: Readonly<Record<string, string>>): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: outputFolder,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // Names are not shortened, so that a stack trace can be read without its source map.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: 'linked',
    sourcesContent: false,
    // A native package finds its binary next to itself.
    external: ['@node-rs/argon2', 'pg-native'],
    banner: { js: requireForCommonJs },
    metafile: true,
    logLevel: 'warning',
    plugins: [builtinsWhenUsed(), entryPointsOfOtherGroups(entryPoints), withoutUnusedPackages()],
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  return metafile;
}

/** Leaves the import of another group's entry point as it is: an import of its bundle. */
function entryPointsOfOtherGroups(own: Readonly<Record<string, string>>): Plugin {
  const others = new Map(
    groups.flatMap(Object.entries<string>).map(([name, file]) => [path.join(root, file), name]),
  );
  for (const file of Object.values(own)) others.delete(path.join(root, file));
  return {
    name: 'entry-points-of-other-groups',
    setup(setup) {
      setup.onResolve({ filter: /^\.\.?\// }, ({ path: name, resolveDir }) => {
        const bundled = others.get(path.resolve(resolveDir, name));
        return bundled === undefined ? undefined : { path: `./${bundled}.mjs`, external: true };
      });
    },
  };
}

/** The framework's compilers of schemas, which the service does not use (http/server.ts), and its client for tests. */
const unusedPackages = new Set([
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
]);

function withoutUnusedPackages(): Plugin {
  return {
    name: 'without-unused-packages',
    setup(setup) {
      setup.onResolve({ filter: /^[@\w]/ }, ({ path: name }) =>
        unusedPackages.has(name) ? { path: name, namespace: 'unused' } : undefined,
      );
      setup.onLoad({ filter: /./, namespace: 'unused' }, ({ path: name }) => ({
        contents: `throw new Error(${JSON.stringify(`${name} is not part of the bundle.`)});`,
      }));
    },
  };
}

/**
 * When an ES module imports one of Node's own modules, Node reads everything that this module exports. For `node:http`
 * that loads Node's web client: 2 MB and 74 modules that the service never uses. The framework imports two more modules
 * that it needs only with other settings. So these modules are loaded as objects, whose properties are read only when
 * they are used.
 */
function builtinsWhenUsed(): Plugin {
  return {
    name: 'builtins-when-used',
    setup(setup) {
      setup.onResolve({ filter: /^node:(?:http|https|http2)$/ }, ({ path: name }) => ({
        path: name,
        namespace: 'builtin',
      }));
      setup.onLoad({ filter: /./, namespace: 'builtin' }, ({ path: name }) => ({
        contents: `const builtin = () => process.getBuiltinModule('${name}');
          for (const name of ${JSON.stringify(Object.keys(process.getBuiltinModule(name) ?? {}))})
            Object.defineProperty(exports, name, { enumerable: true, get: () => builtin()[name] });`,
      }));
    },
  };
}

function removeFilesOfEarlierBuilds({ outputs }: Metafile) {
  const current = new Set(Object.keys(outputs).map((file) => path.basename(file)));
  for (const file of fs.readdirSync(outputFolder)) {
    if (!current.has(file)) fs.rmSync(path.join(outputFolder, file), { recursive: true });
  }
}
